"""Stability: one transform asked several times, and how alike what it finds is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core.analysis.stability import MAX_TIMES, Stability, stability
from ir_core.budget import estimate
from ir_core.errors import QueryPrismError
from ir_core.schema import SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import keys, numbers, safe, spending, trouble, writers
from pages._ui.jobs import BY_HAND, Job, follow
from pages.compare import repeating, wanted
from pages.compare.instruments._flow import flow
from pages.compare.repeating import Again
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Stability"
ORDER = 65


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    choices = {name: settings for name, settings in asked.choices if TRANSFORMS.get(name).needs_writer}
    if not choices:
        safe.notice("info", "No transform that asks a writer was chosen, so nothing could come out differently.")
        return
    safe.draw(
        '<p class="qp-lead">The same transform of the same query, asked several times past all kept replies: how far '
        "what it finds hangs on chance.</p>"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="stability_row"):
        name = st.selectbox(
            "Transform",
            list(choices),
            format_func=lambda one: safe.sound(TRANSFORMS.get(one).label),
            key="stability_of",
            width=280,
        )
        name = name if name in choices else next(iter(choices))
        times = int(st.number_input("Times", 2, MAX_TIMES, 3, key="stability_times", width=110))
        may = _foreseen(ready, asked, name, choices[name], times)
        st.button(
            "Ask again and again",
            key="stability_go",
            disabled=not may,
            on_click=_start,
            args=(ready, asked, name, choices[name], times),
        )
        cancel = st.empty()
    job = repeating.current(ready, asked)
    if job is not None:
        _follow(ready, asked, job, cancel)


def _foreseen(ready: Ready, asked: Asked, name: str, settings: Mapping[str, Any], times: int) -> bool:
    """Says what it will take; False where it cannot be asked."""
    if writers.current().source != asked.writer.source:
        safe.draw('<p class="qp-facts">The writer was changed since. Press Compare first.</p>', width="content")
        return False
    try:
        writer = writers.open_chosen(asked.writer, ready.engine.index)
    except QueryPrismError as error:
        safe.notice("warning", error)
        return False
    one = estimate(
        [(name, settings)], writer, asked.query, asked.history, corpus_language=ready.manifest.language,
        spent=spending.visit().spent(writer.name), anew=True,
    )  # fmt: skip
    said = spending.line(
        replace(
            one,
            calls=one.calls * times,
            tokens_in=None if one.tokens_in is None else one.tokens_in * times,
            tokens_out=None if one.tokens_out is None else one.tokens_out * times,
            seconds=None if one.seconds is None else one.seconds * times,
            cost_usd=None if one.cost_usd is None else one.cost_usd * times,
        ),
        is_llm=writer.is_llm,
    )
    safe.draw(safe.block(said, "qp-facts", "p"), width="content")
    return True


def _start(ready: Ready, asked: Asked, name: str, settings: Mapping[str, Any], times: int) -> None:
    """A callback: the key typed in this visit is read here, and goes to the writer only."""
    repeating.start(
        ready, replace(asked, writer=replace(asked.writer, api_key=keys.current())), name, settings, times
    )


def _follow(ready: Ready, asked: Asked, job: Job, cancel: Any) -> None:
    again: Again = job.asked
    place = st.empty()
    if not job.is_over:
        cancel.button("Cancel", key="stability_cancel", on_click=job.stop, args=(BY_HAND,))
    runs: list[SearchResult] = []

    def draw(events: list[Any]) -> None:
        runs.extend(events)
        with place:
            said = f"{TRANSFORMS.get(again.transform).label}: {len(runs)} of {again.times} finished"
            safe.draw(f'<p class="qp-facts" role="status">{safe.text(said)}</p>')

    if not job.is_over and asked.writer.is_llm:
        wanted.draw_page()  # what was spent stands above
    follow(job, draw)
    cancel.empty()
    if job.error is not None:
        safe.notice("error", trouble.told(job.error))
    judged = wanted.judged(ready, asked.query)
    found = stability(runs, asked.k, judged)
    if found is None:
        stopped = "It was stopped" if job.stopped else "It ended"
        safe.notice("info", f"{stopped} before there were two runs to compare.")
        return
    _told(found, asked.k, runs)
    flow(
        runs,
        ["Run"] * len(runs),
        asked.k,
        key="chart_stability",
        expected=st.session_state["expected"],
        relevant=judged,
    )
    rows = []
    for number, run in enumerate(runs):
        made = run.formulation
        rows.append(
            {
                "run": str(number + 1),
                "texts": " · ".join(query.text for query in made.queries if query.id != made.original.id)
                or "the original only",
                **({f"nDCG@{asked.k}": f"{found.ndcg[number]:.3f}"} if found.ndcg else {}),
                **({"fell back": made.fallback_reason or ""} if found.fell_back else {}),
            }
        )
    wide = {"texts": st.column_config.TextColumn(width="large")}
    safe.table(rows, hide_index=True, column_config=wide, alt="What each run wrote, and how well it did")


def _told(found: Stability, k: int, runs: Sequence[SearchResult]) -> None:
    if found.fell_back:
        which = numbers.count(found.fell_back, "run")
        safe.notice(
            "warning", f"{which} of {found.n} fell back to the original.", detail="The reason is in the table."
        )
    if found.is_the_same:
        written_by = runs[0].formulation.written_by
        why = {
            "corpus": " This writer has no chance in it: it counts.",
            "authored": " These are a person’s examples, not a model’s.",
            "recorded": " These are recorded texts.",
        }.get(written_by or "", "")
        safe.notice("success", f"The same every time: {found.n} runs wrote the same and found the same.{why}")
        return
    parts = [
        f"{numbers.count(found.distinct_texts, 'different text', 'different texts')} and "
        f"{numbers.count(found.distinct_lists, 'different list')} in {found.n} runs."
    ]
    if found.jaccard is not None and found.rbo is not None:
        parts.append(
            f"Between two runs: Jaccard@{k} {found.jaccard:.2f} on average, {found.least_jaccard:.2f} at least; "
            f"RBO {found.rbo:.2f}, {found.least_rbo:.2f} at least (1 is the same list)."
        )
    if found.ndcg and found.ndcg_spread is not None:
        parts.append(
            f"nDCG@{k} from {min(found.ndcg):.3f} to {max(found.ndcg):.3f}, "
            f"standard deviation {found.ndcg_spread:.3f}."
        )
    safe.draw(safe.block(" ".join(parts), "qp-lead", "p"))
