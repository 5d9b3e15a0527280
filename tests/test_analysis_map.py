"""The map: axes by numpy against scikit-learn, and what is placed on them."""

from __future__ import annotations

import numpy as np
import pytest

from ir_core.analysis.projection import fit
from ir_core.analysis.query_map import query_map
from ir_core.build import build
from ir_core.compare import compare_all
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Artifact
from ir_core.strategies import WholeText
from tests.scripted import ScriptedWriter

WORDS = ["password", "reset", "file", "share", "link", "billing", "card", "guest", "folder", "owner", "mail"]


def made(tmp_path, n: int) -> Engine:
    documents = [Artifact(f"d{i}", " ".join(WORDS[(i * j) % len(WORDS)] for j in range(1, 6))) for i in range(n)]
    embedder = open_embedder("hashing")
    return Engine(build("map", documents, WholeText(), embedder, home=tmp_path), embedder)


def test_axes_and_explained_variance_are_scikit_learns(tmp_path):
    from sklearn.decomposition import PCA

    index = made(tmp_path, 40).index
    ground = fit(index)
    vectors = np.asarray(index.vectors(range(index.n)), dtype=np.float64)
    reference = PCA(n_components=2, svd_solver="full").fit(vectors)
    assert np.abs(np.sum(ground.axes * reference.components_, axis=1)) == pytest.approx([1, 1], abs=1e-6)
    assert ground.explained == pytest.approx(tuple(reference.explained_variance_ratio_), abs=1e-9)
    assert np.abs(ground.points) == pytest.approx(np.abs(reference.transform(vectors)), abs=1e-5)
    assert np.allclose(ground.place(index.vectors(range(index.n))), ground.points, atol=1e-5)


def test_a_large_index_is_sampled_the_same_way_each_time(tmp_path):
    index = made(tmp_path, 40).index
    one, other = fit(index, sample=10), fit(index, sample=10)
    assert one.is_sampled
    assert (len(one.rows), one.n_surfaces, len(set(one.rows.tolist()))) == (10, 40, 10)
    assert np.array_equal(one.rows, other.rows)
    assert np.array_equal(one.points, other.points)
    assert not fit(index).is_sampled


def test_one_surface_has_nothing_to_spread_out(tmp_path):
    ground = fit(made(tmp_path, 1).index)
    assert ground.explained is None
    assert ground.points.tolist() == [[0.0, 0.0]]


def test_each_made_query_is_placed_with_cosines_of_the_full_vectors(tmp_path):
    engine = made(tmp_path, 12)
    chosen = [("multi_query", {"n": 3}), ("hyde", {})]
    results = compare_all(
        engine, "forgot my password", transforms=chosen, writer=ScriptedWriter(), settings=SearchSettings()
    )
    found = query_map(engine, fit(engine.index), results, "d1", {"d2", "not here"})
    assert found.placed[0].query_id == "original"
    assert found.placed[0].to_original == pytest.approx(1.0)
    assert {one.role for one in found.placed} >= {"original", "variant", "hypothetical", "centroid"}
    assert {(gold.artifact_id, gold.expected) for gold in found.gold} == {("d1", True), ("d2", False)}
    vectors = {one.query_id: one for one in found.placed}
    passage = next(q for q in results[2].formulation.queries if q.role == "hypothetical")
    encoded = engine.encode([results[0].formulation.original, passage])
    first, second = encoded.vectors.values()
    assert vectors[passage.id].to_original == pytest.approx(float(first @ second))
    assert all(one.to_gold is not None and one.to_gold <= one.to_nearest + 1e-6 for one in found.placed)


def test_without_results_the_map_is_only_ground(tmp_path):
    engine = made(tmp_path, 3)
    assert query_map(engine, fit(engine.index), []).placed == ()
