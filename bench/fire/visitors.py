"""Many visitors of one shared server for some minutes, each with questions, and some with documents, of its own.

What is checked: every answer is the library's own ranking of that visitor's question; no visitor is ever sent a word
of another's upload; each one's last comparison is still there at the end, in its tab and by its link in a new one.
What is measured: comparisons that were asked before, and the server's memory.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.fire.served import Served
from bench.fire.wire import Answer, Ranked, Visitor

Figures = dict[str, Any]
SAMPLE = "help_center"
QUESTIONS = 3
"""Of each visitor."""
LIMIT_S, STEADY = 1.0, 1.10
"""The 95th percentile of a cached comparison; and how much more memory than after the first tenth is still steady."""


@dataclass
class Person:
    """One visitor, what it asks, and what the answers must be. ``secret`` is in its upload and nowhere else."""

    visitor: Visitor
    corpus: str
    questions: Sequence[str]
    secret: str | None = None
    expected: dict[str, Ranked] = field(default_factory=dict)
    answers: list[tuple[float, Answer]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    last: tuple[str, Answer] | None = None

    def first(self) -> None:
        """Asks everything once: from then on its texts and vectors are there."""
        self.visitor.open()
        for question in self.questions:
            self.check(question, self.visitor.ask(self.corpus, question))

    def stay(self, until: float, think_s: float, rng: random.Random) -> None:
        time.sleep(rng.uniform(0, think_s))
        while time.monotonic() < until:
            question = rng.choice([one for one in self.questions if not self.last or one != self.last[0]])
            answer = self.visitor.ask(self.corpus, question)
            self.answers.append((time.monotonic(), answer))
            self.check(question, answer)
            time.sleep(rng.uniform(0.5, 1.5) * think_s)

    def check(self, question: str, answer: Answer) -> None:
        self.last = question, answer
        if answer.server_s is None:
            self.wrong.append(f"{question!r} did not come to its end")
        elif answer.hits != self.expected[question]:
            self.wrong.append(f"{question!r} has another ranking than the library's")

    def leave(self) -> None:
        """Its last comparison is drawn again, and opened by its link in a new tab."""
        assert self.last is not None
        question, before = self.last
        for what, answer in (("tab", self.visitor.again(before.link)), ("link", self.visitor.open(before.link))):
            if answer.hits != before.hits:
                self.wrong.append(f"{question!r} is lost in its {what}")
        self.visitor.close()


def run(home: Path, visitors: int, minutes: float, think_s: float, uploads: int, embedder: str, seed: int) -> Figures:
    """:param think_s: what a visitor reads an answer for, on average."""
    from ir_core import session

    session.prepare(SAMPLE, embedder=embedder).build()
    server = Served(home)
    try:
        people = _people(home, server.port, visitors, uploads, embedder)
        print(f"{visitors} visitors ask everything once", flush=True)
        _all(people, lambda one, _: one.first())
        print(f"{minutes:g} minutes begin", flush=True)
        used, memory = server.cpu_s(), [server.resident_mb()]
        until = time.monotonic() + 60 * minutes
        watch = threading.Thread(target=_watch, args=(server, until, memory), daemon=True)
        watch.start()
        _all(people, lambda one, number: one.stay(until, think_s, random.Random(f"{seed}:{number}")))
        watch.join()
        used = server.cpu_s() - used
        _all(people, lambda one, _: one.leave())
        return _told(people, memory, used, minutes, server.log.read_text("utf-8", "replace"))
    finally:
        server.stop()


def _all(people: Sequence[Person], act: Any) -> None:
    """All at once; whatever one of them meets is told with the rest."""

    def one(person: Person, number: int) -> None:
        try:
            act(person, number)
        except Exception as error:
            person.wrong.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=one, args=(person, number)) for number, person in enumerate(people)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _watch(server: Served, until: float, memory: list[float]) -> None:
    """Resident memory twenty times."""
    step = (until - time.monotonic()) / 20
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(step, left))
        memory.append(server.resident_mb())


def _people(home: Path, port: int, visitors: int, uploads: int, embedder: str) -> list[Person]:
    """The first ``uploads`` of them have documents of their own, put where the server looks for that visit's."""
    from ir_core import library, session, visits

    sample = library.corpus(SAMPLE)
    judged = [query.text for query in sample.queries() if not query.history]
    people = []
    for number in range(visitors):
        mine = [judged[(number * QUESTIONS + place) % len(judged)] for place in range(QUESTIONS)]
        one = Person(Visitor(port), SAMPLE, mine)
        if number < uploads:
            one.secret = f"quagga{number:02d}x"
            with visits.entered(_owner(home, one.visitor.token)):
                files = [(f"{place}.txt", f"{text} {one.secret}".encode()) for place, text in enumerate(judged)]
                one.corpus = library.add_upload(f"Papers {one.secret}", files).name
                session.prepare(one.corpus, embedder=embedder).build()
                one.expected = _expected(one)
        else:
            one.expected = _expected(one)
        people.append(one)
    return people


