"""A writer under caps: before every request it asks its purses for room, and afterwards pays what it took."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from ir_core.budget._estimate import foresee
from ir_core.budget._purse import Purse
from ir_core.errors import CapReached
from ir_core.protocols import RunContext, Writer
from ir_core.schema import Call, Foreseen, Task, Written
from ir_core.writers.around import WriterAround
from ir_core.writers.recorded import RecordedWriter

NO_PRICE = "The price of these calls is unknown, so the cap in dollars did not hold; a cap of calls would."


def capped(writer: Writer, *purses: Purse) -> Writer:
    """The writer under these purses; one that is no LLM, or a replay, spends nothing and stays as it is."""
    free = not writer.is_llm or isinstance(writer, RecordedWriter)
    return writer if free or not purses else CappedWriter(writer, purses)


class CappedWriter(WriterAround):
    """Everything ``inner`` is, but that it stops at a cap. What comes from a cache is free and never stopped.

    A task has room for all its calls or for none: no two passages of an averaged HyDE are paid for when the third is
    refused.

    :param purses: each is charged; the first whose cap is reached speaks.
    """

    def __init__(self, inner: Writer, purses: Sequence[Purse]) -> None:
        super().__init__(inner)
        self.purses = tuple(purses)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``.

        :raises CapReached: when the calls of this task, or one more try, would go beyond a cap.
        """
        claim = _Claim(self.name, self.purses, foresee(self.inner, task, context.corpus_language))
        own = {item.name: getattr(context, item.name) for item in fields(RunContext)}
        try:
            if not hasattr(self.inner, "foresee"):
                claim.reserve()  # a writer that knows nothing of caps will not ask
            written = self.inner.write(task, _Counting(**own, claim=claim))
        finally:
            claim.give_back()
        if claim.unpriced and any(purse.cap.max_usd is not None for purse in self.purses):
            return [replace(one, note=f"{one.note} {NO_PRICE}".strip()) for one in written]
        return written


class _Claim:
    """What one task holds in every purse: ``foreseen`` before the first call, one more call before each beyond that.
    A call that was made takes its reservation's place."""

    def __init__(self, model: str, purses: tuple[Purse, ...], foreseen: Foreseen) -> None:
        self.unpriced = False
        self._model = model
        self._next = foreseen
        self._held: dict[Purse, list[Foreseen]] = {purse: [] for purse in purses}
        self._room = 0
        self._refused = ""
        self._paid: list[Call] = []
        self._lock = threading.RLock()

    def take(self) -> None:
        with self._lock:
            if self._room == 0:
                self.reserve()
            self._room -= 1

    def reserve(self) -> None:
        """Once refused, always refused: the other passages of an averaged HyDE do not try one by one."""
        with self._lock:
            if self._refused:
                raise CapReached(self._refused)
            try:
                for purse, held in self._held.items():
                    held.extend(purse.reserve(self._next, self._model))
            except CapReached as error:
                self._refused = str(error)
                raise
            self._room, self._next = self._next.calls, Foreseen(1)

    def pay(self, call: Call) -> None:
        with self._lock:
            if call.cached or any(call is one for one in self._paid):
                return  # a writer in between may hand a call on once more
            self._paid.append(call)
            self.unpriced = self.unpriced or (call.cost_usd is None and not call.error)
            for purse, held in self._held.items():
                purse.pay(call, held.pop() if held else None)

    def give_back(self) -> None:
        with self._lock:
            for purse, held in self._held.items():
                purse.release(held)
                held.clear()


@dataclass
class _Counting(RunContext):
    claim: _Claim | None = None

    def before_call(self) -> None:
        super().before_call()
        assert self.claim is not None
        self.claim.take()

    def record(self, call: Call) -> None:
        super().record(call)
        assert self.claim is not None
        self.claim.pay(call)
