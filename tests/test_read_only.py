"""A home that can only be read: what is complete is searched, what would write says what helps, and a shared server
neither starts nor shows a trace."""

from __future__ import annotations

import errno
import logging
import os
import types

import pytest

from ir_core import build, config, session, visits
from ir_core.errors import IndexProblem
from ir_core.index import folders
from pages._ui import visit
from tests.app import open_app, shown
from tests.test_cli import run  # noqa: F401

REFUSED = {errno.EROFS: "Make the folder writable, or set QUERY_PRISM_HOME", errno.ENOSPC: "Make room on the disk"}


def refusing(number):
    def refuse(*_args, **_options):
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize("number", REFUSED)
def test_a_complete_index_is_searched_and_a_build_says_what_helps(number, home, monkeypatch, caplog):
    prepared = session.prepare("skills", embedder="hashing")
    built = prepared.build()
    other = session.prepare("skills", embedder="hashing", settings={"k1": 0.7})
    other.build(make_current=False)
    monkeypatch.setattr(folders, "turn", refusing(number))
    with caplog.at_level(logging.WARNING):
        assert session.open_engine(prepared, make_current=False).index is built
    assert os.strerror(number) in caplog.text
    assert prepared.build() is built, "it is the current one already"
    assert session.open_engine(other, make_current=False).index.manifest.k1 == 0.7
    missing = session.prepare("skills", embedder="hashing", settings={"k1": 0.8})
    for act in (other.build, lambda: session.open_engine(missing, make_current=False)):
        with pytest.raises(IndexProblem, match=f"{REFUSED[number]}.*build again"):
            act()
    assert build.current("skills") is built


@pytest.mark.parametrize("number", REFUSED)
def test_a_shared_page_says_that_no_visit_can_begin(number, home, monkeypatch):
    monkeypatch.setenv(config.SHARED, "1")
    monkeypatch.setattr(visit, "tempfile", types.SimpleNamespace(mkstemp=refusing(number)))
    for page in (None, "corpus"):
        said = shown(open_app(page=page))
        assert "shared server could not be kept" in said
        assert REFUSED[number] in said
        assert str(home) not in said, "visitors are not told where the server keeps its files"
    visits.ask(lambda: None)


def test_a_shared_server_does_not_start_where_visits_cannot_be_written(run, tmp_path, monkeypatch):  # noqa: F811
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(os, "execv", lambda *_: pytest.fail("it started"))
    monkeypatch.setenv(config.SHARED, "0")  # so that what the command sets is undone
    for arguments in (["--shared"], ["--host", "0.0.0.0"]):
        code, _, err = run("run", "--no-browser", *arguments)
        assert code == 2
        assert f"each visit brings in {tmp_path / 'file' / 'visits'}" in err
        assert "set QUERY_PRISM_HOME" in err
