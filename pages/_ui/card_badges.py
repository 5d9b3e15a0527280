"""A card's badges: what was done with the original, whose text it is, and what else a reader must know of it."""

from __future__ import annotations

from ir_core.schema import AUTHORED, NO_LLM, Call, Formulation, SearchResult
from pages._ui import numbers

Badge = tuple[str, str]
"""Kind ("base", "warn", "plain" or "model") and words."""


def badges(result: SearchResult, *, saw_history: bool | None) -> list[Badge]:
    """``saw_history`` is None when there is no history to see."""
    made = result.formulation
    found = [_done(made), *(("plain", words) for words in made.origins)]
    models = (call.model for call in made.calls if call.model not in {AUTHORED, NO_LLM} and not call.recorded)
    found += [("model", name) for name in dict.fromkeys(models) if name]
    if any(map(is_edited, made.calls)):
        found.append(("plain", "edited prompt"))
    if any(call.cached and not call.recorded for call in made.calls):
        found.append(("plain", "cached text"))
    if result.trace.queued_s >= 0.05:
        found.append(("plain", f"{numbers.seconds(result.trace.queued_s)} queued"))
    if saw_history is not None:
        found.append(("plain", "saw the history" if saw_history else "last turn only"))
    return found


def _done(made: Formulation) -> Badge:
    if made.transform == "identity":
        return "base", "baseline"
    if made.skip_reason:
        return "warn", "skipped"
    if made.fallback_reason:
        return "warn", "fell back" if made.fell_back else "step left out"
    if len(made.queries) == 1 and made.searches_original:
        return "plain", "left as it was"
    return "plain", "added to the original" if made.searches_original else "replaces the original"


def is_edited(call: Call) -> bool:
    """True where the prompt was not the bank's own."""
    return "edited" in (call.prompt_version or "")
