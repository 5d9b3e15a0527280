"""Rules: each that fires adds weight to one label or several, and the heaviest label is the decision.

They look at what query performance predictors before retrieval look at (Hauff, Hiemstra and de Jong, CIKM 2008:
length, specificity of the words, words the collection lacks) and at the structure of the question. The weights of
those that tell the six kinds of question apart were fitted: see ``_weights``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.protocols import Timer
from ir_core.router.deciders import _structure as structure
from ir_core.router.deciders._english import least_common
from ir_core.router.deciders._reading import Reading, read
from ir_core.router.deciders._weights import WEIGHTS
from ir_core.router.decision import Context, Decision, Reason
from ir_core.schema import Turn
from ir_core.transforms._small_talk import is_small_talk

Test = Callable[[Reading], str | None]
"""What was seen, in words; None where the rule does not fire."""
TIES = (
    "small_talk", "follow_up", "narrow_technical", "ambiguous_short", "multi_hop", "broad", "simple", "vocabulary",
)  # fmt: skip
"""Of two labels that weigh the same the one named first: the more particular one."""
COMMON = 10**7.3
"""Count in the books: "money", "kids" and "faster" are above it, "invoice" is below."""


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:4]) + (f" and {len(words) - 4} more" if len(words) > 4 else "")


def _long(low: float, high: float) -> Test:
    """Longer than ``low`` words, and no longer than ``high``."""
    return lambda r: f"{len(r.words)} words" if low < r.length <= high and len(r.words) > 2 else None


def _short(r: Reading) -> str | None:
    return f"only {len(r.words)} word{'s' * (len(r.words) != 1)}" if len(r.words) <= 2 else None


def _code(r: Reading) -> str | None:
    found = () if r.called else r.codes or (r.numbers if len(r.words) <= 8 else ())
    return f"an exact name: {_listed(found)}" if found else None


def _acronym(r: Reading) -> str | None:
    return f"an acronym: {_listed(r.acronyms)}" if r.acronyms else None


def _jargon(r: Reading) -> str | None:
    return f"no word of everyday English: {_listed(r.jargon)}" if r.jargon and r.length <= 12 else None


def _names(r: Reading) -> str | None:
    return f"it names {_listed(r.names)}" if r.names else None


def _all_known(r: Reading) -> str | None:
    return "the corpus has every word of it" if not r.unknown and len(r.words) > 2 else None


def _together(r: Reading) -> str | None:
    return "one document has nearly all of its words" if r.corpus.together >= 0.9 and len(r.words) > 2 else None


def _apart(r: Reading) -> str | None:
    if r.corpus.together >= 0.4 or len(r.words) <= 2:
        return None
    return "no document has much of it" + (f"; the corpus has no {_listed(r.unknown)}" if r.unknown else "")


def _titled(r: Reading) -> str | None:
    return "most of its words make a title" if r.corpus.titled >= 0.6 and len(r.words) > 2 else None


def _common(r: Reading) -> str | None:
    found = least_common(r.content)
    return "only common words" if found is not None and found > COMMON and len(r.words) > 2 else None


TESTS: Mapping[str, Test] = {
    "short": _short,
    "to_5_words": _long(0, 5.5),
    "to_9_words": _long(5.5, 9.5),
    "to_13_words": _long(9.5, 13.5),
    "over_13_words": _long(13.5, float("inf")),
    "asks": structure.asks,
    "gerund": structure.gerund,
    "second_clause": structure.second_clause,
    "phrase": structure.phrase,
    "person": structure.person,
    "code": _code,
    "acronym": _acronym,
    "jargon": _jargon,
    "names": _names,
    "compares": structure.compares,
    "quantity": structure.asks_quantity,
    "area": structure.is_broad,
    "colloquial": structure.is_colloquial,
    "all_known": _all_known,
    "together": _together,
    "apart": _apart,
    "titled": _titled,
    "common": _common,
}
"""Those that have fitted weights."""


def _after_history(test: Test) -> Test:
    return lambda r: test(r) if r.has_history else None


def _few_words(r: Reading) -> str | None:
    return "too few words to stand alone" if len(r.content) <= 2 and len(r.words) <= 6 else None


RULES: tuple[tuple[str, float, Test], ...] = (
    ("small_talk", 30, lambda r: "nothing but greetings, thanks or the like" if is_small_talk(r.text) else None),
    ("follow_up", 4, lambda r: "something was said before" if r.has_history else None),
    ("follow_up", 5, _after_history(structure.points_back)),
    ("follow_up", 5, _after_history(structure.goes_on)),
    ("follow_up", 5, _after_history(_few_words)),
    ("multi_hop", 7, structure.asks_to_compare),
    *((label, weight, test) for name, test in TESTS.items() for label, weight in WEIGHTS[name].items()),
)
"""Label, weight, test. The first six were set by hand: follow-ups and small talk are told by what was said before and
by set phrases, and the words "compare" and "versus" are too rare on tune for their weight to be fitted."""


@dataclass(frozen=True)
class Rules:
    """No writer, no search: the corpus' statistics are all it reads."""

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
        seen = {test: test(reading) for _, _, test in RULES}
        fired = [Reason(said, weight, label) for label, weight, test in RULES if (said := seen[test])]
        totals = {label: sum(r.weight or 0 for r in fired if r.label == label) for label in TIES}
        best = max(TIES, key=lambda label: (totals[label], -TIES.index(label)))
        if not fired:
            return Decision("simple", self.name, (Reason("no rule fired"),), seconds=timer.seconds)
        reasons = sorted(fired, key=lambda reason: (reason.label != best, -(reason.weight or 0)))
        share = totals[best] / sum(totals.values())
        return Decision(best, self.name, tuple(reasons), share, "rule", seconds=timer.seconds)
