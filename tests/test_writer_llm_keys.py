"""A key goes to the provider and nowhere else, and is gone once it is forgotten."""

from __future__ import annotations

import contextlib
import gc
import logging
import pickle
import time
import traceback
import types

import pytest

from ir_core.errors import WriterError
from ir_core.schema import Task
from ir_core.writers.llm import LlmWriter, forget_keys
from pages._ui import collecting
from tests.test_writer_llm import KEY, QUERY, context_for, failure, write, writer_at

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")


def test_the_key_shows_nowhere(llm_server, caplog, home):
    caplog.set_level(logging.DEBUG)
    writer = writer_at(llm_server)
    seen = [repr(writer), repr(vars(writer)), repr(vars(writer)["endpoint"])]
    chained: list[BaseException | None] = []
    for behaviour in ("well", "echo key", "401", "500", "hang", "garbage", "drop", "html"):
        writer = writer_at(llm_server, **({"deadline_s": 0.4} if behaviour == "hang" else {}))
        llm_server.reset()
        llm_server.reply = f"the key is {KEY}"
        llm_server.queue(*[behaviour] * 3)
        context = context_for(writer, use_cache=False)
        try:
            seen.append(repr(writer.write(Task("rewrite", QUERY), context)))
        except WriterError as error:
            seen += [str(error), repr(error), "".join(traceback.format_exception(error))]
            chained.append(error.__context__)
        seen.append(repr(context.calls))
        assert llm_server.requests[0].headers["authorization"].endswith(KEY)
    kept = [file.read_bytes().decode("latin-1") for file in home.rglob("*") if file.is_file()]
    assert "the key is" in "".join(kept)
    seen += [*kept, caplog.text]
    assert chained == [None] * 7
    assert [text for text in seen if KEY in text] == []
    with pytest.raises(TypeError, match="memory only"):
        pickle.dumps(writer.endpoint.api_key)


def test_a_key_from_the_environment_is_used_and_hidden(llm_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "environment-key-0123456789")
    llm_server.queue("echo key")
    error, _, _ = failure(writer_at(llm_server, api_key=None))
    assert llm_server.requests[0].headers["authorization"] == "Bearer environment-key-0123456789"
    assert "environment-key" not in str(error)


def test_a_server_of_ones_own_needs_no_key(llm_server):
    assert write(writer_at(llm_server, api_key=None))[0]


@pytest.mark.filterwarnings("ignore::FutureWarning")  # looking at every object wakes torch's old names
def test_a_forgotten_key_is_nowhere_in_memory(llm_server, caplog):
    marker = "sk-forgotten-" + "7d1e44"
    for behaviour in ("well", "401", "echo key", "429 then 200", "drop", "hang"):
        llm_server.queue(behaviour)
        with contextlib.suppress(WriterError):
            write(
                LlmWriter(
                    "openai/test-model", api_base=llm_server.base_url, api_key=marker, deadline_s=0.5, backoff_s=0.02
                )
            )
    llm_server.requests.clear()
    assert holders(marker)
    forget_keys()
    until = time.perf_counter() + 60
    while time.perf_counter() < until and (left := holders(marker)):
        time.sleep(0.1)
    assert left == set()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def holders(marker: str) -> set[str]:
    """Types of the objects of this process that hold a text with ``marker`` in it, but for frames."""
    hooks = gc.callbacks[:]
    gc.callbacks.clear()  # one of them sets aside what it saw, and that is not listed
    collecting.everything()
    gc.callbacks[:] = hooks
    found = set()
    for item in gc.get_objects():
        for part in () if isinstance(item, types.FrameType) else gc.get_referents(item):
            if (isinstance(part, str) and marker in part) or (isinstance(part, bytes) and marker.encode() in part):
                found.add(str(type(item)))
    return found
