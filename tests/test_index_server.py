"""One contract for both homes of vectors; and what is the server's own: down, held, killed, swept, moved."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from ir_core import build as builds
from ir_core.build import build, current, delete
from ir_core.errors import IndexProblem
from ir_core.index import IndexSettings, chroma_client, chroma_remote, chroma_write, folders
from ir_core.index.chroma_place import held_by, place_of
from ir_core.schema import Artifact
from ir_core.strategies import WholeText
from tests.chroma_server import ChromaServer, collections
from tests.fakes import HashEmbedder
from tests.test_build import CHUNKED, documents


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ChromaServer(tmp_path_factory.mktemp("chroma")) as running:
        yield running


@pytest.fixture
def on_server(server, monkeypatch):
    monkeypatch.setenv("QUERY_PRISM_CHROMA", server.url)
    return server


@pytest.fixture(params=["embedded", "server", "cloud"])
def anywhere(request, server, monkeypatch):
    """Each place in turn; the cloud's client is pointed at the same server, its limits kept."""
    monkeypatch.setenv("QUERY_PRISM_CHROMA", server.url if request.param == "server" else request.param)
    monkeypatch.setenv("CHROMA_API_KEY", "ck-not-a-real-key-0123456789")
    monkeypatch.setattr(
        chroma_client, "CLOUD", {"cloud_host": "127.0.0.1", "cloud_port": server.port, "enable_ssl": False}
    )
    return request.param


def exact(index, query, n, mask=None):
    vectors = np.stack([HashEmbedder()._vector(surface.text) for surface in index.surfaces]).astype(np.float64)
    cosines = np.round(vectors @ query.astype(np.float64), 6)
    rows = range(index.n) if mask is None else np.flatnonzero(mask)
    return sorted(rows, key=lambda row: (-cosines[row], index.surfaces[row].id))[:n]


@pytest.mark.parametrize("scanned_up_to", [0, 2_000])
def test_lists_equal_a_full_sort_wherever_the_vectors_are(anywhere, scanned_up_to, home, monkeypatch):
    monkeypatch.setattr("ir_core.index.dense.SCAN_ROWS", scanned_up_to)
    monkeypatch.setattr(chroma_remote, "SCAN_ROWS", scanned_up_to)
    index = build("notes", documents(420), WholeText(), HashEmbedder())
    assert (index.folder / "vectors.npy").exists() == (index.folder / "chroma").exists() == (anywhere == "embedded")
    queries = HashEmbedder().encode_query(["one", "two", "three"])
    half = np.arange(index.n) % 2 == 0
    few = np.arange(index.n) % 60 == 0
    for mask, n in ((None, 1), (None, 60), (half, 60), (few, 5), (few, 60)):
        for query, (rows, scores) in zip(queries, index.dense(queries, n, mask), strict=True):
            assert rows.tolist() == exact(index, query, n, mask)
            assert (np.diff(scores) <= 1e-6).all()
    assert index.vectors([5, 0, 5]).tolist() == pytest.approx(
        HashEmbedder().encode_query([index.surfaces[row].text for row in (5, 0, 5)]), abs=1e-6
    )
    assert index.dense(queries, 5, np.zeros(index.n, dtype=bool))[0][0].tolist() == []
    cut = anywhere == "cloud" and not scanned_up_to
    assert [len(rows) for rows, _ in index.dense(queries[:1], 420)] == [300 if cut else 420]


def test_equal_texts_come_in_the_order_of_their_ids(anywhere, home):
    same = [
        Artifact(f"doc{number:03}", "the same words" if number % 50 else f"other {number}") for number in range(200)
    ]
    index = build("notes", same, WholeText(), HashEmbedder())
    query = HashEmbedder().encode_query(["the same words"])
    [(rows, _)] = index.dense(query, 30)
    assert rows.tolist() == exact(index, query[0], 30)


def test_builds_share_are_swapped_and_deleted_with_their_collections(on_server, home):
    embedder = HashEmbedder()
    first = build("Ärzte/notes", documents(30), CHUNKED, embedder)
    [name] = collections(on_server, home)
    assert name.isascii()
    second = build("Ärzte/notes", documents(30), CHUNKED, embedder, settings=IndexSettings(k1=0.9))
    assert second.manifest.fingerprint != first.manifest.fingerprint
    assert collections(on_server, home) == {name}, "the same vectors, so the same collection"
    for words in (5, 6, 7, 8):
        build("Ärzte/notes", documents(20, words=words), WholeText(), embedder)
    named = {held_by(one).collection for one in folders.builds_of(folders.corpus_folder("Ärzte/notes"))}
    assert collections(on_server, home) == named
    assert len(named) == folders.KEEP
    before = len(embedder.texts)
    delete("Ärzte/notes")
    assert collections(on_server, home) == set()
    build("Ärzte/notes", documents(20, words=8), WholeText(), embedder)
    assert len(embedder.texts) == before