def _owner(home: Path, token: bytes) -> str:
    """As ``pages._ui.visit`` names the visit of a browser."""
    from pages._ui.visit import _secret

    return hmac.new(_secret(str(home)), token.hex().encode(), hashlib.sha256).hexdigest()[:24]


def _expected(one: Person) -> dict[str, Ranked]:
    """By the library, in this process: what the page must show."""
    from ir_core import build, library
    from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
    from ir_core.config import DEFAULT_K
    from ir_core.embedders import open_embedder
    from ir_core.retrieval import Engine, SearchSettings, default_mode
    from ir_core.writers import open_writer, with_authored

    index = build.current(one.corpus)
    assert index is not None
    engine = Engine(index, open_embedder(index.manifest.embedder))
    writer, authored = open_writer("corpus", index=index), library.corpus(one.corpus).authored()
    found: dict[str, Ranked] = {}
    for question in one.questions:
        mode, _ = default_mode(index.manifest, engine.embedder, question)
        results = compare_all(
            engine, question, transforms=[(name, {}) for name in DEFAULT_TRANSFORMS],
            writer=with_authored(writer, authored, question, ()), settings=SearchSettings(mode=mode, k=DEFAULT_K),
        )  # fmt: skip
        found[question] = [(hit.rank, hit.title) for result in results for hit in result.fused.hits]
    return found


def _told(people: Sequence[Person], memory: list[float], used: float, minutes: float, log: str) -> Figures:
    answers = [answer for one in people for _, answer in one.answers]
    server = [answer.server_s for answer in answers if answer.server_s is not None]
    client = [answer.client_s for answer in answers]
    wrong = [f"visitor {number}: {what}" for number, one in enumerate(people) for what in one.wrong]
    for number, one in enumerate(people):
        others = {other.secret for other in people if other.secret and other is not one}
        wrong += [f"visitor {number} was sent {word}" for word in others if word.encode() in one.visitor.seen]
    p95 = float(np.percentile(server, 95)) if server else float("inf")
    settled = memory[len(memory) // 10 + 1]
    steady = max(memory[-3:]) <= settled * STEADY
    verdict = not wrong and p95 < LIMIT_S and steady
    tenths = [memory[round(share * (len(memory) - 1))] for share in (0.1, 0.5, 1.0)]
    return {
        "verdict": "HOLDS" if verdict else "DOES NOT HOLD",
        "visitors, with documents of their own": (len(people), sum(one.secret is not None for one in people)),
        "comparisons asked again, in minutes": (len(answers), minutes),
        "server, last card (s): median, p95, worst": _spread(server),
        "client, page at rest (s): median, p95, worst": _spread(client),
        "server's processor time a comparison (s)": round(used / max(1, len(answers)), 3),
        "server's memory at a tenth, half, the end (MB)": [round(one) for one in tenths],
        "wrong": wrong[:10] or "nothing: rankings, uploads, last comparisons and links",
        "errors in the server's log": log.count("Traceback"),
    }


def _spread(seconds: Sequence[float]) -> list[float]:
    return [round(float(np.percentile(seconds, share)), 3) for share in (50, 95, 100)] if seconds else []
