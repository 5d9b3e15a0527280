"""The bundled corpora, and the judged queries of any collection."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from ir_core import config, library
from ir_core.errors import BadSource
from ir_core.library import JudgedQuery, split_of
from ir_core.strategies import strategy_from_spec
from tests.made_files import BEIR, a_program, write_all


@pytest.fixture
def samples(tmp_path, monkeypatch) -> Path:
    program = a_program(tmp_path / "program")
    monkeypatch.setattr(config, "resources", lambda: program)
    return program / "sample_corpora"


def test_a_sample_tells_about_itself(samples):
    (info,) = library.corpora()
    assert (info.name, info.title, info.kind, info.language) == ("bees", "Bees and wasps", "sample", "en")
    assert info.default_strategy == {"name": "Chunked", "params": {"chunk_size": 300}}
    assert (info.filter_fields, info.n_documents, info.licence) == (("area",), 3, "CC0-1.0")
    assert [asdict(item) for item in info.examples] == [
        {"label": "simple", "query_id": "q1", "text": "who dances?", "history": ()}
    ]
    assert info.bytes == sum(path.stat().st_size for path in (samples / "bees").rglob("*") if path.is_file())
    assert library.disk_use() == {"bees": info.bytes}
    assert [artifact.id for artifact in library.corpus("bees").load().artifacts] == ["d1", "d2", "d3"]


def test_queries_and_judgements(samples):
    corpus = library.corpus("bees")
    one, two = corpus.queries()
    assert one == JudgedQuery(
        "q1", "who dances?", "simple", answers=("bees",), split=split_of("q1"), metadata={"level": "easy"}
    )
    assert two.history == ({"role": "user", "content": "who dances?"}, {"role": "assistant", "content": "bees"})
    assert (two.category, two.set, two.answers) == (None, None, ())
    assert corpus.qrels() == {"q1": {"d1": 2}, "q2": {"d2": 1, "d1": 0}}  # test.tsv before train.tsv


def test_splits_are_halves_that_follow_from_the_id():
    # Their SHA-256 digests end in bb, 9d and c6 (sha256sum): odd, odd, even.
    assert [split_of(name) for name in ("a", "b", "c")] == ["test", "test", "tune"]
    assert 450 < sum(split_of(f"q{n}") == "tune" for n in range(1_000)) < 550


@pytest.mark.parametrize(
    ("file", "data", "message"),
    [
        ("queries.jsonl", b'{"_id": "q1", "text": "x"}\n{"_id": "q2"}\n', "line 2"),
        ("queries.jsonl", b'{"_id": "q1", "text": "x"}\n\nnot json\n', "line 3"),
        ("queries.jsonl", b'["q1"]', "line 1"),
        ("qrels/test.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\n", "line 2"),
        ("qrels/test.tsv", b"query-id\tcorpus-id\tscore\nq1\td1\tgood\n", "line 2"),
    ],
)
def test_a_damaged_judgement_stops_a_measurement(tmp_path, file, data, message):
    corpus = library.corpus(write_all(tmp_path / "c", {**BEIR, file: data}))
    with pytest.raises(BadSource, match=message):
        corpus.queries() if file == "queries.jsonl" else corpus.qrels()


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in (config.resources() / "sample_corpora").glob("*/corpus.toml"))
)
def test_bundled_samples(name):
    corpus = library.corpus(name)
    loaded = corpus.load()
    assert loaded.problems == ()
    assert len(loaded.artifacts) == corpus.info.n_documents
    assert corpus.info.title
    assert corpus.info.description
    toml = (config.resources() / "sample_corpora" / name / "corpus.toml").read_text("utf-8")
    assert len(corpus.info.examples) == toml.count("[[examples]]")
    known = {artifact.id for artifact in loaded.artifacts}
    assert {document for judged in corpus.qrels().values() for document in judged} <= known
    assert all(query.split == split_of(query.id) for query in corpus.queries())
    strategy = strategy_from_spec(corpus.info.default_strategy or {"name": loaded.default_strategy or "WholeText"})
    plans = [strategy.decompose(one.id, one.raw, one.metadata) for one in loaded.artifacts]
    fields = {key for one in loaded.artifacts for key in one.metadata} | {f for p in plans for f in p.filter_fields}
    assert {*corpus.info.filter_fields} <= fields
