"""Two kills each of what ``python -m bench.fire kills`` kills twenty times: an index being built, a recording. An
evaluation is killed in test_evaluation_killed.py, at chosen moments."""

from __future__ import annotations

import random
import sys
import types

import pytest

from bench.fire.kills import indexing, recording

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _a_main_of_nobody(monkeypatch):
    """A page that was run without a server leaves itself as the main module, which children would run again."""
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))


def test_an_index_killed_at_random_moments_loses_nothing(tmp_path):
    assert indexing(tmp_path, 2, random.Random("index"), documents=400)["kills"] == 2


def test_a_recording_killed_at_random_moments_loses_nothing(tmp_path):
    assert recording(tmp_path, 2, random.Random("record"), queries=6)["kills"] == 2
