"""The replies kept on disk: what is kept comes back, is bounded, shared and never in the way."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import pytest

from ir_core.errors import Cancelled
from ir_core.writers.reply_store import Kept, ReplyStore, reply_key, store

FULL = Kept("a passage", 11, 7, 0.25, 1.5, 0.3, "2026-01-02T03:04:05+00:00")
UNKNOWN = Kept("a passage")


def test_what_was_kept_comes_back_after_a_restart_and_unknown_stays_unknown(home):
    with_all, bare = ReplyStore(), ReplyStore()
    with_all.put("a", FULL)
    bare.put("b", UNKNOWN)
    assert ReplyStore().get("a") == FULL
    kept = ReplyStore().get("b")
    assert (kept.tokens_in, kept.cost_usd, kept.seconds) == (None, None, None)
    assert kept.date.endswith("+00:00")
    assert len(with_all) == 2
    assert (home / "replies").is_dir()


def test_the_key_tells_all_that_decides_a_reply():
    base = {
        "model": "m", "base_url": None, "messages": [{"role": "user", "content": "q"}], "temperature": 0.5,
        "seed": 1, "sample": 0, "parser_version": "1",
    }  # fmt: skip
    other = {
        "model": "n", "base_url": "http://x", "messages": [{"role": "user", "content": "p"}], "temperature": 0.4,
        "seed": 2, "sample": 1, "parser_version": "2",
    }  # fmt: skip
    keys = [reply_key(**base), *(reply_key(**{**base, name: value}) for name, value in other.items())]
    assert all(one != two for one, two in combinations(keys, 2))
    assert reply_key(**base) == reply_key(**{**base, "messages": [{"content": "q", "role": "user"}]})
    assert reply_key(**{**base, "temperature": 0}) == reply_key(**{**base, "temperature": 0.0})


def test_it_stays_within_its_bound_and_drops_what_was_least_used(tmp_path):
    replies = ReplyStore(tmp_path, max_bytes=200_000)
    for i in range(100):
        replies.put(str(i), Kept("x" * 10_000))
        assert replies.get("0")
    assert replies.size_bytes() <= 200_000
    assert replies.get("99")
    assert replies.get("1") is None
    replies.clear()
    assert len(replies) == 0
    assert replies.get("0") is None
    assert replies.path.stat().st_size < 100_000


def test_nobody_is_hindered_by_a_store_that_cannot_be_used(tmp_path, caplog):
    (tmp_path / "file").write_text("not a folder")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        caplog.clear()
        replies = ReplyStore(folder)
        replies.put("a", FULL)
        replies.put("b", FULL)
        assert (replies.get("a"), len(replies), replies.size_bytes()) == (None, 0, 0)
        replies.clear()
        assert len(caplog.records) == 1
        assert "QUERY_PRISM_HOME" in caplog.text


def test_a_damaged_file_is_begun_anew(tmp_path, caplog):
    (tmp_path / "replies.sqlite").write_bytes(b"no database at all" * 500)
    replies = ReplyStore(tmp_path)
    assert replies.get("a") is None
    replies.put("a", FULL)
    assert replies.get("a") == FULL
    assert "damaged" in caplog.text


def test_several_processes_and_threads_share_it(tmp_path):
    code = (
        "import sys, pathlib; from ir_core.writers.reply_store import *\n"
        "kept = ReplyStore(pathlib.Path(sys.argv[1]))\n"
        "for i in range(50): kept.put(f'{sys.argv[2]} {i}', Kept('x' * 500))"
    )
    others = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name]) for name in "ab"]
    replies = ReplyStore(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: replies.put(f"c {i}", FULL), range(50)))
    assert [other.wait(60) for other in others] == [0, 0]
    assert len(replies) == 150


def test_one_flight_per_key_and_the_others_find_what_it_brought(tmp_path):
    replies = ReplyStore(tmp_path)
    fetched: list[str] = []

    def visit(key: str) -> Kept | None:
        with replies.flight(key):
            if not replies.get(key):
                fetched.append(key)
                time.sleep(0.1)
                replies.put(key, FULL)
            return replies.get(key)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(visit, "abababab")) == {FULL}
    assert sorted(fetched) == ["a", "b"]
    assert replies._flights._turns == {}


def test_waiting_for_a_flight_ends_when_cancelled_or_out_of_patience(tmp_path):
    replies, cancel = ReplyStore(tmp_path), threading.Event()
    with replies.flight("a") as waited:
        assert waited < 5
        with replies.flight("a", patience=0.1) as waited:
            assert waited >= 0.1
        with replies.flight("b"):
            pass
        cancel.set()
        with pytest.raises(Cancelled), replies.flight("a", cancel):
            pytest.fail("the first flight had not ended")
    with replies.flight("a", cancel) as waited:
        assert waited < 5


def test_the_stores_folder_follows_the_home(home, monkeypatch, tmp_path):
    first = store()
    assert store() is first
    assert first.path.is_relative_to(home)
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path))
    assert store().path.is_relative_to(tmp_path)
