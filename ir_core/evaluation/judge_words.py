"""What a judge's figures rest on, in sentences: who judged, how far it agrees with itself, what that took."""

from __future__ import annotations

from ir_core.budget import dollars
from ir_core.evaluation.measures import ANSWER, JUDGE, parse
from ir_core.evaluation.rating import Spread
from ir_core.evaluation.verdicts import Judging


def told(found: Judging) -> list[str]:
    """One sentence for each thing to know; the first names the judge and its cost."""
    if not found.calls:
        return [f"Judge: not measured. {found.why or 'Nothing was asked yet.'}"]
    cost = "cost unknown" if found.cost_usd is None else dollars(found.cost_usd)
    asked = f"{found.repeats} times each" if found.repeats > 1 else "once each"
    said = [
        f"Judge: {found.writer} on the first {found.k} surfaces, {asked} at temperature 0; "
        f"{_n(found.calls, 'call')} on {_n(found.lists, 'different list')}, {cost}, beside what the transforms cost."
    ]
    if spread := spread_words(found.spread):
        said.append(f"{spread}.")
    if found.reference:
        said.append("The judge was shown the known answers.")
    if found.no_gold:
        said.append(f"{_n(found.no_gold, 'query', 'queries')} without a known answer: the answerer was not asked.")
    return said + ([f"Not all was judged: {found.why}"] if found.why else [])


def spread_words(found: Spread) -> str:
    """How far the repeats agree; empty where there is nothing to say."""
    parts = []
    if found.sd is not None and found.differ is not None:
        parts.append(f"Repeats differ on {found.differ:.0%} of the lists, by a standard deviation of {found.sd:.1f}")
    if found.not_rated:
        parts.append(f"{_n(found.not_rated, 'reply was', 'replies were')} no number from 0 to 100: not rated")
    if found.failed:
        parts.append(f"{_n(found.failed, 'rating')} got no reply")
    return "; ".join(parts)


def unmeasured_words(measure: str, count: int) -> str:
    """Why so many queries have no value by this measure."""
    family = parse(measure).family
    if family == ANSWER:
        why = "have no answer that can be looked for"
    else:
        why = "were not rated" if family == JUDGE else "have no known answer, or got no reply"
    return f"{measure}: {count:,} of the queries {why}"


def _n(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
