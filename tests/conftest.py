"""Every test works in a home folder of its own; the real embedder is opened once."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from pages._ui import collecting
from tests.llm_server import LlmServer

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
for _key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
    os.environ.pop(_key, None)


# a deadline per example is a coin toss on a busy machine; the suite has a timeout of its own
settings.register_profile("prism", deadline=None)
settings.load_profile("prism")

collecting.begin()  # as a server does: every run of a page ends with a full collection
atexit.register(gc.freeze)  # the last one would take seconds


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("QUERY_PRISM_HOME", str(folder))
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which help_center is indexed, by the hashing embedder; shared by a module's tests, none of which
    changes it."""
    from tests.app import build

    folder = tmp_path_factory.mktemp("built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(folder))
        build("help_center")
    return folder


@pytest.fixture
def ready(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test works in that home."""
    monkeypatch.setenv("QUERY_PRISM_HOME", str(built))


@pytest.fixture(scope="session")
def minilm():
    """The packaged all-MiniLM-L6-v2, for real."""
    from ir_core.embedders import open_embedder

    return open_embedder("all-MiniLM-L6-v2")


@pytest.fixture
def llm_server() -> Iterator[LlmServer]:
    """A chat server on loopback that behaves as each test asks; see tests/llm_server.py."""
    with LlmServer() as server:
        yield server
