"""Moving a corpus between places, interrupted and not; where a place is read from; and its keys."""

from __future__ import annotations

import json
import logging

import pytest
from click.testing import CliRunner

from ir_core.build import build, current
from ir_core.cli._main import group
from ir_core.errors import BadSetting, Cancelled
from ir_core.index import IndexSettings, chroma_sweep, folders
from ir_core.index.chroma_place import EMBEDDED, Place, configured, held_by, place_of
from ir_core.index.move import move
from ir_core.index.progress import Job
from ir_core.strategies import WholeText
from tests.chroma_server import ChromaServer, collections
from tests.fakes import HashEmbedder
from tests.test_build import CHUNKED, documents


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with ChromaServer(tmp_path_factory.mktemp("chroma")) as running:
        yield running


def test_moved_there_and_back_by_one_command(server, home):
    source = home / "notes.jsonl"
    source.write_text("\n".join(json.dumps({"_id": f"d{i}", "text": f"word{i} and more"}) for i in range(40)))
    run = CliRunner().invoke
    corpus = ["--corpus", str(source)]
    assert run(group, ["index", *corpus, "--embedder", "hashing"], catch_exceptions=False).exit_code == 0
    found = []
    for to, moved in ((server.url, 1), (server.url, 0), ("embedded", 1)):
        answer = run(group, ["move", *corpus, "--to", to, "--json"], catch_exceptions=False)
        told = json.loads(answer.stdout)
        assert (told["builds"], told["vectors"]) == (moved, 40 * moved)
        assert bool(collections(server, home)) == (to != "embedded")
        [manifest] = (home / "indexes").glob("*/*/manifest.json")
        assert (manifest.parent / "vectors.npy").exists() == (to == "embedded")
        held = {path.relative_to(manifest.parent).as_posix() for path in manifest.parent.rglob("*") if path.is_file()}
        assert set(json.loads(manifest.read_bytes())["sums"]) == held - {"manifest.json", "chroma/chroma.sqlite3"}
        listed = run(group, ["search", "word7", *corpus, "--mode", "dense", "--json"], catch_exceptions=False)
        found.append([hit["artifact_id"] for hit in json.loads(listed.stdout)["results"][0]["hits"]])
    assert found[0] == found[1] == found[2]
    assert found[0][0] == "d7"


def test_an_interrupted_move_leaves_the_old_copy_serving(server, home):
    embedder = HashEmbedder()
    index = build("notes", documents(60), CHUNKED, embedder)
    build("notes", documents(60), CHUNKED, embedder, settings=IndexSettings(k1=0.7))
    folder, there = index.folder.parent, place_of(server.url)
    expected = [rows.tolist() for rows, _ in index.dense(index.vectors([3]), 9)]
    for target, names in ((there, set()), (EMBEDDED, {"one"})):
        for stage in ("Reading vectors", "Linking vectors"):

            def stop(progress, stage=stage):
                if progress.stage == stage:
                    raise Cancelled("stop")

            before = collections(server, home)
            with pytest.raises(Cancelled):
                move(folder, target, Job(stop))
            serving = current("notes")
            assert [rows.tolist() for rows, _ in serving.dense(serving.vectors([3]), 9)] == expected
            assert collections(server, home) == before
            assert len(before) == len(names)
        moved = move(folder, target, Job())
        assert (moved.builds, moved.of) == (2, 2)
        assert all(
            ((held_by(one) or EMBEDDED) == EMBEDDED) == (target == EMBEDDED) for one in folders.builds_of(folder)
        )
        serving = current("notes")
        assert [rows.tolist() for rows, _ in serving.dense(serving.vectors([3]), 9)] == expected
    assert len(embedder.texts) == index.n, "nothing was embedded again"


def test_a_corpus_stays_where_it_was_moved_and_can_leave_a_dead_server(server, home):
    embedder = HashEmbedder()
    index = build("notes", documents(20), CHUNKED, embedder)
    move(index.folder.parent, place_of(server.url), Job())
    assert held_by(build("notes", documents(25), CHUNKED, embedder).folder).place == place_of(server.url)
    server.kill()
    try:
        move(index.folder.parent, EMBEDDED, Job())
        serving = current("notes")
        assert len(serving.dense(serving.vectors([0]), 3)[0][0]) == 3
    finally:
        server.start()
    chroma_sweep.sweep(place_of(server.url), home)
    assert collections(server, home) == set()


def test_where_is_read_from_the_environment_else_the_file(home, monkeypatch):
    assert configured(home) is None
    (home / "chroma.toml").write_text('place = "https://chroma.example:9000/"\ntenant = "team"\n')
    assert configured(home) == Place("server", "https://chroma.example:9000", "team")
    monkeypatch.setenv("QUERY_PRISM_CHROMA", "cloud")
    monkeypatch.setenv("QUERY_PRISM_CHROMA_DATABASE", "prism")
    assert configured(home) == Place("cloud", "", "team", "prism")
    (home / "chroma.toml").write_text('api_key = "ck-secret-secret"')
    with pytest.raises(BadSetting, match="CHROMA_API_KEY") as told:
        configured(home)
    assert "ck-secret" not in str(told.value)
    for bad in (
        "http://u:pw-pw-pw@host:1",
        "http://host/?key=pw-pw-pw",
        "ftp://host",
        "http://",
        "nowhere",
        "http://a:b",
    ):
        with pytest.raises(BadSetting) as told:
            place_of(bad)
        assert "pw-pw-pw" not in str(told.value)


def test_keys_are_asked_for_never_shown_and_never_sent_in_the_clear(home, monkeypatch, caplog, server):
    monkeypatch.setenv("QUERY_PRISM_CHROMA", "cloud")
    with pytest.raises(BadSetting, match="CHROMA_API_KEY is not set"):
        build("notes", documents(3), WholeText(), HashEmbedder())
    monkeypatch.setenv("QUERY_PRISM_CHROMA_TOKEN", "tok-0123456789abcdef")
    monkeypatch.setenv("QUERY_PRISM_CHROMA", "http://10.0.0.1:8000")
    with pytest.raises(BadSetting, match="in the clear") as told:
        build("notes", documents(3), WholeText(), HashEmbedder())
    assert "tok-0123" not in str(told.value)
    monkeypatch.setenv("QUERY_PRISM_CHROMA", server.url)
    with caplog.at_level(logging.DEBUG):
        build("notes", documents(3), WholeText(), HashEmbedder())
    written = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert not any(b"tok-0123" in data for data in written)
    assert "tok-0123" not in caplog.text
