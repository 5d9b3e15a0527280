"""Builds: what is embedded, what a reader sees meanwhile, and what is left after a kill."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ir_core.build import build, current, plan
from ir_core.errors import BadFilter, BadSetting, BadSource, UnknownName
from ir_core.index import IndexSettings
from ir_core.index.progress import Job
from ir_core.schema import Artifact
from ir_core.strategies import Chunked, WholeText
from tests.fakes import HashEmbedder


def documents(n, words=9):
    return [
        Artifact(
            f"doc{number}",
            {"title": f"Title {number}", "text": " ".join(f"word{number}x{i}" for i in range(words))},
            {"title": f"Title {number}", "year": 2_000 + number % 7},
        )
        for number in range(n)
    ]


CHUNKED = Chunked(chunk_size=40, overlap=10)


def test_an_index_holds_what_was_read(home):
    embedder = HashEmbedder()
    seen = []
    index = build("notes", documents(30), CHUNKED, embedder, on_progress=seen.append)
    manifest = index.manifest
    assert (manifest.corpus, manifest.n_artifacts, manifest.embedder) == ("notes", 30, "fake")
    assert manifest.strategy["name"] == "Chunked"
    assert manifest.strategy["params"]["chunk_size"] == 40
    assert manifest.kinds == {"chunk": index.n}
    assert manifest.fields["year"].type == "number"
    assert set(manifest.fields["year"].values) == set(range(2_000, 2_007))
    assert manifest.idf == "okapi"
    plans = [CHUNKED.decompose(one.id, one.raw, one.metadata) for one in documents(30)]
    assert list(index.surfaces) == [surface for one in plans for surface in one.surfaces]
    assert index.titles[7] == "Title 7"
    assert [index.artifact_ids[i] for i in index.artifact_of] == [surface.artifact_id for surface in index.surfaces]
    rows = [5, 0, 5]
    texts = [index.surfaces[row].text for row in rows]
    assert index.vectors(rows).tolist() == embedder.encode_query(texts).tolist()
    assert index.term_counts([0])[0] == dict.fromkeys(index.surfaces[0].text.lower().replace(".", "").split(), 1)
    [(found, scores)] = index.dense(index.vectors([9]), 1)
    assert index.surfaces[int(found[0])] == index.surfaces[9]
    assert scores[0] == pytest.approx(1)
    [(found, _)] = index.lexical([{"word8x1": 1}], 5)
    assert {index.surfaces[int(row)].artifact_id for row in found} == {"doc8"}
    assert {progress.stage for progress in seen} >= {"Reading", "Embedding", "Linking vectors", "Counting words"}
    assert current("notes") is index


def test_progress_tells_the_time_left(home):
    seen = []
    build("notes", documents(300), WholeText(), HashEmbedder(), on_progress=seen.append)
    embedding = [one for one in seen if one.stage == "Embedding"]
    assert [one.done for one in embedding] == [0, 64, 128, 192, 256, 300]
    left = [one.seconds_left for one in embedding]
    assert left[:2] == [None, None]  # nothing to measure it from yet
    assert all(seconds > 0 for seconds in left[2:5])
    assert left[5] == 0


def test_the_time_left_follows_the_work_and_not_the_first_batch(monkeypatch):
    seen = []
    clock = iter([100.0, 102.0, 105.0])  # a model was loaded before the first report
    monkeypatch.setattr("ir_core.index.progress.time.perf_counter", lambda: next(clock))
    stage = Job(seen.append).stage("Embedding", 4, work=100.0)
    for done, work in ((1, 40.0), (2, 60.0), (3, 80.0)):
        stage.report(done, work)
    # 20 of the work took 2 s, so the last 40 take 4; then 40 took 5 s, so the last 20 take 2.5.
    assert [one.seconds_left for one in seen] == [None, None, 2 / 20 * 40, 5 / 40 * 20]


def test_rows_allowed_by_filter_and_kind(home):
    index = build("notes", documents(14), CHUNKED, HashEmbedder())
    assert index.allowed(None, None) is None
    assert index.allowed({}, []) is None
    mask = index.allowed({"year": {"$lt": 2_002}}, ["chunk"])
    assert {index.surfaces[int(row)].artifact_id for row in np.flatnonzero(mask)} == {"doc0", "doc1", "doc7", "doc8"}
    for found, _ in index.dense(index.vectors([0, 40]), 100, mask) + index.lexical([{"title": 1}], 100, mask):
        assert len(found)
        assert mask[found].all()
    with pytest.raises(BadFilter, match=r"Did you mean 'year'\? Known: title, year"):
        index.allowed({"yeer": 3})
    with pytest.raises(UnknownName, match="Did you mean 'chunk'"):
        index.allowed(None, ["chunks"])


def test_nothing_is_embedded_twice(home):
    embedder = HashEmbedder()
    first = build("notes", documents(20), CHUNKED, embedder)
    wider = Chunked(chunk_size=40, overlap=20)
    planned = plan(documents(20), wider, embedder, corpus_name="notes")
    before = len(embedder.texts)
    assert 0 < planned.n_to_embed <= planned.n_surfaces
    assert not planned.is_current
    build("notes", documents(20), wider, embedder)
    assert len(embedder.texts) - before == planned.n_to_embed
    back = plan(documents(20), CHUNKED, embedder, corpus_name="notes")
    assert (back.n_to_embed, back.is_current) == (0, False)
    again = build("notes", documents(20), CHUNKED, embedder)
    assert again.manifest.fingerprint == first.manifest.fingerprint
    assert plan(documents(20), CHUNKED, embedder, corpus_name="notes").is_current
    assert len(embedder.texts) == len(set(embedder.texts)) == before + planned.n_to_embed
    # Another corpus with the same texts, and the same corpus read by another embedder:
    assert plan(documents(20), CHUNKED, embedder, corpus_name="other").n_to_embed == 0
    assert plan(documents(20), CHUNKED, HashEmbedder(fingerprint="fake-2")).n_to_embed == back.n_surfaces


@pytest.mark.parametrize(
    "settings", [IndexSettings(k1=0.9), IndexSettings(b=0.4), IndexSettings(tokeniser="english-s-1")]
)
def test_a_lexical_setting_embeds_nothing_even_when_the_store_is_gone(home, settings):
    embedder = HashEmbedder()
    first = build("notes", documents(20), CHUNKED, embedder)
    calls = len(embedder.history)
    for file in home.glob("vectors.sqlite*"):
        file.unlink()
    assert plan(documents(20), CHUNKED, embedder, settings=settings, corpus_name="notes").n_to_embed == 0
    second = build("notes", documents(20), CHUNKED, embedder, settings=settings)
    assert len(embedder.history) == calls
    assert second.manifest.fingerprint != first.manifest.fingerprint
    probe = embedder.encode_query(["a", "b"])
    assert [rows.tolist() for rows, _ in second.dense(probe, 9)] == [
        rows.tolist() for rows, _ in first.dense(probe, 9)
    ]


def test_whatever_changes_an_answer_changes_the_fingerprint():
    embedder, base = HashEmbedder(), documents(3)
    other_text = [replace(base[0], raw={**base[0].raw, "text": "other"}), *base[1:]]
    other_field = [replace(base[0], metadata={**base[0].metadata, "year": 1}), *base[1:]]
    more = [replace(one, metadata={**one.metadata, "size": 3}) for one in base]

    class Named:
        """Gives no fields of its own, so that the setting's are seen."""

        def decompose(self, artifact_id, raw, metadata=None):
            return replace(WholeText().decompose(artifact_id, raw, metadata), filter_fields={})

    plans = [
        plan(base, WholeText(), embedder),
        plan(base[::-1], WholeText(), embedder),
        plan(base[:2], WholeText(), embedder),
        plan(other_text, WholeText(), embedder),
        plan(other_field, WholeText(), embedder),
        plan(base, CHUNKED, embedder),
        plan(base, WholeText(kind="page"), embedder),
        plan(base, WholeText(), HashEmbedder(fingerprint="fake-2")),
        plan(base, WholeText(), embedder, settings=IndexSettings(k1=1.2)),
        plan(base, WholeText(), embedder, settings=IndexSettings(b=0.7)),
        plan(base, WholeText(), embedder, settings=IndexSettings(tokeniser="english-s-1")),
        plan(more, Named(), embedder),
        plan(more, Named(), embedder, settings=IndexSettings(filter_fields=("size",))),
    ]
    assert len({one.fingerprint for one in plans}) == len(plans)
    assert plan(documents(3), WholeText(), HashEmbedder()).fingerprint == plans[0].fingerprint
    assert plans[-1].contents.fields[0] == {"size": 3}


