"""Many visitors at one slow server, and a server that dies in the middle: nothing is lost or mixed up."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ir_core.build import build
from ir_core.compare import DEFAULT_TRANSFORMS, compare, compare_all
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Artifact
from ir_core.strategies import STRATEGY_REGISTRY
from ir_core.writers.llm import LlmWriter, Slots
from ir_core.writers.reply_store import ReplyStore
from tests.llm_server import LlmServer
from tests.test_evaluation_killed import until
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
ROOT = Path(__file__).parent.parent
SIX = [(name, {"passages": 2} if name == "hyde" else {}) for name in DEFAULT_TRANSFORMS]
CALLS = 6
"""Of one comparison: five transforms, and one more passage."""
VISITORS, SLOTS, DELAY_S = 10, 4, 0.03
MARKER = re.compile(r"visitor-\d+-\d+")


class SlowServer:
    """Replies after a while, each text with the marker of its prompt; counts how many it works on at once."""

    def __init__(self) -> None:
        self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()

    def __call__(self, body: dict) -> str:
        with self._lock:
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        time.sleep(DELAY_S)
        with self._lock:
            self._at_once -= 1
        asked = json.dumps(body["messages"])
        marks = set(MARKER.findall(asked))
        assert len(marks) == 1
        mark = f"{marks.pop()} password {body.get('seed')}"
        return json.dumps([f"{mark} one", f"{mark} two", f"{mark} three"]) if "JSON" in asked else f"{mark} alone"


def writer_at(server: LlmServer, tmp_path: Path, slots: Slots | None = None) -> LlmWriter:
    return LlmWriter(
        "openai/test-model", api_base=server.base_url, api_key="k", backoff_s=0.01, slots=slots or Slots(SLOTS),
        replies=ReplyStore(tmp_path / "replies"),
    )  # fmt: skip


def resident_mb() -> float:
    gc.collect()
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_ten_visitors_at_a_slow_server_lose_nothing_and_mix_nothing(engine, llm_server, tmp_path):  # noqa: F811
    slow, slots, gate = SlowServer(), Slots(SLOTS), threading.Barrier(VISITORS)
    llm_server.reply = slow

    def visit(number: int, turn: int) -> None:
        marker = f"visitor-{number}-{turn}"
        gate.wait()
        results = compare_all(
            engine, f"{marker} reset my password", transforms=SIX, writer=writer_at(llm_server, tmp_path, slots),
            settings=SearchSettings(),
        )  # fmt: skip
        assert [result.formulation.transform for result in results] == list(DEFAULT_TRANSFORMS)
        for result in results:
            made = result.formulation
            assert made.fallback_reason is None
            assert {mark for query in made.queries for mark in MARKER.findall(query.text)} == {marker}
            assert all(MARKER.findall(call.raw) and set(MARKER.findall(call.raw)) == {marker} for call in made.calls)
            assert len(result.fused.hits) == SearchSettings().k
        assert sum(len(result.formulation.calls) for result in results) == CALLS

    def round_of(turn: int) -> float:
        started = time.perf_counter()
        with ThreadPoolExecutor(VISITORS) as pool:
            list(pool.map(lambda number: visit(number, turn), range(VISITORS)))
        llm_server.requests.clear()
        return time.perf_counter() - started

    round_of(0)
    before = resident_mb()
    took = [round_of(turn) for turn in (1, 2)]
    assert resident_mb() - before < 40, "two more rounds keep nothing but their replies, on disk"
    assert 2 <= slow.most_at_once <= SLOTS
    assert max(took) < 45, "half a second of waiting in turn; the rest is room for a busy machine"


SERVER = """
import os

from tests.llm_server import LlmServer, fitting_reply


def reply(body):
    os.write(1, b"asked\\n")  # one write: lines of several threads stay apart
    return fitting_reply(body)
