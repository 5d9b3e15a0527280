"""Given labels against the right ones, where they are known: recall with its interval, and the confusion table."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.evaluation.labelling import Labelling, labelling
from ir_core.router import APART, LABELS, TITLES
from pages._ui import numbers, safe
from pages._ui.jobs import Job
from pages.router import costs
from pages.router.many_board import right_labels
from pages.router.running import Found
from pages.router.setup import Ready


def show(ready: Ready, job: Job) -> None:
    found: Sequence[Found] = job.events
    right = right_labels(ready, found)
    pairs = [(label, one.routed.decision.label) for one in found if (label := right[one.query.id])]
    safe.heading("Given labels against the right ones", 2)
    if not pairs:
        safe.notice("info", "No right label is known for these queries. Set some in the table above, or take a "
                    "queries.jsonl with categories.")  # fmt: skip
        return
    six = labelling(pairs, [label for label in LABELS if label not in APART])
    apart = labelling(pairs, APART)
    safe.draw(f'<p class="qp-facts">{safe.text(_sentence(six, apart))}</p>')
    safe.draw(costs.table(recalls(six, apart), ("n", "recall", "95 % interval"), "Recall of each label"))
    safe.heading("Right label in rows, given label in columns", 3)
    whole = labelling(pairs, list(LABELS))
    safe.draw(costs.table(confusion(whole), tuple(TITLES[label] for label in LABELS), "Confusion table"))


def _sentence(six: Labelling, apart: Labelling) -> str:
    parts = []
    if six.macro is not None:
        queries = numbers.count(six.n, "query", "queries")
        parts.append(f"Macro-averaged recall {six.macro:.2f} over the labels there are, {queries}")
    if apart.macro is not None:
        queries = numbers.count(apart.n, "query", "queries")
        parts.append(f"follow-up and small talk apart {apart.macro:.2f}, {queries}")
    return "; ".join(parts) + ". Labels corrected after looking at the answer are no independent test."


def recalls(*parts: Labelling) -> dict[str, dict[str, str]]:
    rows = {}
    for label, one in ((label, one) for part in parts for label, one in part.recalls.items()):
        if one.value is not None:
            between = f"{one.low:.2f} to {one.high:.2f}"
            rows[TITLES[label].capitalize()] = {
                "n": f"{one.n}", "recall": f"{one.value:.2f}", "95 % interval": between,
            }  # fmt: skip
    return rows


def confusion(found: Labelling) -> dict[str, dict[str, str]]:
    """Rows of right labels that occur; an empty cell is none."""
    return {
        TITLES[true].capitalize(): {
            TITLES[given]: f"{count}" if (count := found.confusion.get((true, given), 0)) else "" for given in LABELS
        }
        for true in LABELS
        if found.recalls[true].n
    }