def test_a_document_gone_from_the_source_is_gone(home):
    embedder = HashEmbedder()
    build("notes", documents(5), WholeText(), embedder)
    index = build("notes", documents(4), WholeText(), embedder)
    assert "doc4" not in index.artifact_ids
    assert index.lexical([{"word4x1": 1}], 5)[0][0].tolist() == []
    assert len(index.dense(index.vectors([0]), 50)[0][0]) == 4


def test_texts_over_the_limit_are_counted_before_and_after(home):
    embedder = HashEmbedder()  # reads 12 tokens, two of them its own
    artifacts = [*documents(2, words=7), *(replace(one, id="long" + one.id) for one in documents(3, words=9))]
    assert plan(artifacts, WholeText(), embedder).over_limit == 3
    assert build("notes", artifacts, WholeText(), embedder).manifest.over_limit == 3
    assert plan(artifacts, WholeText(), embedder, corpus_name="notes").over_limit == 3


@pytest.mark.parametrize(
    ("artifacts", "said"),
    [
        ([], "it has no documents"),
        ([Artifact("a", " \n"), Artifact("b", "")], "none of its 2 documents has any"),
        ([Artifact("a", "x"), Artifact("b", "y"), Artifact("a", "z")], "same id: 'a'"),
    ],
)
def test_a_corpus_that_cannot_be_indexed_costs_nothing(home, artifacts, said):
    before = build("notes", documents(3), WholeText(), HashEmbedder())
    with pytest.raises(BadSource, match=said):
        build("notes", artifacts, WholeText(), HashEmbedder())
    assert current("notes") is before


