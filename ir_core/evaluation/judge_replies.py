"""What a judge and an answerer replied, by list: kept line by line, so that nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable
from dataclasses import asdict, astuple, dataclass, field

from ir_core.budget import Spent
from ir_core.evaluation.texts import TAKEN, as_all
from ir_core.jobs import Lines
from ir_core.schema import Call


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply about one list. ``text`` is None where a call brought none, and ``calls`` has what was tried."""

    list: str
    task: str
    repeat: int
    text: str | None
    calls: tuple[Call, ...] = ()


def list_key(index: str, query_id: str, surface_ids: Iterable[str]) -> str:
    """The same query with the same surfaces in the same order is one list, whichever transforms found it.

    :param index: its fingerprint: another build has other texts under the same ids.
    """
    return hashlib.sha256(json.dumps([index, query_id, list(surface_ids)]).encode()).hexdigest()[:24]


@dataclass
class Replies:
    """Read once, then appended to; without ``lines`` they are gone with the process. Safe for threads."""

    lines: Lines | None = None
    why: str | None = None
    """Why nobody could be asked; None where somebody was, or nobody has been yet."""
    _found: dict[tuple[str, str, int], Reply] = field(default_factory=dict)
    _spent: Spent = field(default_factory=Spent)
    _own: Spent = field(default_factory=Spent)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        for line in self.lines.read() if self.lines else ():
            if "why" in line:
                self.why = line["why"]
            else:
                reply = {name: value for name, value in line.items() if name != TAKEN}
                self._take(Reply(**{**reply, "calls": as_all(Call, line["calls"])}), own=TAKEN not in line)

    def __len__(self) -> int:
        return len(self._found)

    def get(self, key: str, task: str, repeat: int) -> Reply | None:
        with self._lock:
            return self._found.get((key, task, repeat))

    def put(self, reply: Reply) -> None:
        """One that brought nothing is kept for what it cost; it is asked for again when a run goes on."""
        if self.lines:
            self.lines.append(asdict(reply))
        self._take(reply)

    def cannot(self, why: str) -> None:
        """Nobody can be asked, for this reason."""
        if self.lines:
            self.lines.append({"why": why})
        self.why = why

    @property
    def spent(self) -> Spent:
        """By all of them, further tries included."""
        with self._lock:
            return self._spent

    @property
    def own(self) -> Spent:
        """By those that this job asked for: what was taken over was paid by another run."""
        with self._lock:
            return self._own

    def spent_with(self, before: Spent) -> Spent:
        """What this job asked for, on top of ``before``."""
        both = zip(astuple(before), astuple(self.own), strict=True)
        return Spent(*(one + other for one, other in both))

    def close(self) -> None:
        if self.lines:
            self.lines.close()

    def _take(self, reply: Reply, *, own: bool = True) -> None:
        with self._lock:
            self._found[reply.list, reply.task, reply.repeat] = reply
            for call in reply.calls:
                if not call.cached and not call.recorded:
                    self._spent = self._spent.plus(call)
                    self._own = self._own.plus(call) if own else self._own
