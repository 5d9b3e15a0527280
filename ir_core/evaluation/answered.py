"""What a model has answered within a text that was not finished: after a kill its calls are neither asked nor paid
again. A chain or a question in hops makes several of them, one after the other."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from ir_core.budget import Spent
from ir_core.evaluation.texts import as_all
from ir_core.jobs import Lines
from ir_core.protocols import RunContext, Writer
from ir_core.schema import NO_LLM, Call, Task, Written


class AnsweredWriter:
    """Writes as ``inner`` does and keeps each task's answer in ``lines``; what an earlier process left there is given
    once, with the calls as they were, and nobody is asked. A failure is not kept: it is tried again. Safe for
    threads."""

    def __init__(self, inner: Writer, lines: Lines) -> None:
        self.inner = inner
        self.name, self.label, self.is_llm, self.tasks = inner.name, inner.label, inner.is_llm, inner.tasks
        self._lines = lines
        self._lock = threading.Lock()
        self._left: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in lines.read():
            self._left[line["task"]].append(line)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a writer may say of itself."""
        if name == "inner":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``; raises what it raises."""
        key = key_of(task)
        with self._lock:
            kept = self._left[key].pop(0) if self._left.get(key) else None
        if kept is not None:
            for call in as_all(Call, kept["calls"]):
                context.record(call)
            return list(as_all(Written, kept["written"]))
        own = replace(context, writer=self.inner, _calls=[], _lock=threading.Lock())
        try:
            written = self.inner.write(task, own)
        finally:
            for call in own.calls:
                context.record(call)
        calls = [asdict(call) for call in own.calls]
        self._lines.append({"task": key, "written": [asdict(one) for one in written], "calls": calls})
        return written


def key_of(task: Task) -> str:
    """All that the answer depends on, but the model, of which a job has one."""
    asked = {**asdict(task), "hits": [(hit.surface_id, hit.text) for hit in task.hits]}
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()[:24]


def spent_beyond(lines: Lines, known: Iterable[Call], spent: Spent) -> Spent:
    """``spent`` and what the answers took whose text was not finished; ``known`` are the calls of those that were."""
    seen = {(call.started, call.raw) for call in known}
    for line in lines.read():
        for call in as_all(Call, line["calls"]):
            free = call.cached or call.recorded or call.model == NO_LLM
            if not free and (call.started, call.raw) not in seen:
                spent = spent.plus(call)
    return spent
