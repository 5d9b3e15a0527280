"""A disk that is full, one that cannot be written, and a clock that was set back: each has its sentence, and what was
kept is still there."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from ir_core import library, session
from ir_core.errors import BadInput
from ir_core.index import VectorStore
from ir_core.jobs import JobStore
from ir_core.library import save_scene
from tests import fire_home

ROOT = Path(__file__).parent.parent


def namespaces() -> bool:
    """Whether this system lets a process mount a disk of its own."""
    try:
        return subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not namespaces(), reason="needs unshare (util-linux) and a system that permits it")
def test_a_full_disk_and_one_that_is_read_only_are_told_and_lose_nothing(home, tmp_path):
    fire_home.fill()
    own = {**os.environ, "QUERY_PRISM_HOME": str(tmp_path)}
    command = ["unshare", "-rm", sys.executable, "-m", "tests.fire_disk", str(home)]
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for where, reason, way_out in (
        ("full", "No space left on device", "Make room on the disk, or set QUERY_PRISM_HOME"),
        ("read-only", "Read-only file system", "Make the folder writable, or set QUERY_PRISM_HOME"),
    ):
        told = found["told"][where]
        build = told.pop("build")
        assert "vectors.sqlite cannot be used" in build
        assert ("room" if where == "full" else way_out) in build, "SQLite may call a full disk an I/O error"
        assert "hits" in told.pop("search"), "a complete index is searched without a byte being written"
        assert f"recorded: {reason}" in told["record"] or reason in told["record"]
        del told["record"]
        for what, said in told.items():
            assert said.startswith("DiskRefuses: "), (where, what, said)
            assert reason in said
            assert way_out in said
    assert not set(found["changed"]["full"]) - {"recording"}, "but for lines that still found room"
    assert not set(found["changed"]["read-only"]) - {"recording", "vectors", "replies"}, "nobody searches those two"
    assert set(found["told"]["mended"].values()) == {""}


def test_a_home_that_cannot_be_made_is_told(home, monkeypatch):
    (home / "file").write_text("no folder")
    monkeypatch.setenv("QUERY_PRISM_HOME", str(home / "file" / "below"))
    for act in (
        lambda: save_scene(fire_home.SCENE),
        lambda: library.add_upload("More", [("a.txt", b"text")]),
        lambda: JobStore().create("test", {}, title="a run"),
    ):
        with pytest.raises(BadInput, match=r"Not a directory.*set QUERY_PRISM_HOME"):
            act()


def test_a_clock_that_was_set_back_loses_nothing(home):
    """All that is there is of the day after tomorrow."""
    fire_home.fill()
    before = {name: repr(store.read()) for name, store in fire_home.STORES.items()}
    fire_home.close()
    later = time.time() + 2 * 24 * 3600
    for path in home.rglob("*"):
        os.utime(path, (later, later))
    with sqlite3.connect(home / "vectors.sqlite") as connection:
        connection.execute("UPDATE vectors SET used = used + ?", (2 * 24 * 3600 * 10**9,))
    assert {name: repr(store.read()) for name, store in fire_home.STORES.items()} == before
    [old] = JobStore().jobs()
    new = JobStore(max_jobs=1).create("test", {}, title="of today")
    assert JobStore().get(new.id).title == "of today"
    assert old.id not in {job.id for job in JobStore().jobs()}, "the bound holds: the one that ended made room"
    assert session.prepare(fire_home.SAMPLE, embedder="hashing").plan().n_to_embed == 0
    save_scene(fire_home.SCENE)
    assert len(library.own_scenes()) == 2


def test_vectors_of_the_future_make_room_too(tmp_path):
    with VectorStore(tmp_path / "vectors.sqlite", limit_bytes=60_000) as store:
        rows = np.eye(256, dtype=np.float32)[:80]
        store.write("e", [f"{number:064x}" for number in range(80)], rows, [1] * 80)
    with sqlite3.connect(tmp_path / "vectors.sqlite") as connection:
        connection.execute("UPDATE vectors SET used = used + ?", (2 * 24 * 3600 * 10**9,))
    with VectorStore(tmp_path / "vectors.sqlite", limit_bytes=60_000) as store:
        assert store.trim() == 80
