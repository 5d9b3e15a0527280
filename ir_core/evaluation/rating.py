"""What a judge said of one list, and what those ratings add up to. A reply that is no number is no rating."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

_NUMBER = re.compile(r"[*_`\"'“”«»(\s]*(\d{1,3}(?:[.,٫]\d+)?)(?:\s*%|\s*/\s*100)?[*_`\"'“”«»)\s.]*")
LARGEST = 100.0


def rating_of(reply: str) -> float | None:
    """The number from 0 to 100 that a reply is; None for anything else: a sentence, "-3", "110", "eighty".

    Quotes around it, "%" and "/100" behind it do not change what it says; digits may be of any script."""
    found = _NUMBER.fullmatch(reply)
    if found is None:
        return None
    value = float(found[1].replace(",", ".").replace("٫", "."))
    return value if value <= LARGEST else None


@dataclass(frozen=True, slots=True)
class Rating:
    """Of the first ``k`` surfaces of a list, from 0 to 100: one of ``values`` for each repeat that gave a number.
    ``not_rated`` repeats gave none, ``failed`` ones brought no reply. ``empty``: nothing was found, which suffices
    for nothing; nobody was asked."""

    k: int
    values: tuple[float, ...] = ()
    not_rated: int = 0
    failed: int = 0
    empty: bool = False

    @property
    def mean(self) -> float | None:
        """None where no repeat gave a number."""
        if self.empty:
            return 0.0
        return statistics.fmean(self.values) if self.values else None

    @property
    def sd(self) -> float | None:
        """Standard deviation over the repeats (n − 1); None for fewer than two numbers."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None

    @property
    def differs(self) -> bool | None:
        """Whether the repeats disagree; None for fewer than two numbers."""
        return len(set(self.values)) > 1 if len(self.values) > 1 else None


@dataclass(frozen=True, slots=True)
class Spread:
    """How far a judge can be relied on, over ``n`` lists that were rated: the mean standard deviation over the
    repeats of a list, in points of 100, and the share of lists whose repeats differ (None where none had two
    numbers); repeats ``not_rated`` (the reply was no number) and ``failed`` (there was none)."""

    n: int
    sd: float | None
    differ: float | None
    not_rated: int
    failed: int


class _Rated(Protocol):
    """A row of a result."""

    @property
    def rating(self) -> Rating | None: ...
    @property
    def samples(self) -> Sequence[_Rated]: ...


def ratings_of(rows: Iterable[_Rated]) -> list[Rating | None]:
    """Of the list of each text, where several were drawn for a query."""
    return [one.rating for row in rows for one in row.samples or (row,)]


def spread_of(ratings: Iterable[Rating | None]) -> Spread:
    """None entries, and lists with nothing in them, count nowhere."""
    own = [one for one in ratings if one is not None and not one.empty]
    sds = [one.sd for one in own if one.sd is not None]
    differ = [one.differs for one in own if one.differs is not None]
    return Spread(
        n=sum(one.mean is not None for one in own),
        sd=statistics.fmean(sds) if sds else None,
        differ=sum(differ) / len(differ) if differ else None,
        not_rated=sum(one.not_rated for one in own),
        failed=sum(one.failed for one in own),
    )
