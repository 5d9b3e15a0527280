"""How far a run of one or several parts is: one count over all, and why a part is not whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ir_core.budget import Spent
from ir_core.jobs import Handle, Job, Pace


@dataclass(frozen=True, slots=True)
class PartState:
    """``done`` of ``total`` queries are through; ``why`` says why the rest is not, "" where it only takes time."""

    name: str
    done: int
    total: int
    why: str = ""


class Telling:
    """:param names: of the parts, as a person tells them apart.
    :param done: queries of each part that are through before anything begins.
    :param each: queries that a part has.
    :param judge: what a judge has taken, where the run has one: it is the second half of the way.
    :param cut_off: requests that were under way when earlier processes were killed.
    """

    def __init__(
        self,
        handle: Handle,
        names: Sequence[str],
        done: Sequence[int],
        each: int,
        spent: Callable[[], Spent],
        judge: Callable[[], Spent] | None = None,
        cut_off: int = 0,
    ) -> None:
        self._cut_off = cut_off
        self._judge, self._lists = judge, (0, 0)
        self._handle, self._names, self._each, self._spent = handle, names, each, spent
        self._done = list(done)
        self._paces: dict[int, Pace] = {}
        self._why = [""] * len(names)

    def of_part(self, number: int) -> Callable[[int], None]:
        """What a part tells how many of its queries are through; raises ``Cancelled`` as ``Handle.tell``."""

        def tell(done: int) -> None:
            self._done[number] = done
            self._paces.setdefault(number, Pace(done))
            self._tell(at_once=done in {0, self._each})

        return tell

    def between(self) -> None:
        """While texts are waited for; raises ``Cancelled`` as ``Handle.tell``."""
        self._handle.between(self.details())

    def _tell(self, *, at_once: bool) -> None:
        self._handle.tell(sum(self._done), self._total, self.details(), left=self._left, at_once=at_once)

    def _left(self) -> float | None:
        """Writers differ in speed, and so does a judge: unknown until each has shown its own."""
        told = [
            self._paces[number].left(done, self._each) if number in self._paces else None
            for number, done in enumerate(self._done)
            if done < self._each and not self._why[number]
        ]
        known = [seconds for seconds in told if seconds is not None]
        return None if self._judge or len(known) < len(told) else sum(known)

    @property
    def _total(self) -> int:
        return self._each * len(self._names) * (2 if self._judge else 1)

    def judged(self, done: int, lists: int) -> None:
        """So many of the lists are through; raises ``Cancelled`` as ``Handle.tell``. Time counts from the first."""
        self._lists = (done, lists)
        half = self._total // 2
        share = half * done // lists if lists else half
        self._handle.tell(half + share, self._total, self.details(), at_start=half)

    def lost(self, number: int, why: str) -> None:
        """The part cannot go on now; the others do."""
        self._why[number] = why
        self._tell(at_once=True)

    def details(self) -> dict[str, Any]:
        """What the state of the job holds besides: money, and the parts where there are several."""
        told: dict[str, Any] = {"spent": asdict(self._spent()), "cut_off": self._cut_off}
        if self._judge:
            done, lists = self._lists
            told |= {"judge": asdict(self._judge()), "queries": self._total // 2, "lists": lists, "judged": done}
        if len(self._names) > 1:
            rows = zip(self._names, self._done, self._why, strict=True)
            told["parts"] = [asdict(PartState(name, done, self._each, why)) for name, done, why in rows]
        return told


def part_states(job: Job) -> list[PartState]:
    """Of each part of a run that has several, as they were last written; empty for a run of one."""
    told: Sequence[Mapping[str, Any]] = job.last_state().details.get("parts", ())
    return [PartState(**one) for one in told]
