"""Who judges a run's results, and how: plain values, without a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ir_core.config import MAX_K
from ir_core.errors import BadSetting
from ir_core.evaluation.measures import ANSWER_F1, ANSWERED, JUDGE, JUDGED, parse

if TYPE_CHECKING:
    from ir_core.evaluation.plan import WriterPlan

DEFAULT_JUDGED = 5
DEFAULT_REPEATS = 3
"""The least from which a spread says anything."""
MAX_REPEATS = 9


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """The first ``k`` surfaces of each list are rated ``repeats`` times; ``answerer`` also asks for an answer from
    them. ``reference`` shows the known answers to the judge (never to the answerer). ``writer`` None is the writer of
    the transforms.

    :raises BadSetting: for a k that is no place of a list, or repeats outside 1 to 9.
    """

    writer: WriterPlan | None = None
    k: int = DEFAULT_JUDGED
    repeats: int = DEFAULT_REPEATS
    answerer: bool = False
    reference: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MAX_K:
            raise BadSetting(f"A judge that reads {self.k} hits is none; give 1 to {MAX_K}.")
        if not 1 <= self.repeats <= MAX_REPEATS:
            raise BadSetting(f"{self.repeats} repeats of the judge cannot be; give 1 to {MAX_REPEATS}.")

    @property
    def measures(self) -> tuple[str, ...]:
        """What it gives, by name: ``judge@5``, and with an answerer ``answered@5`` and ``answer_f1@5``."""
        families = (JUDGE, ANSWERED, ANSWER_F1) if self.answerer else (JUDGE,)
        return tuple(f"{family}@{self.k}" for family in families)


def with_judge(measures: Sequence[str], judge: JudgePlan | None) -> tuple[str, ...]:
    """The measures by their names, and those of the judge after them where they are not among them. One that only a
    judge can measure may stand there without any: it is "not measured".

    :raises UnknownName, BadSetting: for a measure there is not, and one the judge does not give.
    """
    names = tuple(dict.fromkeys(parse(name).name for name in measures))
    if judge is None:
        return names
    for name in names:
        if parse(name).family in JUDGED and name not in judge.measures:
            raise BadSetting(
                f"The judge reads {judge.k} hits and gives {', '.join(judge.measures)}, which {name} is not. Change "
                "its k, let it answer too, or leave the measure out."
            )
    return tuple(dict.fromkeys((*names, *judge.measures)))