def test_one_document_and_a_thousand_identical_ones(home):
    embedder = HashEmbedder()
    one = build("one", [Artifact("only", "a single text")], WholeText(), embedder)
    assert one.manifest.idf == "log1p"
    assert one.lexical([{"single": 1}], 3)[0][0].tolist() == one.dense(one.vectors([0]), 3)[0][0].tolist() == [0]
    same = [Artifact(f"doc{number:04}", "the same text again") for number in range(1_000)]
    embedder.history.clear()
    many = build("many", same, WholeText(), embedder)
    assert embedder.texts == ["the same text again"]
    for rows, _ in (*many.lexical([{"same": 1}], 20), *many.dense(many.vectors([3]), 20)):
        assert [many.surfaces[int(row)].artifact_id for row in rows] == [f"doc{number:04}" for number in range(20)]


def test_fields_are_plain_values(home):
    import datetime

    raw = {"due": datetime.date(2024, 5, 1), "n": np.int64(4), "bad": float("nan"), "none": None, "tags": {"b", "a"}}
    named = IndexSettings(filter_fields=tuple(raw))
    index = build("notes", [Artifact("a", "text", raw)], WholeText(), HashEmbedder(), settings=named)
    assert index.fields == [{"due": "2024-05-01", "n": 4, "tags": ["a", "b"]}]
    assert {name: about.type for name, about in index.manifest.fields.items()} == {
        "due": "date", "n": "number", "tags": "list",
    }  # fmt: skip


def test_a_setting_out_of_range_is_refused():
    with pytest.raises(BadSetting, match="b = 3 is too high"):
        IndexSettings(b=3)
    with pytest.raises(BadSetting, match="english-s-1"):
        IndexSettings(tokeniser="none")
