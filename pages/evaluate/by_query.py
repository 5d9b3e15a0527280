"""Query by query: what one transform did to each, filtered by improved, same and worse, with the way into Compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from ir_core.evaluation import Evaluation, Plan, Summary, parse
from ir_core.evaluation.job import asked_of, queries_of
from ir_core.evaluation.slices import NO_CATEGORY, OUTCOMES, QueryOutcome, outcomes
from ir_core.jobs import Job
from ir_core.library import JudgedQuery
from ir_core.schema import Mode
from pages._ui import links, numbers, safe
from pages.evaluate.words import digits, in_words, titles

EVERY = "every category"


def show(job: Job, plan: Plan, mode: Mode, found: Evaluation, sums: Sequence[Summary]) -> None:
    if len(found.columns) < 2:
        safe.notice("info", "Only the original was measured, so there is nothing to compare it with.")
        return
    first, names = found.measures[0], titles(found)
    with st.container(horizontal=True, vertical_alignment="bottom", key="ev_filter"):
        slot = st.selectbox(
            "Transform", range(1, len(names)), key=f"ev.slot.{job.id}", width=280,
            format_func=lambda one: safe.sound(f"{one + 1}. {names[one]}"),
        )  # fmt: skip
        made = outcomes(found, slot, first)
        counted = Counter(one.outcome for one in made)
        kinds = st.pills(
            "Against the original", OUTCOMES, selection_mode="multi", default=None, key=f"ev.outcome.{job.id}",
            format_func=lambda one: f"{one} {counted[one]:,}",
            help=f"By {safe.label(parse(first).label)}. None chosen shows all.",
        )  # fmt: skip
        known = sorted({one.row.category or NO_CATEGORY for one in made})
        category = st.selectbox(
            "Category", [EVERY, *known], key=f"ev.category.{job.id}", width=200,
            format_func=lambda one: safe.sound(in_words(one)),
        )  # fmt: skip
    kept = [
        one
        for one in made
        if (not kinds or one.outcome in kinds) and category in (EVERY, one.row.category or NO_CATEGORY)
    ]
    if not kept:
        safe.notice("info", "No query is left with this filter.")
        return
    kept.sort(key=lambda one: -abs(one.difference))
    asked = {query.id: query for query in queries_of(job)}
    qrels: Mapping[str, Mapping[str, int]] = asked_of(job)["qrels"]
    fell = any(one.row.fallback_reason or one.row.error for one in kept)
    rows = [_row(one, _link(plan, mode, slot, asked[one.row.query_id], qrels), first, fell) for one in kept]
    count = numbers.count(len(kept), "query", "queries")
    safe.draw(safe.block(f"{count}, the largest differences first.", "qp-facts", "p"))
    figure = st.column_config.NumberColumn
    safe.table(
        rows, hide_index=True, alt=f"{count} under {names[slot]}, against the original",
        column_config={
            "query": st.column_config.TextColumn(width=280),
            "original": figure(format=digits(first)),
            "transformed": figure(format=digits(first)),
            "difference": figure(format=digits(first, "+")),
            "look": st.column_config.LinkColumn(
                display_text="Compare", help="This query under this transform", width=90
            ),
        },
    )  # fmt: skip
    _open(kept, plan, mode, slot, asked, qrels, job)


def _row(one: QueryOutcome, link: str, measure: str, fell: bool) -> dict[str, object]:
    row, times = one.row, parse(measure).times
    return {
        "query": row.text,
        "difference": times * one.difference,
        "original": times * one.base,
        "transformed": times * one.value,
        "outcome": one.outcome,
        "look": link,
        "category": in_words(row.category),
        "searched": " · ".join(row.queries),
        **({"fell back": row.fallback_reason or row.error or ""} if fell else {}),
        "id": row.query_id,
    }


def _open(
    kept: Sequence[QueryOutcome],
    plan: Plan,
    mode: Mode,
    slot: int,
    asked: Mapping[str, JudgedQuery],
    qrels: Mapping[str, Mapping[str, int]],
    job: Job,
) -> None:
    """The same link where a keyboard and a screen reader find it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="ev_drill"):
        texts = [one.row.text for one in kept]
        place = st.selectbox(
            "Look at one query", range(len(kept)), key=f"ev.drill.{job.id}", width=420,
            format_func=lambda one: safe.sound(texts[one]),
        )  # fmt: skip
        link = _link(plan, mode, slot, asked[kept[place or 0].row.query_id], qrels)
        st.link_button("Open in Compare", link, key="ev_compare")


def _link(plan: Plan, mode: Mode, slot: int, query: JudgedQuery, qrels: Mapping[str, Mapping[str, int]]) -> str:
    """A link never spends: a paid writer is asked only after a press there."""
    relevant = [name for name, grade in qrels.get(query.id, {}).items() if grade > 0]
    link = links.Link(
        corpus=plan.corpus,
        query=query.text,
        mode=mode,
        k=plan.settings(mode).k,
        transforms=(plan.transforms[0], *plan.transforms[slot : slot + 1]),  # a control has none of its own
        writer=None if plan.writer.opens_files else plan.writer.name,
        index=plan.index,
        strategy=plan.strategy or None,
        filter=plan.filter,
        kinds=plan.surfaces,
        history=query.history,
        expected=relevant[0] if relevant else None,
    )
    return links.url(_compare_page(), link)


def _compare_page() -> str:
    """Compare is the page at the root, beside this one."""
    here = (st.context.url or "").split("?", 1)[0].rstrip("/")
    return f"{here.removesuffix('/evaluate')}/"
