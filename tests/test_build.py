"""Builds: what is embedded, what a reader sees meanwhile, and what is left after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from ir_core import build as builds
from ir_core.build import build, current, delete, plan
from ir_core.errors import BadFilter, BadSetting, BadSource, Cancelled, IndexProblem, UnknownName
from ir_core.index import IndexSettings, folders
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


def test_cancelled_between_batches_and_resumed(home):
    before = build("notes", documents(3, words=4), WholeText(), HashEmbedder())
    cancel, embedder = threading.Event(), HashEmbedder()

    def stop(progress):
        if progress.stage == "Embedding" and progress.done >= 128:
            cancel.set()

    with pytest.raises(Cancelled, match="kept"):
        build("notes", documents(400), WholeText(), embedder, on_progress=stop, cancel=cancel)
    assert len(embedder.history) <= 3
    assert current("notes") is before
    assert list(folders.corpus_folder("notes").glob(".*")) == []
    done = len(embedder.texts)
    build("notes", documents(400), WholeText(), embedder)
    assert len(embedder.texts) == 400 == len(set(embedder.texts)) >= done


KILLED = textwrap.dedent(
    """
    import sys
    from ir_core.build import build
    from ir_core.strategies import WholeText
    from tests.fakes import HashEmbedder
    from tests.test_build import documents
    say = lambda one: print(one.stage, one.done, flush=True)
    build("notes", documents(2_000), WholeText(), HashEmbedder(delay=0.2), on_progress=say)
    """
)


def test_killed_while_embedding_the_old_index_remains_and_the_next_build_resumes(home):
    old = build("notes", documents(10), WholeText(), HashEmbedder())
    builder = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    for line in builder.stdout:
        if line.startswith("Embedding") and int(line.split()[1]) >= 192:
            break
    os.kill(builder.pid, signal.SIGKILL)
    assert builder.wait(30) == -signal.SIGKILL
    builder.stdout.close()
    folder = folders.corpus_folder("notes")
    assert len([path for path in folder.glob(".*") if path.is_dir()]) == 1  # half a build, unseen
    assert current("notes") is old
    embedder = HashEmbedder()
    planned = plan(documents(2_000), WholeText(), embedder, corpus_name="notes")
    assert planned.n_to_embed <= 2_000 - 192
    build("notes", documents(2_000), WholeText(), embedder)
    assert len(embedder.texts) == planned.n_to_embed
    assert list(folder.glob(".*")) == []
    assert current("notes").manifest.n_artifacts == 2_000


def test_builders_of_one_corpus_take_turns(home):
    embedder = HashEmbedder(delay=0.3)
    stages: list[str] = []
    first = threading.Thread(target=build, args=("notes", documents(200), WholeText(), embedder))
    first.start()
    while not embedder.history:
        time.sleep(0.01)
    index = build("notes", documents(200), WholeText(), embedder, on_progress=lambda one: stages.append(one.stage))
    first.join()
    assert any(stage.startswith("Waiting") for stage in stages)
    assert len(embedder.texts) == 200  # the second found the first one's
    assert current("notes") is index


def test_only_the_newest_builds_are_kept(home):
    embedder = HashEmbedder()
    made = [build("notes", documents(n), WholeText(), embedder).folder for n in (1, 2, 3)]
    build("notes", documents(1), WholeText(), embedder)  # current again, so newest
    newest = build("notes", documents(4), WholeText(), embedder).folder
    kept = {path for path in folders.corpus_folder("notes").iterdir() if path.is_dir()}
    assert {path.resolve() for path in kept} == {made[0], made[2], newest}


def test_a_build_that_is_only_looked_at_leaves_the_current_one(home):
    embedder = HashEmbedder()
    first = build("notes", documents(1), WholeText(), embedder, make_current=False)
    assert current("notes") is first, "there was none"
    others = [build("notes", documents(n), WholeText(), embedder, make_current=False) for n in (2, 3, 4)]
    assert current("notes") is first
    assert build("notes", documents(3), WholeText(), embedder, make_current=False).folder == others[1].folder
    assert len(embedder.texts) == 4
    last = build("notes", documents(5), WholeText(), embedder, make_current=False)
    kept = {path.resolve() for path in folders.builds_of(folders.corpus_folder("notes"))}
    assert kept == {first.folder, others[1].folder, last.folder}, "the current one and the last used"


def test_indexes_of_corpora_nobody_knows_are_bounded(home):
    embedder = HashEmbedder()
    for name in ("old", "held", "known", "a", "b"):
        build(name, documents(1), WholeText(), embedder)
    for name in ("old", "known", "a", "b"):
        folders.close_indexes(folders.corpus_folder(name))
    with folders.turn(folders.corpus_folder("a"), Job()):
        assert folders.forget_foreign(["known"], keep=1) == ["old"], "held is open, a is being built, b is the newest"
    assert folders.forget_foreign(["known"], keep=1) == ["a"]
    left = {path.name for path in (home / "indexes").iterdir()}
    assert {"known", "held", "b"} <= left
    assert not {"old", ".old.lock", "a", ".a.lock"} & left


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
