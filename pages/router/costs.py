"""What the route took, against what running everything would have."""

from __future__ import annotations

from ir_core.budget import Estimate, estimate
from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.errors import QueryPrismError
from pages._ui import numbers, safe, spending, writers
from pages.router import running
from pages.router.running import Found
from pages.router.setup import Ready

HEADS = ("calls", "searches", "time", "cost")


def show(ready: Ready, found: Found, choice: writers.Choice) -> None:
    everything = _everything(ready, found, choice)
    rows = {"This route, its decision included": running.took([found])}
    if everything is not None:
        rows[f"All {len(DEFAULT_TRANSFORMS)} columns of Compare"] = {
            "calls": f"≈ {numbers.count(everything.calls)}",
            "searches": f"at least {len(DEFAULT_TRANSFORMS)}",
            "time": numbers.UNKNOWN if everything.seconds is None else f"≈ {numbers.seconds(everything.seconds)}",
            "cost": "$0" if not choice.may_cost else _about(everything.cost_usd),
        }
    safe.draw(table(rows, HEADS, "What it took"))


def table(rows: dict[str, dict[str, str]], heads: tuple[str, ...], name: str) -> str:
    """Rows of words by their name; everything in them is escaped. It is moved sideways where it does not fit."""
    head = "<td></td>" + "".join(f'<th scope="col">{safe.text(one)}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{safe.text(title)}</th>'
        + "".join(f"<td>{safe.text(cells[one])}</td>" for one in heads)
        + "</tr>"
        for title, cells in rows.items()
    )
    return (
        f'<div class="qp-board qp-plain qp-narrow" role="region" aria-label="{safe.text(name)}" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _about(value: float | None) -> str:
    return numbers.UNKNOWN if value is None else f"≈ {numbers.dollars(value)}"


def _everything(ready: Ready, found: Found, choice: writers.Choice) -> Estimate | None:
    """Nothing is sent for it; None where the writer cannot be had (any more)."""
    try:
        writer = writers.open_chosen(choice, ready.engine.index)
        return estimate(
            [(name, {}) for name in DEFAULT_TRANSFORMS], writer, found.query.text, found.query.history,
            corpus_language=ready.engine.index.manifest.language, spent=spending.visit().spent(writer.name),
            anew=True,
        )  # fmt: skip
    except QueryPrismError:
        return None
