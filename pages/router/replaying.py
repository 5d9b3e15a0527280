"""A replay: the corpus' judged queries through every route of the tables, as a job; started, listed, and opened."""

from __future__ import annotations

import streamlit as st

from ir_core.budget import Estimate
from ir_core.compare import DEFAULT_TRANSFORMS, Choice
from ir_core.errors import QueryPrismError
from ir_core.evaluation import SPLITS, Plan, estimate_run, in_split, judged_queries
from ir_core.evaluation.measures import FAMILIES
from ir_core.evaluation.replay_job import create_replay
from ir_core.jobs import JobStore
from ir_core.library import JudgedQuery
from ir_core.router import RouteTable, published
from pages._ui import evaluations, numbers, resources, run_list, safe, spending, writers
from pages._ui.query_sets import box
from pages.router import replay_panel
from pages.router.choosing import Chosen
from pages.router.family import REPLAYS
from pages.router.setup import Ready

CUTOFF = 10
BASELINES: tuple[Choice, ...] = tuple((name, {}) for name in (*DEFAULT_TRANSFORMS, "condense"))


def show(ready: Ready, decider: Chosen, table: RouteTable) -> None:
    opened = REPLAYS.opened()
    with st.container(key="rt_new"):
        _new(ready, decider, table)
    with st.container(key="rt_runs"):
        run_list.show(REPLAYS, opened)
    with st.container(key="rt_run_box"):
        if opened:
            safe.guarded(lambda: replay_panel.show(opened))


def tables_for(table: RouteTable) -> list[RouteTable]:
    """The one of now first, then those that come with the program."""
    return [table, *(one for name, one in published().items() if name != table.name)]


def _new(ready: Ready, decider: Chosen, table: RouteTable) -> None:
    safe.draw(
        '<p class="qp-lead">Every judged query through every route once. From that is read what routing gives '
        "against always the same, chance, and the best there was.</p>"
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="rt_replay_setup"):
        named = box.choose(ready.corpus, "rt_set")
        queries = list(resources.queries(ready.corpus, named))
        counted = {split: len(in_split(queries, split)) for split in SPLITS}
        split = st.selectbox(
            "Queries", SPLITS, key="rt_split", width=170, persist_state="session",
            format_func=lambda one: f"{'all' if one == 'all' else f'{one} half'} ({counted[one]:,})",
            help="Of all, figures are those of the test half; the best single transform and a threshold are chosen "
            "on the tune half.",
        )  # fmt: skip
        family = st.selectbox(
            "Measure", list(FAMILIES), key="rt_measure", width=190, persist_state="session",
            format_func=lambda one: f"{FAMILIES[one]}@{CUTOFF}",
        )  # fmt: skip
        judged, _ = judged_queries(in_split(queries, str(split)), resources.judgements(ready.corpus, named))
        choice = writers.current()
        st.button(
            "Start the replay", type="primary", key="rt_start", disabled=not judged or bool(choice.missing),
            on_click=_start, args=(ready, decider, table, str(split), f"{family}@{CUTOFF}", named),
        )  # fmt: skip
    if not judged:
        safe.notice("info", f"{ready.title} has no judged queries here, so there is nothing to replay. A folder with "
                    "queries.jsonl and qrels beside its files has some.")  # fmt: skip
    elif choice.missing:
        safe.notice("warning", choice.missing)
    else:
        _budget(ready, table, judged)
    if problem := st.session_state.pop("rt_start_problem", None):
        safe.notice("error", problem)


def _budget(ready: Ready, table: RouteTable, judged: list[JudgedQuery]) -> None:
    choices = {repr(one): one for one in BASELINES}
    for each in tables_for(table):
        found = [(one.transform, dict(one.settings)) for one in each.choices if one.transform != "no_search"]
        choices |= {repr(one): one for one in found}
    try:
        writer = writers.open_chosen(writers.current(), ready.engine.index)
        seen = estimate_run(
            list(choices.values()), writer, judged, corpus_language=ready.engine.index.manifest.language,
            spent=spending.visit().spent(writer.name),
        )  # fmt: skip
    except QueryPrismError as error:
        safe.notice("warning", error)
        return
    said = f"{numbers.count(len(judged), 'query', 'queries')} · {_line(seen, writer.is_llm)}"
    safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>')
    if writer.is_llm:
        safe.draw(f'<p class="qp-facts">{safe.text(" ".join(seen.leaves))}</p>')
        with st.container(horizontal=True, gap="small", key="rt_caps"):
            for label, key, step in (("Calls at most", "rt_calls", 1), ("Dollars at most", "rt_usd", 0.01)):
                st.number_input(
                    label, key=key, value=None, min_value=type(step)(0), step=step, placeholder="no cap", width=160,
                    format=None if isinstance(step, int) else "%g", persist_state="session",
                )  # fmt: skip


def _line(found: Estimate, is_llm: bool) -> str:
    if not is_llm:
        return f"≈ {numbers.count(found.calls, 'text')} to write, $0, nothing leaves this machine"
    parts = [
        f"≈ {numbers.count(found.calls, 'call')} and the decider's own",
        "time unknown" if found.seconds is None else f"~{numbers.seconds(found.seconds)}",
        "cost unknown" if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}",
    ]
    return " · ".join(parts)


def _start(ready: Ready, decider: Chosen, table: RouteTable, split: str, measure: str, named: str | None) -> None:
    state, queries = st.session_state, list(resources.queries(ready.corpus, named))
    tested = {query.text for query in queries if query.split == "test"}
    examples = [one for one in ready.examples() if one.text not in tested]
    try:
        plan = Plan(
            corpus=ready.corpus,
            index=ready.engine.index.manifest.fingerprint,
            transforms=BASELINES,
            modes=(ready.mode,),
            measures=(measure,),
            split=split,
            query_set=named,
            writer=evaluations.writer_plan(writers.current()),
            max_calls=state.get("rt_calls"),
            max_usd=state.get("rt_usd"),
        )
        job = create_replay(
            plan, tables_for(table), decider, queries, resources.judgements(ready.corpus, named), title=ready.title,
            store=JobStore(), examples=examples,
        )  # fmt: skip
        REPLAYS.open_run(evaluations.start(job).id)
    except QueryPrismError as error:
        state["rt_start_problem"] = str(error)