KILLED = textwrap.dedent(
    """
    import time
    from ir_core.build import build
    from ir_core.strategies import WholeText
    from tests.fakes import HashEmbedder
    from tests.test_build import documents

    def say(one):
        print(one.stage, one.done, flush=True)
        time.sleep(60 if one.stage.startswith("Linking") and one.done >= 1_000 else 0)  # until it is killed

    build("notes", documents(3_000), WholeText(), HashEmbedder(dim=300), on_progress=say)
    """
)


def test_a_killed_builder_leaves_the_old_index_and_its_collection_is_swept(on_server, home):
    old = build("notes", documents(10), WholeText(), HashEmbedder(dim=300))
    builder = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    for line in builder.stdout:
        if line.startswith("Linking") and int(line.split()[-1]) >= 1_000:
            break
    os.kill(builder.pid, signal.SIGKILL)
    assert builder.wait(30) == -signal.SIGKILL
    builder.stdout.close()
    assert len(collections(on_server, home)) == 2
    assert current("notes") is old
    assert len(old.dense(old.vectors([0]), 3)[0][0]) == 3
    builds.forget_foreign(["notes"])  # as every start of the app or of a command does
    assert collections(on_server, home) == {held_by(old.folder).collection}


@pytest.mark.parametrize("stage", ["Embedding", "Linking vectors"])
def test_server_killed_while_indexing(on_server, stage, home, monkeypatch):
    monkeypatch.setattr(chroma_write, "ADD_ROWS", 100)
    embedder = HashEmbedder()
    old = build("notes", documents(9), WholeText(), embedder)

    def kill(progress):
        if progress.stage == stage and progress.done:
            on_server.kill()

    started = time.monotonic()
    try:
        with pytest.raises(IndexProblem, match=f"{on_server.url} does not answer .* kept"):
            build("notes", documents(300), WholeText(), embedder, on_progress=kill)
    finally:
        on_server.start()
    assert time.monotonic() - started < 60
    assert current("notes") is old
    assert len(old.dense(old.vectors([0]), 3)[0][0]) == 3, "the same open index goes on"
    index = build("notes", documents(300), WholeText(), embedder)
    assert sorted(embedder.texts) == sorted({surface.text for surface in index.surfaces}), "each embedded once"
    assert collections(on_server, home) == {held_by(one).collection for one in (old.folder, index.folder)}


def test_server_down_or_silent_while_searching(on_server, home, monkeypatch):
    index = build("notes", documents(40), WholeText(), HashEmbedder())
    query = HashEmbedder().encode_query(["word3x1"])
    [(before, _)] = index.dense(query, 10)
    on_server.kill()
    try:
        for ask in (lambda: index.dense(query, 10), lambda: index.vectors([1])):
            with pytest.raises(IndexProblem, match=f"The Chroma server at {on_server.url} does not answer"):
                ask()
        assert index.lexical([{"word8x1": 1}], 5)[0][0].tolist() == [8], "the lexical leg needs no server"
        assert current("notes") is index
    finally:
        on_server.start()
    assert index.dense(query, 10)[0][0].tolist() == before.tolist()
    monkeypatch.setattr(chroma_client, "ANSWER_S", 0.5)
    on_server.hold()
    try:
        with pytest.raises(IndexProblem, match="does not answer"):
            index.dense(query, 10)
    finally:
        on_server.go_on()
    monkeypatch.setattr(chroma_client, "ANSWER_S", 30)
    assert index.dense(query, 10)[0][0].tolist() == before.tolist()


def test_a_collection_that_went_or_shrank_is_named_and_built_again(on_server, home):
    embedder = HashEmbedder()
    for harm in ("delete", "shrink"):
        index = build("notes", documents(30), WholeText(), embedder)
        name = held_by(index.folder).collection
        with chroma_client.asking(place_of(on_server.url)) as client:
            if harm == "delete":
                client.delete_collection(name)
            else:
                client.get_collection(name, embedding_function=None).delete(ids=["3"])
        folders.close_indexes(index.folder)
        with pytest.raises(IndexProblem, match=r"no longer on|has 29 of 30 vectors.*Build the index again"):
            current("notes").dense(np.ones((1, 24), np.float32), 3)
        assert len(build("notes", documents(30), WholeText(), embedder).vectors([3])) == 1
    assert len(embedder.texts) == 30
    delete("notes")
