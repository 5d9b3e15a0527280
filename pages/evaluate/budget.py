"""What the next run will take, its caps, and what leaves this machine: of all its parts, and of each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.budget import Estimate, Sent, by_host, in_sentences
from ir_core.errors import QueryPrismError
from ir_core.evaluation import Plan, estimate_plan, in_split, judged_queries
from ir_core.protocols import Writer
from pages._ui import numbers, safe, spending, writers
from pages.evaluate import judge_box
from pages.evaluate.asking import Asked


def show(asked: Asked, plan: Plan) -> None:
    ready = asked.ready
    try:
        opened = [writers.open_chosen(one, engine.index) for engine, _ in asked.indexes for one in asked.writers]
        queries, _ = judged_queries(in_split(ready.queries, ready.split), ready.qrels)
        found = estimate_plan(
            plan, opened, queries, corpus_language=ready.engine.index.manifest.language,
            spent=[spending.visit().spent(one.name) for one in opened],
        )  # fmt: skip
        judge = judge_box.estimate(ready, queries, asked.n_parts * (len(plan.transforms) + len(plan.controls)))
    except QueryPrismError as error:
        safe.draw(f'<p class="qp-facts">{safe.text(error)}</p>', width="content")
        return
    asks = [writer.is_llm for writer in opened]
    safe.draw(f'<p class="qp-facts">{safe.text(line(found, opened, judge))}</p>', width="content")
    if not any(asks) and judge is None:
        return
    with st.popover("Budget", key="ev_budget_box"):
        with st.container(horizontal=True, gap="small"):
            for label, key, step in (("Calls at most", "ev_calls", 1), ("Dollars at most", "ev_usd", 0.01)):
                st.number_input(
                    label, key=key, value=None, min_value=type(step)(0), step=step, placeholder="no cap",
                    format=None if isinstance(step, int) else "%g", persist_state="session",
                )  # fmt: skip
        told = "At the cap the run pauses; what is done is kept, and a higher cap lets it go on."
        safe.draw(f'<p class="qp-facts">{told}</p>')
        unpriced = any(one.cost_usd is None for one, is_llm in zip(found, asks, strict=True) if is_llm)
        if unpriced and st.session_state.get("ev_usd") is not None:
            said = "As long as no price is known for this model, a cap in dollars cannot hold."
            safe.notice("warning", f"{said} Cap the calls, or set its price in Writer.")
        _each(plan, opened, found, judge)


def line(found: Sequence[Estimate], opened: Sequence[Writer], judge: Estimate | None) -> str:
    """All parts in one sentence; a sum with an unknown in it is unknown.

    :param opened: the writer of each part.
    """
    free = sum(one.calls for one, writer in zip(found, opened, strict=True) if not writer.is_llm)
    paid = [one for one, writer in zip(found, opened, strict=True) if writer.is_llm]
    names = dict.fromkeys(writer.label for writer in opened if writer.is_llm)
    parts = [f"{len(found)} parts"] if len(found) > 1 else []
    if free:
        parts.append(f"≈ {numbers.count(free, 'text')} to write, $0")
    if paid:
        seconds = numbers.total([one.seconds for one in paid])
        cost = numbers.total([one.cost_usd for one in paid])
        parts.append(f"≈ {numbers.count(sum(one.calls for one in paid), 'call')} to {' and '.join(names)}")
        told = [
            "time unknown" if seconds is None else f"~{numbers.seconds(seconds)}",
            "cost unknown" if cost is None else f"~{numbers.dollars(cost)}",
        ]
        parts += told if seconds is not None or cost is not None else ["time and cost unknown"]
    if judge:
        cost = "cost unknown" if judge.cost_usd is None else f"~{numbers.dollars(judge.cost_usd)}"
        parts.append(f"judge: at most {numbers.count(judge.calls, 'call')}, {cost}")
    goes: dict[str, list[str]] = {}
    for sent in by_host(_sent(found, opened, judge)):
        goes.setdefault(sent.what, []).append(sent.host)
    told = [f"{what} go to {' and '.join(hosts)}" for what, hosts in goes.items()]
    text = " · ".join([*parts, "; ".join(told) or "nothing leaves this machine"])
    return text if paid or judge else text.replace(" · nothing", ", nothing")


def _sent(found: Sequence[Estimate], opened: Sequence[Writer], judge: Estimate | None) -> list[Sent | None]:
    """What each that is asked is sent; a writer that is no model sends nothing."""
    asked = [one.sent for one, writer in zip(found, opened, strict=True) if writer.is_llm]
    return [*asked, judge.sent if judge else None]


def _each(plan: Plan, opened: Sequence[Writer], found: Sequence[Estimate], judge: Estimate | None) -> None:
    """What leaves the machine, and of several parts what each takes at most: the same writer finds replies kept."""
    if len(found) > 1:
        rows = [
            {
                "part": part.part_name,
                "calls" if writer.is_llm else "texts": one.calls,
                "kept": one.kept,
                "cost": numbers.dollars(one.cost_usd),
            }
            for part, writer, one in zip(plan.parts(), opened, found, strict=True)
        ]
        safe.table(rows, hide_index=True, placeholder="–", alt="What each part of the run will take at most")
        told = "At most: where an earlier part asks the same, its reply is kept."
        safe.draw(f'<p class="qp-facts">{told}</p>')
    leaves = in_sentences(_sent(found, opened, judge))
    safe.draw(f'<p class="qp-facts">{safe.text(" ".join(leaves))}</p>')