server = LlmServer(reply)
server.queue("well", "hang", "hang", "hang", "hang", "hang", "hang", "hang")
print(server.base_url, flush=True)
__import__("time").sleep(120)
"""


@pytest.fixture
def mortal() -> Iterator[subprocess.Popen]:
    """A server in a process of its own that answers once and then keeps everybody waiting."""
    process = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    yield process
    process.kill()
    process.wait()


def test_a_server_killed_in_the_middle_of_an_averaged_hyde_costs_one_column(
    engine, llm_server, mortal, tmp_path  # noqa: F811
):  # fmt: skip
    base_url = mortal.stdout.readline().strip()
    assert base_url.startswith("http://127.0.0.1:")
    asked: list[str] = []
    replies = ReplyStore(tmp_path / "replies")
    writer = LlmWriter(
        "openai/test-model", api_base=base_url, api_key="k", backoff_s=0.01, slots=Slots(SLOTS), replies=replies
    )  # fmt: skip
    averaged = [("hyde", {"passages": 4})]

    def kill_when_all_wait() -> None:
        asked.extend(mortal.stdout.readline().strip() for _ in range(4))
        until(lambda: len(replies) == 1)  # the one that is answered, to its end
        mortal.kill()

    killer = threading.Thread(target=kill_when_all_wait)
    killer.start()
    events = list(compare(engine, "reset my password", transforms=averaged, writer=writer, settings=SearchSettings()))
    killer.join()
    assert asked == ["asked"] * 4
    assert [event.kind for event in events].count("failed") == 0
    assert events[-1].kind == "finished"
    ranked = {event.transform: event.result for event in events if event.kind == "ranked"}
    made = ranked["hyde"].formulation
    assert made.fallback_reason.startswith("openai/test-model: ")
    assert "could not be reached" in made.fallback_reason or "broke off" in made.fallback_reason
    assert [query.text for query in made.queries] == ["reset my password"]
    assert len(made.calls) >= 4, "every try is on record, also the passage that came and is not used alone"
    places = [[hit.artifact_id for hit in ranked[name].fused.hits] for name in ("identity", "hyde")]
    assert places[0] == places[1]

    again = compare_all(
        engine, "share with guests", transforms=averaged, writer=writer_at(llm_server, tmp_path),
        settings=SearchSettings(),
    )[1].formulation  # fmt: skip
    assert again.fallback_reason is None
    assert len(again.calls) == 4


def test_paths_dependencies_and_filter_fields_never_enter_a_prompt(llm_server, tmp_path):
    embedder = open_embedder("hashing")
    packages = [
        Artifact(
            f"marker-name-{i}",
            {"name": f"marker-name-{i}", "description": "resets passwords", "readme": "How to reset.",
             "deps": ["marker-dependency"], "owner": "ours"},
            {"team": "marker-filter-field", "file": "/home/marker-path/secrets.md"},
            "/srv/marker-source/packages.jsonl",
        )
        for i in range(3)
    ]  # fmt: skip
    strategy = STRATEGY_REGISTRY["Package"](embed_deps=True)
    index = build("marker-corpus", packages, strategy, embedder, home=tmp_path / "marker-home")
    settings = SearchSettings(filter={"team": "marker-filter-field", "deps": {"$contains": "marker-dependency"}})
    history = ({"role": "user", "content": "what resets passwords"}, {"role": "assistant", "content": "A package."})
    results = compare_all(
        Engine(index, embedder), "which one is ours", transforms=SIX, writer=writer_at(llm_server, tmp_path),
        settings=settings, history=history,
    )  # fmt: skip
    index.close()
    assert all(len(result.fused.hits) == 3 for result in results), "the filter matches: its values were in use"
    assert len(llm_server.requests) == CALLS
    for request in llm_server.requests:
        sent = json.dumps([request.path, dict(request.headers), request.body])
        assert "which one is ours" in sent
        assert "what resets passwords" in sent
        assert "marker" not in sent
