"""What many queries' routes took, against always the same transform; how often each route was taken; and the routes,
where the right label of a query can be set."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.config import MAX_QUERY_CHARS
from ir_core.errors import QueryPrismError
from ir_core.evaluation import estimate_run
from ir_core.router import TITLES, label_named, own_labels, save_label
from pages._ui import numbers, safe, spending, writers
from pages._ui.csv_file import csv_file
from pages._ui.jobs import Job
from pages.router import costs, running
from pages.router.decision import named, who
from pages.router.running import Found
from pages.router.setup import Ready
from pages.router.table_editor import title_of

RIGHT = "right label"


def show(ready: Ready, job: Job) -> None:
    found: Sequence[Found] = job.events
    safe.heading(f"{numbers.count(len(found), 'query', 'queries')} routed", 2)
    _fell_back(found)
    safe.draw(costs.table(_totals(ready, found), costs.HEADS, "What it took, against always the same"))
    safe.heading("How often each label was given", 3)
    safe.draw(costs.table(_counts(found), ("queries", "routes"), "How often each label was given"))
    _rows(ready, job, found)


def _fell_back(found: Sequence[Found]) -> None:
    why = [one.routed.decision.fallback_reason for one in found if one.routed.decision.fallback_reason]
    if why:
        said = f"Rules decided for {len(why)} of {len(found)} in place of the decider that was chosen."
        safe.notice("warning", said, detail=why[0])


def _totals(ready: Ready, found: Sequence[Found]) -> dict[str, dict[str, str]]:
    """Of the routes measured, of always-X foreseen: nothing is sent for it."""
    choice = writers.current()
    rows = {"Routed, decisions included": running.took(found)}
    n = len(found)
    rows["Always original"] = {"calls": "0", "searches": f"{n:,}", "time": "not measured", "cost": "$0"}
    try:
        writer = writers.open_chosen(choice, ready.engine.index)
        for name in DEFAULT_TRANSFORMS[1:]:
            seen = estimate_run(
                [(name, {})], writer, [one.query for one in found],
                corpus_language=ready.engine.index.manifest.language, spent=spending.visit().spent(writer.name),
            )  # fmt: skip
            rows[f"Always {title_of(name)}"] = {
                "calls": f"≈ {seen.calls:,}",
                "searches": f"at least {n:,}",
                "time": numbers.UNKNOWN if seen.seconds is None else f"≈ {numbers.seconds(seen.seconds)}",
                "cost": "$0" if not choice.may_cost else numbers.dollars(seen.cost_usd),
            }
    except QueryPrismError as error:
        safe.notice("info", f"What always the same would take is not known: {error}")
    return rows


def _counts(found: Sequence[Found]) -> dict[str, dict[str, str]]:
    counted = Counter(one.routed.decision.label for one in found)
    rows = {}
    for label, title in TITLES.items():
        if counted[label]:
            of_it = [one.routed for one in found if one.routed.decision.label == label]
            routes = Counter(named(one.transform, one.settings) for one in of_it)
            said = ", ".join(f"{name} {count}" for name, count in routes.most_common())
            rows[title.capitalize()] = {"queries": f"{counted[label]:,}", "routes": said}
    return rows


def _rows(ready: Ready, job: Job, found: Sequence[Found]) -> None:
    safe.heading("Routes", 2)
    safe.draw(
        '<p class="qp-facts">Is a label wrong? Double-click its cell under “right label” and choose one: it is kept '
        "for this corpus, and the Examples decider learns from it.</p>"
    )
    known = right_labels(ready, found)
    rows = [_row(one, known[one.query.id]) for one in found]
    options = list(TITLES.values())
    safe.editable(
        rows,
        key=f"rt_rows.{job.id}",
        hide_index=True,
        disabled=[name for name in rows[0] if name != RIGHT],
        column_config={RIGHT: st.column_config.SelectboxColumn(RIGHT, options=options)},
        on_change=_corrected,
        args=(ready.corpus, job),
        placeholder="not set",
        alt="The queries with their labels and routes",
    )
    st.download_button(
        "CSV", partial(to_csv, found, known), f"query-prism-routes-{job.id}.csv", "text/csv", key="rt_csv",
        on_click="ignore", help="One line per query: its label, why, its route, and what that took and found.",
    )  # fmt: skip


def to_csv(found: Sequence[Found], known: Mapping[str, str | None]) -> bytes:
    """One line per query. Seconds and dollars as numbers, empty where unknown; labels and transforms by their names.

    :param known: the right label by query id, where one is known.
    """
    head = (
        "query", "given_label", "then_label", "right_label", "decider", "reasons", "transform", "settings", "calls",
        "searches", "seconds", "cost_usd", "fell_back", "retrieved",
    )  # fmt: skip
    return csv_file(head, (_line(one, known[one.query.id]) for one in found))


def _line(one: Found, right: str | None) -> tuple[Any, ...]:
    routed, decided = one.routed, one.routed.decision
    then = routed.then.label if routed.then and routed.then is not decided else None
    return (
        one.query.text, decided.label, then, right, decided.decider,
        "; ".join(dict.fromkeys(why.text for why in decided.reasons)),
        routed.transform, json.dumps(dict(routed.settings), ensure_ascii=False), routed.n_calls, routed.n_searches,
        routed.seconds, one.cost_usd, decided.fallback_reason,
        " ".join(hit.artifact_id for hit in routed.result.fused.hits),
    )  # fmt: skip


def _row(one: Found, right: str | None) -> dict[str, Any]:
    routed = one.routed
    then = f", then {TITLES[routed.then.label]}" if routed.then and routed.then is not routed.decision else ""
    return {
        "query": one.query.text,
        "given label": f"{TITLES[routed.decision.label]}{then}",
        RIGHT: TITLES[right] if right else None,
        "decided by": who(routed.decision),
        "route": named(routed.transform, routed.settings),
        "calls": routed.n_calls,
        "searches": routed.n_searches,
        "time": numbers.seconds(routed.seconds),
        "cost": numbers.dollars(one.cost_usd),
    }


def right_labels(ready: Ready, found: Sequence[Found]) -> dict[str, str | None]:
    """By query id: the label a person gave it here, else the one it came with."""
    own = {one.text: one.label for one in own_labels(ready.corpus)}
    return {one.query.id: own.get(" ".join(one.query.text.split()), one.query.category) for one in found}


def _corrected(corpus: str, job: Job) -> None:
    save_edits(corpus, job, st.session_state[f"rt_rows.{job.id}"]["edited_rows"])


def save_edits(corpus: str, job: Job, rows: Mapping[Any, Mapping[str, Any]]) -> None:
    """Keeps what was set in the table, by row."""
    for row, cells in rows.items():
        label = label_named(str(cells.get(RIGHT) or ""))
        if label is None:
            continue
        try:
            save_label(corpus, job.events[int(row)].query.text[:MAX_QUERY_CHARS], label)
        except QueryPrismError as error:
            st.session_state["rt_problems"] = [str(error)]
