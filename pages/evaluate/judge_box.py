"""Who rates what was found: the judge of the next run, its rubric as it is sent, and what it will take."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core import prompts
from ir_core.budget import Estimate
from ir_core.config import MAX_K
from ir_core.errors import BadSetting
from ir_core.evaluation import Judge, JudgePlan, WriterPlan, writer_address
from ir_core.evaluation.judge_estimate import estimate_judge
from ir_core.evaluation.judge_plan import DEFAULT_JUDGED, DEFAULT_REPEATS, MAX_REPEATS
from ir_core.evaluation.judging import JUDGE_TASK
from ir_core.library import JudgedQuery
from ir_core.prompts import Prompt
from ir_core.writers import LOCAL, open_writer
from pages._ui import prompts_state, safe, serving, spending, writers
from pages.evaluate.setup import Ready

SAME, OTHER = "same", "other"
WHO = {SAME: "the writer above", OTHER: "another model"}
STARTS = {"ev_judge_k": DEFAULT_JUDGED, "ev_judge_repeats": DEFAULT_REPEATS, "ev_judge_who": SAME}
NO_MODEL = "The judge has no model. Name one in Judge, or take the judge out."
CORPUS_JUDGE = "The chosen writer cannot judge. Choose another model in Judge, or take the judge out."


def is_on() -> bool:
    return bool(st.session_state.get("ev_judge"))


def show(ready: Ready) -> None:
    state = st.session_state
    for key, value in STARTS.items():
        state.setdefault(key, value)
    with st.popover("Judge: on" if is_on() else "Judge", key="ev_judge_box"):
        st.checkbox(
            "Let a model rate what was found",
            key="ev_judge",
            persist_state="session",
            help="From 0 to 100: do the first hits suffice to answer the query? Without a judge it is not measured.",
        )
        if is_on():
            _settings(ready)


def plan() -> JudgePlan | None:
    """The judge as it is set; None where there is none.

    :raises BadSetting: for one without a model.
    """
    state = st.session_state
    if not is_on():
        return None
    if why := blocked():
        raise BadSetting(why)
    return JudgePlan(
        writer=_other() if state["ev_judge_who"] == OTHER else None,
        k=int(state["ev_judge_k"]),
        repeats=int(state["ev_judge_repeats"]),
        answerer=bool(state.get("ev_answerer")),
        reference=bool(state.get("ev_judge_reference")),
    )


def measures(chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The run's measures: the judge's score before all others where it is to be the primary one."""
    found = plan()
    first = found is not None and st.session_state.get("ev_judge_primary")
    return (*found.measures[:1], *chosen) if found and first else chosen


def blocked() -> str:
    """Why a run cannot be judged as it is set; "" where it can, or is not to be."""
    if not is_on():
        return ""
    if st.session_state.get("ev_judge_who") == OTHER:
        return "" if _model() else NO_MODEL
    choice = writers.current()
    return "" if choice.is_llm and choice.name != LOCAL else CORPUS_JUDGE


def _settings(ready: Ready) -> None:
    st.radio("Who judges", list(WHO), format_func=WHO.__getitem__, key="ev_judge_who", horizontal=True,
             persist_state="session")  # fmt: skip
    if st.session_state["ev_judge_who"] == OTHER:
        st.text_input("Model", key="ev_judge_model", placeholder="provider/model", max_chars=200,
                      persist_state="session", help="Any model string that litellm knows. Its key is read from the "
                      "server's environment.")  # fmt: skip
        if serving.on_this_machine():
            st.text_input("Base URL", key="ev_judge_url", placeholder="the provider's own", max_chars=400,
                          persist_state="session")  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        st.number_input("Hits it reads", min_value=1, max_value=MAX_K, step=1, key="ev_judge_k", width=130,
                        persist_state="session")  # fmt: skip
        st.number_input("Repeats", min_value=1, max_value=MAX_REPEATS, step=1, key="ev_judge_repeats", width=130,
                        persist_state="session", help="Each list is rated so many times, each time anew, at "
                        "temperature 0. The mean counts; the spread says how far it agrees with itself.")  # fmt: skip
    st.checkbox("Its score is the primary measure", key="ev_judge_primary", persist_state="session")
    st.checkbox("Show it the known answers", key="ev_judge_reference", persist_state="session")
    st.checkbox("Let it answer, too", key="ev_answerer", persist_state="session",
                help="One more call for each list of a query with a known answer: from these hits alone, and "
                "compared as SQuAD does.")  # fmt: skip
    if why := blocked():
        safe.notice("warning", why)
    _rubric(ready)


def _rubric(ready: Ready) -> None:
    """The prompt as it stands, which is all that a judge is told."""
    found = _prompt(ready)
    with st.expander("The rubric, as it is sent", key="ev_judge_rubric"):
        edited = ", edited in this visit" if found.edited else ""
        safe.draw(f'<p class="qp-facts">{safe.text(f"{found.id}, version {found.version}{edited}")}</p>')
        for name, text in (("System", found.system), ("User", found.user)):
            safe.draw(
                f'<pre class="qp-prompt" tabindex="0" role="region" aria-label="{name} text" dir="auto" '
                f'lang="{safe.text(found.language)}">{safe.text(text.strip())}</pre>'
            )


def _prompt(ready: Ready) -> Prompt:
    bank = prompts.load(JUDGE_TASK, ready.engine.index.manifest.language)
    return prompts_state.edited().get(bank.id, bank) if st.session_state["ev_judge_who"] == SAME else bank


def estimate(ready: Ready, queries: Sequence[JudgedQuery], n_columns: int) -> Estimate | None:
    """What judging will take, beside what the texts do; None where there is no judge.

    :param n_columns: lists that each query will have in one mode, the original's and the controls' among them.
    :raises QueryPrismError: for a judge that cannot be asked.
    """
    found = plan()
    if found is None:
        return None
    judge = Judge(_opened(ready), found)
    return estimate_judge(
        judge, queries, n_columns * len(ready.modes), ready.engine.index,
        spent=spending.visit().spent(judge.writer.name),
    )  # fmt: skip


def _opened(ready: Ready) -> writers.Writer:
    other = _other()
    if st.session_state["ev_judge_who"] == OTHER:
        return open_writer(other.name, index=ready.engine.index, base_url=other.base_url)
    return writers.open_chosen(writers.current(), ready.engine.index)


def _model() -> str:
    return str(st.session_state.get("ev_judge_model") or "").strip()


def _other() -> WriterPlan:
    typed = str(st.session_state.get("ev_judge_url") or "").strip() if serving.on_this_machine() else ""
    return WriterPlan(_model(), _model(), writer_address(typed)[0])
