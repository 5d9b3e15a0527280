"""A server of vectors that is away: a complete index opens without it, its lexical leg goes on, the dense one says so
with the address, and is there again with the server."""

from __future__ import annotations

import json
import time

import pytest

from ir_core import compare, session
from ir_core.errors import Unreachable
from ir_core.index import chroma_client, chroma_sweep, folders
from ir_core.index.chroma_place import place_of
from ir_core.index.move import move
from ir_core.index.progress import Job
from ir_core.retrieval import SearchSettings
from ir_core.writers import open_writer
from tests.app import build, open_app, shown
from tests.test_cli import run  # noqa: F401
from tests.test_index_server import server  # noqa: F401

ASKED = ("meeting notes", "--corpus", "skills", "--json")


@pytest.fixture
def away(server, home):  # noqa: F811
    """The index of skills is on the server, which is down; this process has just begun."""
    build("skills")
    folder = folders.corpus_folder("skills")
    move(folder, place_of(server.url), Job())
    folders.close_indexes(folder)
    chroma_sweep._started.clear()
    chroma_client._clients.clear()
    server.kill()
    yield server
    if server._process is None:
        server.start()


def ranked(out):
    return [[hit["artifact_id"] for hit in one["hits"]] for one in json.loads(out)["results"]]


def test_commands_go_on_in_lexical_mode_and_name_the_server_in_others(away, run):  # noqa: F811
    code, out, err = run("search", *ASKED, "--mode", "lexical")
    assert code == 0, err
    [lexical] = ranked(out)
    code, out, err = run("compare", *ASKED, "--mode", "lexical")
    assert code == 0, err
    assert ranked(out)[0] == lexical
    for mode in ("dense", "hybrid"):
        code, _, err = run("search", *ASKED, "--mode", mode)
        assert code == 2
        assert f"The Chroma server at {away.url} does not answer" in err
        assert "lexical mode" in err
        assert "embedded is kept" not in err, "nobody was building"
    before = {path.name for path in folders.corpus_folder("skills").iterdir()}
    away.start()
    code, out, err = run("search", *ASKED, "--mode", "dense")
    assert code == 0, err
    assert ranked(out)[0]
    assert {path.name for path in folders.corpus_folder("skills").iterdir()} == before, "nothing was built anew"


def test_an_open_engine_finds_the_server_again(away):
    engine = session.open_engine(session.prepare("skills"), make_current=False)
    writer = open_writer("corpus", index=engine.index)

    def results(mode):
        return compare.compare_all(
            engine, "meeting notes", transforms=[("rewrite", {})], writer=writer, settings=SearchSettings(mode=mode)
        )

    lexical = results("lexical")
    assert all(one.fused.hits for one in lexical)
    with pytest.raises(Unreachable):
        session.warm_up(engine, writer, "hybrid")
    away.start()
    assert all(one.fused.hits for one in results("hybrid"))


def test_a_server_that_is_stuck_holds_nobody_up_who_does_not_need_it(away, monkeypatch):
    monkeypatch.setattr(chroma_client, "CONNECT_S", 0.5)
    away.start()
    away.hold()
    try:
        started = time.monotonic()
        index = session.open_engine(session.prepare("skills"), make_current=False).index
        assert index.lexical([{"meeting": 1}], 3)[0][0].size
        assert time.monotonic() - started < 20, "it answers after 120 s, if at all"
    finally:
        away.go_on()


def test_the_page_compares_in_lexical_mode_and_says_in_others_who_does_not_answer(away):
    link = "corpus=skills&q=meeting+notes&t=rewrite&mode="
    assert "2 of 2 finished" in shown(open_app(f"{link}lexical"))
    said = shown(open_app(f"{link}hybrid"))
    assert f"The Chroma server at {away.url} does not answer" in said
    assert "embedded is kept" not in said
