"""A decision as HTML: the label, who gave it and why, and the route the table has for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.params import params_of
from ir_core.router import DECIDERS, LABELS, NO_SEARCH, TITLES, Decision, Reason, Route, Routed, RouteTable
from ir_core.transforms import TRANSFORMS
from pages._ui import safe
from pages.router.table_editor import title_of

SURE = {"rule": "by the rules' weights", "model": "by the model", "measured": "measured"}


def decided(found: Routed, table: RouteTable, wanted: Route | None = None) -> str:
    """All of it; the second decision too, where the condensed query was routed again.

    :param wanted: what is called for and was not taken.
    """
    parts = [_one(found.decision, "Label")]
    if found.then is not None and found.then is not found.decision:
        parts.append(_one(found.then, "Then, condensed"))
    return f'<div class="qp-decided">{"".join(parts)}{_route(found, table, wanted)}</div>'


def _one(decision: Decision, head: str) -> str:
    sure = ""
    if decision.confidence is not None and decision.confidence_from:
        sure = f", confidence {decision.confidence:.0%} {SURE[decision.confidence_from]}"
    return (
        f'<section class="qp-decision"><p class="qp-facts">{safe.text(head)}</p>'
        f'<p class="qp-decision-label">{safe.text(TITLES[decision.label].capitalize())}</p>'
        f'<p class="qp-facts">{safe.text(_capital(LABELS[decision.label]))}. Decided by {safe.text(who(decision))}'
        f"{safe.text(sure)}.</p>{reasons(decision.reasons)}</section>"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def who(decision: Decision) -> str:
    name = decision.decider
    return "you" if name == "you" else DECIDERS.get(name).label.lower() if name != "llm" else "the LLM"


def reasons(found: tuple[Reason, ...]) -> str:
    """Each with its weight as a bar and a figure, and the label it speaks for."""
    most = max((abs(one.weight) for one in found if one.weight), default=1.0)
    rows = []
    for one in found:
        weight = "" if one.weight is None else f"{one.weight:+.2g}".replace("-", "−")
        share = 0.0 if not one.weight else 100 * abs(one.weight) / most
        speaks = TITLES.get(one.label or "", "")
        bar = f'<span class="qp-bar" aria-hidden="true"><span style="width:{share:.0f}%"></span></span>'
        rows.append(
            f"<tr><td><bdi>{safe.prose(one.text)}</bdi></td><td>{safe.text(speaks)}</td>"
            f"<td>{bar if one.weight is not None else ''}</td><td>{safe.text(weight)}</td></tr>"
        )
    if not rows:
        return '<p class="qp-facts">No rule fired.</p>'
    return (
        '<table class="qp-reasons"><caption class="qp-facts">Why</caption><thead><tr><th scope="col">what was seen'
        '</th><th scope="col">speaks for</th><th scope="col" colspan="2">weight</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _route(found: Routed, table: RouteTable, wanted: Route | None) -> str:
    last = found.then or found.decision
    head, taken = "Route taken", named(found.transform, found.settings)
    if wanted is not None:
        head, taken = "Route called for", named(wanted.transform, wanted.settings)
        said = f"{table.title} sends {TITLES[last.label]} there. It was not taken."
    elif last.keeps_original:
        said = f"The evidence of the original is strong, so it stays, whatever {table.title} says."
    elif found.then is not None:
        after = table.route(last.label)
        said = f"Condensed first; what came of it is {TITLES[last.label]}, for which {table.title} has "
        said += f"{named(after.transform, after.settings)}."
    else:
        said = f"{table.title} sends {TITLES[last.label]} there."
    return (
        f'<section class="qp-decision"><p class="qp-facts">{head}</p>'
        f'<p class="qp-decision-label">{safe.text(taken)}</p>'
        f'<p class="qp-facts">{safe.text(said)}</p></section>'
    )


def named(transform: str, settings: Mapping[str, Any]) -> str:
    """A route in words: the transform, and the settings that are not its own."""
    if transform == NO_SEARCH:
        return "No search"
    own = [one for one in params_of(TRANSFORMS.get(transform)) if settings.get(one.name, one.default) != one.default]
    changed = ", ".join(f"{one.label.lower()} {settings[one.name]}" for one in own)
    return f"{title_of(transform)}{f' ({changed})' if changed else ''}"
