"""The queries whose route lost most against the best route of the same table, worst first, opening in Compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core.evaluation import Plan, parse
from ir_core.evaluation.replay import ROUTED, Outcome, key_of
from ir_core.evaluation.replay_job import Replayed
from ir_core.jobs import Job
from ir_core.router import NO_SEARCH, TITLES, Route, RouteTable
from pages._ui import links, numbers, safe
from pages.router.decision import named
from pages.router.replay_figures import outcomes

MOST = 25
TIE = 1e-9


def show(job: Job, plan: Plan, shown: Sequence[Replayed], tables: Mapping[str, RouteTable]) -> None:
    safe.heading("Regret", 3)
    name = str(
        st.selectbox(
            "Of the table",
            list(tables),
            format_func=lambda one: safe.sound(tables[one].title),
            width=260,
            key=f"rt.regret.{job.id}",
        )
    )
    by_id = {one.row.query.id: one for one in shown}
    made = sorted(outcomes(shown, tables[name]), key=lambda one: (-one.regret, one.query_id))
    worst = [one for one in made if one.regret > TIE]
    if not worst:
        safe.notice("info", "No query has any: the route taken was the best of the table each time.")
        return
    count = numbers.count(len(worst), "query", "queries")
    said = f"{count} of {len(made):,} would have done better by another route."
    if len(worst) > MOST:
        said += f" The worst {MOST}:"
    safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>' + table(plan, worst[:MOST], by_id, tables[name]))


def table(plan: Plan, worst: Sequence[Outcome], by_id: Mapping[str, Replayed], routes: RouteTable) -> str:
    known = {key_of(one): one for one in routes.choices}
    rows = []
    for one in worst:
        query = by_id[one.query_id].row.query
        both = [known.get(one.taken), known.get(one.best)]
        address = safe.text(links.url(_root(), in_compare(plan, by_id[one.query_id], both)))
        rows.append(
            f'<tr><th scope="row"><a href="{address}" dir="auto">{safe.text(query.text)}</a>'
            f'</th><td class="qp-board-first">{one.regret:.3f}</td><td>{safe.text(TITLES[one.label])}</td>'
            f"<td>{safe.text(_title(one.taken, known))} <b>{one.value:.3f}</b></td>"
            f"<td>{safe.text(_title(one.best, known))} <b>{one.best_value:.3f}</b></td></tr>"
        )
    heads = ("query, opens in Compare", "regret", "label", "route taken", "best route")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        '<div class="qp-board qp-plain" role="region" aria-label="Regret, worst first" tabindex="0"><table><thead>'
        f"<tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def in_compare(plan: Plan, replayed: Replayed, routes: Sequence[Route | None]) -> links.Link:
    """The original and these routes side by side; of a routed follow-up its condensing."""
    query = replayed.row.query
    chosen: dict[str, Mapping[str, Any]] = {"identity": {}}
    for one in routes:
        if one is not None and one.transform != NO_SEARCH:
            chosen.setdefault(one.transform, one.settings)
    turns = tuple({"role": turn.get("role", "user"), "content": turn.get("content", "")} for turn in query.history)
    return links.Link(
        corpus=plan.corpus, query=query.text, mode=plan.modes[0], k=parse(plan.measures[0]).cutoff,
        transforms=tuple(chosen.items()), history=turns,
    )  # fmt: skip


def _title(key: str, known: Mapping[str, Route]) -> str:
    if key == ROUTED:
        return "Condensed, then routed"
    return named(known[key].transform, known[key].settings) if key in known else key


def _root() -> str:
    """Compare's address: that of this page without its name."""
    return (st.context.url or "").split("?", 1)[0].split("#", 1)[0].rstrip("/").removesuffix("router")
