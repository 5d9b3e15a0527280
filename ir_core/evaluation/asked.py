"""Every request of a run to a model: written down before it leaves, and again with what it brought.

After a kill the run knows what was answered, which is neither asked nor paid again, though the text it belongs to was
not finished (a chain asks several times); and what was under way, whose reply is lost: that is asked again, counted.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields

from ir_core.budget import Spent
from ir_core.errors import Cancelled
from ir_core.evaluation.texts import as_all
from ir_core.jobs import Lines
from ir_core.protocols import RunContext, Writer
from ir_core.schema import NO_LLM, Call, Task, Written
from ir_core.writers.around import WriterAround
from ir_core.writers.recorded import RecordedWriter

KEY_CHARS = 24
"""Of the SHA-256 of all that decides a reply: 96 bits tell a run's requests apart."""


class Requests:
    """The requests of one job, by key: read once, then appended to. Safe for threads.

    ``cut_off`` is how many were under way whenever a process that worked on it was killed, in all; what they cost is
    not known. A request that failed is not kept: it is tried again.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._lock = threading.Lock()
        self._left: dict[str, list[Call]] = defaultdict(list)
        self._calls: list[Call] = []
        out: Counter[str] = Counter()
        for line in lines.read():
            if "sent" in line:
                out[line["sent"]] += 1
                continue
            key = line.get("of", "")
            out[key] = max(0, out[key] - 1)
            if "call" in line:
                (call,) = as_all(Call, [line["call"]])
                self._left[key].append(call)
                self._calls.append(call)
        self.cut_off = out.total()

    def sent(self, key: str) -> None:
        """:raises OSError: when the disk refuses; nothing has left then."""
        with self._lock:
            self._lines.append({"sent": key})

    def came(self, key: str, call: Call) -> None:
        self._lines.append({"of": key} if call.error else {"of": key, "call": asdict(call)})

    def left(self, key: str) -> Call | None:
        """What an earlier process was answered to it; each answer is given once."""
        with self._lock:
            return self._left[key].pop(0) if self._left.get(key) else None

    def spent_beyond(self, known: Iterable[Call], spent: Spent) -> Spent:
        """``spent`` and what the answers took whose text was not finished; ``known`` are the calls of those that
        were."""
        seen = {(call.started, call.raw) for call in known}
        for call in self._calls:
            free = call.cached or call.recorded or call.model == NO_LLM
            if not free and (call.started, call.raw) not in seen:
                spent = spent.plus(call)
        return spent

    def close(self) -> None:
        self._lines.close()


def remembering(writer: Writer, requests: Requests, stop: threading.Event) -> Writer:
    """The writer with its requests written down, to be capped afterwards; one that asks nobody stays as it is.

    :param stop: once it is set no further request leaves, also within a text; those under way come to their end.
    """
    free = not writer.is_llm or isinstance(writer, RecordedWriter)
    return writer if free else RememberingWriter(writer, requests, stop)


class RememberingWriter(WriterAround):
    """Everything ``inner`` is; what an earlier process was answered comes as it was, with no request."""

    def __init__(self, inner: Writer, requests: Requests, stop: threading.Event) -> None:
        super().__init__(inner)
        self._requests, self._stop = requests, stop

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``; raises what it raises.

        :raises Cancelled: in place of a request, once the run is to stop.
        """
        shared = {item.name: getattr(context, item.name) for item in fields(RunContext)}
        own = _Remembering(
            **{**shared, "_calls": [], "_lock": threading.Lock()},
            outer=context,
            requests=self._requests,
            stop=self._stop,
        )
        try:
            return self.inner.write(task, own)
        finally:
            for call in own.calls:
                if any(call is one for one in own.before):  # it was paid in its time
                    RunContext.record(context, call)
                else:
                    context.record(call)


@dataclass(kw_only=True)
class _Remembering(RunContext):
    """``before`` are the calls that came from an earlier process; ``key`` is of the one request it is for."""

    outer: RunContext
    requests: Requests
    stop: threading.Event
    key: str = ""
    before: list[Call] = field(default_factory=list)
    _came: list[Call] = field(default_factory=list)

    def before_call(self) -> None:
        if self.stop.is_set():
            raise Cancelled("The run was stopped.")
        self.outer.before_call()
        self.requests.sent(self.key)

    def of_request(self, key: str) -> RunContext:
        shared = {item.name: getattr(self, item.name) for item in fields(self)}
        return _Remembering(**{**shared, "key": key[:KEY_CHARS]})

    def known(self) -> Call | None:
        found = self.requests.left(self.key)
        if found is not None:
            self.before.append(found)
            super().record(found)
        return found

    def record(self, call: Call) -> None:
        super().record(call)
        given_up = bool(call.error) and self.cancel.is_set()
        if call.cached or given_up or any(call is one for one in (*self.before, *self._came)):
            return  # a writer in between may hand a call on once more
        self._came.append(call)
        self.requests.came(self.key, call)
