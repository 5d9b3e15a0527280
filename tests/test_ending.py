"""The end of a process whose threads stopped with locks in their hands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STUCK = """
import atexit, logging, sys, threading
from logging.handlers import MemoryHandler
from ir_core import ending

{begin}
logging.getLogger().addHandler(MemoryHandler(9, flushLevel=99, target=logging.StreamHandler(sys.stderr)))
lock = threading.Lock()

def work():
    with lock:
        holds.set()
        while True:
            sum(range(1000))

class Late:
    def __del__(self, lock=lock):
        lock.acquire()

sys.late, holds = Late(), threading.Event()
threading.Thread(target=work, daemon=True).start()
holds.wait()
atexit.register(print, "what was registered is done")
logging.warning("what was logged is written")
{last}
"""


def end(begin: str = "ending.begin()", last: str = "", seconds: float = 60) -> subprocess.CompletedProcess[str]:
    code = STUCK.format(begin=begin, last=last)
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=seconds)


def test_it_ends_after_all_that_was_registered_and_loses_no_word():
    ended = end()
    assert (ended.returncode, ended.stdout) == (0, "what was registered is done\n")
    assert ended.stderr == "what was logged is written\n"


def test_an_error_that_nobody_caught_is_told_by_its_status():
    ended = end(last="raise ValueError('odd')")
    assert ended.returncode == 1
    assert "ValueError: odd" in ended.stderr


def test_a_command_ends_so_with_its_own_status():
    ended = end(begin="from ir_core.cli import main; sys.argv[1:] = ['nonsense']; main()")
    assert (ended.returncode, ended.stdout) == (2, "what was registered is done\n")
    assert "'nonsense'" in ended.stderr


def test_without_it_such_a_process_does_not_end():
    with pytest.raises(subprocess.TimeoutExpired):
        end(begin="", seconds=4)
