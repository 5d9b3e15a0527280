"""Indexes that are damaged, of another layout, alike by name, or gone."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ir_core import build as builds
from ir_core.build import build, current, delete, plan
from ir_core.errors import IndexProblem
from ir_core.schema import Artifact
from ir_core.strategies import WholeText
from tests.fakes import HashEmbedder
from tests.test_build import documents


@pytest.mark.parametrize("file", ["manifest.json", "surfaces.jsonl", "vectors.npy", "names.json", "lexical/rows.npy"])
@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_damaged_build_is_named_and_building_again_repairs_it(home, file, damage):
    embedder = HashEmbedder()
    index = build("notes", documents(8), WholeText(), embedder)
    path = index.folder / file
    builds.folders.close_indexes(index.folder)
    path.write_bytes(path.read_bytes()[:-9]) if damage == "cut" else path.unlink()
    with pytest.raises(IndexProblem, match=r"damaged .*Build the index again"):
        current("notes")
    assert not plan(documents(8), WholeText(), embedder, corpus_name="notes").is_current
    repaired = build("notes", documents(8), WholeText(), embedder)
    assert repaired.dense(repaired.vectors([1]), 1)[0][0].tolist() == [1]
    assert len(embedder.texts) == 8


def test_a_damaged_dense_part_is_repaired_too(home):
    embedder = HashEmbedder()
    index = build("notes", documents(8), WholeText(), embedder)
    builds.folders.close_indexes(index.folder)
    (index.folder / "chroma" / "chroma.sqlite3").write_bytes(b"\0" * 5_000)
    with pytest.raises(IndexProblem, match="Build the index again"):
        current("notes").dense(index.vectors([0]), 1)
    repaired = build("notes", documents(8), WholeText(), embedder)
    assert repaired.dense(repaired.vectors([1]), 1)[0][0].tolist() == [1]


def test_another_version_of_the_layout_is_refused(home):
    index = build("notes", documents(2), WholeText(), HashEmbedder())
    builds.folders.close_indexes(index.folder)
    facts = json.loads((index.folder / "manifest.json").read_text("utf-8"))
    (index.folder / "manifest.json").write_text(json.dumps({**facts, "format": 0}), "utf-8")
    with pytest.raises(IndexProblem, match="another version"):
        current("notes")


def test_a_damaged_vector_store_is_told_in_the_manifest(home):
    (home / "vectors.sqlite").write_bytes(b"no database at all" * 300)
    index = build("notes", documents(3), WholeText(), HashEmbedder())
    assert "vectors.sqlite was damaged" in index.manifest.notes[0]


def test_corpora_whose_names_look_alike_stay_apart(home):
    embedder = HashEmbedder()
    names = ["a-b", "A b", "a/b", "../a-b", "مستندات", "文書"]
    for number, name in enumerate(names, start=1):
        build(name, documents(number), WholeText(), embedder)
    for number, name in enumerate(names, start=1):
        index = current(name)
        assert (index.n, index.manifest.corpus) == (number, name)
        assert index.folder.parent.parent == (home / "indexes").resolve()


def test_delete_removes_every_build_and_keeps_the_vectors(home):
    embedder = HashEmbedder()
    index = build("notes", documents(6), WholeText(), embedder)
    index.dense(index.vectors([0]), 1)
    assert builds.disk_use("notes") > 10_000
    delete("notes")
    assert current("notes") is None
    assert builds.disk_use("notes") == 0
    delete("notes")
    build("notes", documents(6), WholeText(), embedder)
    assert len(embedder.texts) == 6


def test_an_embedder_that_breaks_its_promise_is_refused(home):
    class Broken(HashEmbedder):
        def encode_document(self, texts):
            return super().encode_document(texts) * np.float32("nan")

    with pytest.raises(IndexProblem, match="finite numbers of shape"):
        build("notes", documents(2), WholeText(), Broken())
    assert current("notes") is None


def test_a_disk_that_refuses_is_told_with_the_way_out(home):
    (home / "indexes").write_text("a file where the folder should be")
    with pytest.raises(IndexProblem, match=r"could not be written .* build again"):
        build("notes", documents(2), WholeText(), HashEmbedder())


def test_a_surrogate_in_a_text_survives(home):
    index = build("notes", [Artifact("a", "broken \ud800 text")], WholeText(), HashEmbedder())
    assert index.surfaces[0].text == "broken \ud800 text"
