"""What a check gives, and what all checks together give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

if TYPE_CHECKING:
    from ir_core.analysis.health._lengths import Lengths
    from ir_core.analysis.health._material import Material

Severity = Literal["high", "medium", "low"]
Status = Literal["found", "clear", "unmeasured"]
SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")
EXAMPLES = 50
"""Of one finding; the rows of all surfaces are in it, too."""


class Unmeasured(Exception):
    """A check could not be made; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Example:
    """``ids`` are surfaces', or a document's where it has none; several are one group. ``text`` is quoted from the
    corpus, ``said`` is what was found there."""

    ids: tuple[str, ...]
    said: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """``count`` things, in words in ``said``; ``rows`` are the surfaces concerned, ``documents`` the ids of all
    documents concerned. ``change`` and ``note``, where not blank, are more exact than the check's own."""

    severity: Severity
    count: int
    said: str
    examples: tuple[Example, ...]
    rows: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    change: str = ""
    note: str = ""


class Check(Protocol):
    """One kind of fault. ``needs_queries`` says that a query set is needed."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    reference: ClassVar[str]
    effect: ClassVar[str]
    change: ClassVar[str]
    setting: ClassVar[str]

    def look(self, material: Material) -> Found | str | None:
        """None where nothing is wrong; a sentence where that is not the whole truth, as of a sample.

        :raises Unmeasured: when it cannot be told.
        :raises ir_core.errors.Cancelled: when somebody stopped it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check came to. ``severity`` and ``count`` are None unless something was found; ``said`` is one
    sentence in any case."""

    name: str
    label: str
    summary: str
    reference: str
    status: Status
    severity: Severity | None
    count: int | None
    said: str
    effect: str
    change: str
    setting: str
    note: str = ""
    examples: tuple[Example, ...] = ()
    rows: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """``findings``: what was found by severity, then what could not be measured, then what is well. ``seconds`` is
    how long it took."""

    corpus: str
    fingerprint: str
    n_documents: int
    n_surfaces: int
    lengths: Lengths
    findings: tuple[Finding, ...]
    seconds: float

    def finding(self, name: str) -> Finding | None:
        return next((one for one in self.findings if one.name == name), None)

    def of(self, status: Status) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.status == status)


def by_share(share: float, medium: float, high: float) -> Severity:
    return "high" if share >= high else "medium" if share >= medium else "low"


def plural(count: int, one: str, many: str = "") -> str:
    """``1 surface``, ``2,000 surfaces``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def first(items: Iterable[Example]) -> tuple[Example, ...]:
    found: list[Example] = []
    for item in items:
        if len(found) == EXAMPLES:
            break
        found.append(item)
    return tuple(found)
