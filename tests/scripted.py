"""A writer that answers from a script and keeps what it was asked; the readable kind of fake."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ir_core.protocols import RunContext
from ir_core.schema import Call, Task, Written

Answer = Sequence[str | Written] | Exception | Callable[[Task], Sequence[str | Written]]
GOOD: Mapping[str, Answer] = {
    "rewrite": ["reset a forgotten password"],
    "multi_query": ["recover account access", "change lost password", "password reset link"],
    "hyde": ["To reset a password, open Settings, choose Security and press Reset; a link arrives by mail."],
    "decompose": ["where is the password setting", "who may reset a password"],
    "step_back": ["account security"],
    "query2doc": ["A password is reset in Settings under Security. The link that arrives by mail works for an hour."],
    "keywords": ["reset link", "credentials", "account recovery"],
    "key_sentences": ["An account is locked after five wrong passwords."],
    "grounded_passage": ["Press Reset under Security; where the account is locked, its owner unlocks it."],
    "condense": ["how do I reset a password that I forgot"],
    "translate": ["I forgot my password"],
    "diverse_queries": [
        "password reset",
        "no entry without the secret word",
        "account lockout",
        "reset of credentials",
        "lost my login",
    ],
    "plan_hops": ["who owns the workspace", "what may #1 do when a password is forgotten"],
    "extract_answer": ["Ada Marsh"],
    "bridge": ["Ada Marsh is the owner of the workspace. forgot password"],
}
TASKS = frozenset(GOOD)


@dataclass
class ScriptedWriter:
    """``answers`` by task; an exception is raised, a function is asked. ``delay`` seconds before each answer."""

    answers: Mapping[str, Answer] = field(default_factory=lambda: GOOD)
    delay: float = 0.0
    name: str = "scripted"
    label: str = "scripted"
    is_llm: bool = True
    reads_history: bool = True
    tasks: frozenset[str] = TASKS
    asked: list[Task] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        started = time.perf_counter()
        with self._lock:
            self.asked.append(task)
        if self.delay:
            time.sleep(self.delay)
        answer = self.answers[task.name]
        if isinstance(answer, Exception):
            context.record(Call(task.name, self.name, error=str(answer), started=started))
            raise answer
        texts = answer(task) if callable(answer) else answer
        written = [text if isinstance(text, Written) else Written(text) for text in texts]
        seconds = time.perf_counter() - started
        given = tuple(one.text for one in written)
        context.record(Call(task.name, self.name, texts=given, tokens_in=9, started=started, seconds=seconds))
        return written
