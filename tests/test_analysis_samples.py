"""Passages one by one, and the same transform several times."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ir_core.analysis.samples import alone, passages, samples
from ir_core.analysis.stability import repeat, stability
from ir_core.build import build
from ir_core.compare import compare_all
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Artifact
from ir_core.strategies import WholeText
from ir_core.transforms import TRANSFORMS
from tests.made_results import result
from tests.scripted import GOOD, ScriptedWriter

TEXTS = ["Reset a password in Settings.", "Recover an account by mail.", "Files are shared by link.", "Pay by card."]
SETTINGS = SearchSettings(k=2)
THREE = ["open Settings and reset the password", "a card is charged", "a mail with a link recovers the account"]


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Engine:
    embedder = open_embedder("hashing")
    documents = [Artifact(f"d{n}", text) for n, text in enumerate(TEXTS)]
    return Engine(build("s", documents, WholeText(), embedder, home=tmp_path_factory.mktemp("s")), embedder)


def averaged(engine: Engine, texts: list[str]):
    writer = ScriptedWriter({**GOOD, "hyde": texts})
    chosen = [("hyde", {"passages": 3})]
    return compare_all(engine, "forgot password", transforms=chosen, writer=writer, settings=SETTINGS)[1]


def test_cosines_spread_and_mean_are_those_of_the_vectors(engine):
    made = averaged(engine, THREE).formulation
    found = samples(engine, made)
    assert found is not None
    vectors = np.stack(list(engine.encode(passages(made)).vectors.values())).astype(float)
    assert np.array(found.cosines) == pytest.approx(vectors @ vectors.T, abs=1e-6)
    off = [found.cosines[i][j] for i in range(3) for j in range(3) if i != j]
    assert found.spread == pytest.approx(1 - sum(off) / 6)
    mean = vectors.mean(axis=0) / np.linalg.norm(vectors.mean(axis=0))
    assert [one.to_mean for one in found.samples] == pytest.approx(list(vectors @ mean), abs=1e-6)
    assert found.samples[0].to_others == pytest.approx((found.cosines[0][1] + found.cosines[0][2]) / 2)


def test_each_alone_finds_what_is_nearest_to_it_and_asks_no_writer(engine):
    made = averaged(engine, THREE).formulation
    each = alone(engine, made, SETTINGS)
    assert [one.fused.hits[0].artifact_id for one in each] == ["d0", "d3", "d1"]
    assert {ranking.leg for one in each for ranking in one.rankings} == {"dense"}
    assert [len(one.fused.hits) for one in each] == [2, 2, 2]


def test_one_passage_has_no_spread(engine):
    assert samples(engine, averaged(engine, THREE[:1]).formulation) is None
    assert samples(engine, result(["d0"]).formulation) is None


def runs(engine: Engine, texts: list[list[str]], cancel: threading.Event | None = None):
    left = iter(texts)
    writer = ScriptedWriter({**GOOD, "rewrite": lambda task: next(left)})
    transform = TRANSFORMS.make("rewrite", {})
    asked = repeat(
        engine, transform, "forgot password", (), writer, SETTINGS, len(texts), cancel or threading.Event()
    )
    return list(asked), writer


def test_a_writer_without_chance_is_the_same_every_time(engine):
    found, writer = runs(engine, [["reset password"]] * 3)
    told = stability(found, 2, {})
    assert len(writer.asked) == 3
    assert told is not None
    assert told.is_the_same
    assert (told.jaccard, told.rbo, told.ndcg, told.ndcg_spread) == (1.0, pytest.approx(1.0), None, None)


def test_lists_that_differ_are_counted_and_the_measure_spreads(engine):
    found, _ = runs(engine, [["reset password"], ["pay by card"]])
    told = stability(found, 1, {"d0": 1})
    assert told is not None
    assert not told.is_the_same
    assert (told.distinct_texts, told.distinct_lists, told.jaccard) == (2, 2, 0.0)
    assert told.ndcg == (1.0, 0.0)
    assert told.ndcg_spread == pytest.approx(0.5)


def test_a_cancelled_repetition_makes_no_further_call(engine):
    cancel = threading.Event()
    cancel.set()
    found, writer = runs(engine, [["a"], ["b"]], cancel)
    assert (found, writer.asked) == ([], [])
    assert stability(found, 2, {}) is None


def test_runs_that_find_nothing_have_no_overlap():
    told = stability([result([]), result([])], 2, {})
    assert told is not None
    assert (told.jaccard, told.least_rbo) == (None, None)
