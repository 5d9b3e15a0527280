"""Rules: each that fires adds its weight to one label, and the heaviest label is the decision.

They look at what query performance predictors before retrieval look at (Hauff, Hiemstra and de Jong, CIKM 2008:
length, specificity of the words, words the collection lacks) and at the structure of the question. Weights were set
on the tune split of the sample corpora's queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.protocols import Timer
from ir_core.router.deciders import _structure as structure
from ir_core.router.deciders._reading import Reading, read
from ir_core.router.decision import Context, Decision, Reason
from ir_core.schema import Turn
from ir_core.transforms._small_talk import is_small_talk

Test = Callable[[Reading], str | None]
"""What was seen, in words; None where the rule does not fire."""
TIES = (
    "small_talk", "follow_up", "narrow_technical", "ambiguous_short", "multi_hop", "broad", "simple", "vocabulary",
)  # fmt: skip
"""Of two labels that weigh the same the one named first: the more particular one."""


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:4]) + (f" and {len(words) - 4} more" if len(words) > 4 else "")


def _says_little(r: Reading) -> str | None:
    return f"only {len(r.words)} word{'s' * (len(r.words) != 1)}" if len(r.words) <= 2 and "?" not in r.text else None


def _all_known(r: Reading) -> str | None:
    return "the corpus has every word of it" if not r.unknown and len(r.words) > 2 else None


def _nearly_known(r: Reading) -> str | None:
    fits = len(r.unknown) == 1 and r.unknown_share <= 0.2
    return f"the corpus has all words of it but {_listed(r.unknown)}" if fits else None


def _unknown(r: Reading) -> str | None:
    return f"the corpus has no {_listed(r.unknown)}" if r.unknown else None


def _half_unknown(r: Reading) -> str | None:
    return f"it lacks {len(r.unknown)} of {len(r.content)} telling words" if r.unknown_share >= 0.5 else None


def _code(r: Reading) -> str | None:
    return f"an exact name: {_listed(r.codes)}" if r.codes and not r.called else None


def _called_code(r: Reading) -> str | None:
    return f"a document named by its number: {_listed(r.codes)}" if r.called else None


def _acronym(r: Reading) -> str | None:
    return f"a rare acronym among words the corpus lacks: {_listed(r.acronyms)}" if r.acronyms and r.unknown else None


def _name_and_more(r: Reading) -> str | None:
    return f"it names {_listed(r.names)} and describes something else" if r.names and r.unknown else None


def _history(r: Reading) -> str | None:
    return "something was said before" if r.has_history else None


def _after_history(test: Test) -> Test:
    return lambda r: test(r) if r.has_history else None


def _few_words(r: Reading) -> str | None:
    return "too few words to stand alone" if len(r.content) <= 2 and len(r.words) <= 6 else None


RULES: tuple[tuple[str, float, Test], ...] = (
    ("small_talk", 12, lambda r: "nothing but greetings, thanks or the like" if is_small_talk(r.text) else None),
    ("follow_up", 2, _history),
    ("follow_up", 3, _after_history(structure.points_back)),
    ("follow_up", 3, _after_history(structure.goes_on)),
    ("follow_up", 3, _after_history(_few_words)),
    ("ambiguous_short", 5, _says_little),
    ("narrow_technical", 5, _code),
    ("narrow_technical", 3, _acronym),
    ("narrow_technical", 2, _called_code),
    ("multi_hop", 4, structure.compares),
    ("multi_hop", 3, structure.asks_quantity),
    ("multi_hop", 3, structure.has_premise),
    ("multi_hop", 2, structure.asks_twice),
    ("multi_hop", 2, _name_and_more),
    ("multi_hop", 1, structure.counts),
    ("broad", 4, structure.is_broad),
    ("broad", 3, structure.is_topic),
    ("simple", 3, _all_known),
    ("simple", 2, _nearly_known),
    ("vocabulary", 2, _unknown),
    ("vocabulary", 1, _half_unknown),
    ("vocabulary", 1, structure.is_colloquial),
)
"""Label, weight, test."""


@dataclass(frozen=True)
class Rules:
    """No writer, no search: the corpus' vocabulary is all it reads."""

    name: ClassVar[str] = "rules"
    label: ClassVar[str] = "Rules"
    summary: ClassVar[str] = (
        "Length, rare and missing words, codes, names, clauses and comparisons, each with its weight."
    )
    reference: ClassVar[str] = "Hauff, Hiemstra and de Jong, A Survey of Pre-Retrieval Predictors, CIKM 2008"
    order: ClassVar[int] = 0
    needs_writer: ClassVar[bool] = False
    needs_examples: ClassVar[bool] = False

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """See ``Decider``. ``confidence`` is the label's share of all the weight that fired."""
        timer = Timer()
        reading = read(query, history, context.engine.index)
        fired = [Reason(seen, weight, label) for label, weight, test in RULES if (seen := test(reading))]
        totals = {label: sum(r.weight or 0 for r in fired if r.label == label) for label in TIES}
        best = max(TIES, key=lambda label: (totals[label], -TIES.index(label)))
        if not fired:
            return Decision("simple", self.name, (Reason("no rule fired"),), seconds=timer.seconds)
        reasons = sorted(fired, key=lambda reason: (reason.label != best, -(reason.weight or 0)))
        share = totals[best] / sum(totals.values())
        return Decision(best, self.name, tuple(reasons), share, "rule", seconds=timer.seconds)
