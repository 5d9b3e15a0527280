"""Another threshold of the signal decider, read off what was searched: no call, and no search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ir_core.router import DECIDERS, Decision, Route
from ir_core.schema import SearchResult
from pages.router.running import Asked, Found

SIGNAL = "signal"


def differs_in_threshold(then: Asked, now: Asked) -> bool:
    return then.decider[0] == now.decider[0] == SIGNAL and then.decider[1] != now.decider[1]


def at_threshold(found: Found, then: Asked, now: Asked) -> Found:
    """What was found as it would have been at the threshold of now, where that needs nothing else: the original is
    there; a route that was not taken is not, and the decision then says what it would be."""
    decision, original = found.routed.decision, found.original
    if not differs_in_threshold(then, now) or decision.original is None or original is None or found.routed.then:
        return found
    changed = _held(decision, decision.original, now.decider[1])
    if not changed.keeps_original:
        return replace(found, routed=replace(found.routed, decision=changed))
    kept = replace(
        found.routed, decision=changed, transform="identity", settings={}, result=original,
        n_calls=len(changed.calls), n_searches=changed.searches,
    )  # fmt: skip
    return replace(found, routed=kept)


def wanted(found: Found, then: Asked, now: Asked) -> Route | None:
    """The route that the threshold of now calls for, where it was not taken."""
    decision = found.routed.decision
    if not differs_in_threshold(then, now) or decision.keeps_original or found.routed.then is not None:
        return None
    route = then.table.route(decision.label)
    return route if found.routed.transform == "identity" and route.transform != "identity" else None


def _held(decision: Decision, original: SearchResult, settings: dict[str, Any]) -> Decision:
    """The rules' own reasons come after the evidence, which is one."""
    rules = replace(decision, reasons=decision.reasons[1:], keeps_original=False)
    signal: Any = DECIDERS.make(SIGNAL, settings)
    held: Decision = signal.held(rules, original)
    return held
