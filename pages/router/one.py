"""One query from top to bottom: the form, the decision, another label with one click, what it took, both results."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core.config import MAX_QUERY_CHARS
from ir_core.errors import QueryPrismError
from ir_core.router import LABELS, TITLES, RouteTable, save_label
from pages._ui import links, safe, state, trouble
from pages._ui.jobs import BY_HAND, Job, follow
from pages.router import asking, costs, decision, held, result_cards, running, sharing
from pages.router.choosing import Chosen
from pages.router.running import Asked, Found
from pages.router.setup import Ready

SLOT = "rt_job"


def show(ready: Ready, decider: Chosen, table: RouteTable) -> None:
    asked, wanted = asking.ask(ready, decider, table)
    if wanted:
        job = running.start(ready, asked, SLOT, with_original=True)
        sharing.remember(sharing.params_for(ready, asked, with_history=st.session_state["rt_share_history"]))
    if asked.writer.missing:
        safe.notice("warning", asked.writer.missing, detail="The corpus writer needs neither key nor model.")
    place = st.empty()
    found_job = running.job_of(ready, SLOT)
    if found_job is None:
        with place:
            safe.notice("info", _waiting_for(asked))
        return
    job = found_job
    if not job.is_over:
        with place.container(horizontal=True, vertical_alignment="center"):
            safe.draw('<p class="qp-doing" role="status">Deciding, and taking the route</p>', width="content")
            st.button("Cancel", key="rt_cancel", on_click=job.stop, args=(BY_HAND,))
        follow(job, lambda _: None)
        place.empty()
    _outcome(ready, job, asked)


def _waiting_for(asked: Asked) -> str:
    if not asked.queries[0].text:
        return "Nothing is typed yet. Type a question as you would ask it, or take an example, then press Route."
    if asked.writer.may_cost:
        return f"Filled in and waiting: pressing Route may ask {asked.writer.label}, which may cost money."
    return "Press Route to see which kind of query this is, and what the table does with it."


def _outcome(ready: Ready, job: Job, now: Asked) -> None:
    if job.error is not None:
        job.error = trouble.told(job.error)
        safe.notice("error", job.error)
        return
    if not job.events:
        safe.notice("info", "Stopped before the route was taken. Press Route to begin again.")
        return
    then: Asked = job.asked.asked
    found = held.at_threshold(job.events[0], then, now)
    if stale(then, now, ready, job):
        safe.notice("info", "What is set above has changed since this was routed. Press Route to route it anew.")
    _notices(found)
    wanted = held.wanted(found, then, now)
    safe.draw(decision.decided(found.routed, then.table, wanted))
    if wanted is not None:
        safe.notice("info", "At this threshold another route is called for, which was not taken. Press Route to take "
                    "it; below is the original.")  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", key="rt_override_row", gap="small"):
        _override(ready, found)
    safe.heading("What it took", 2)
    costs.show(ready, found, now.writer)
    result_cards.show(ready, found)
    with st.container(horizontal=True, vertical_alignment="center", key="rt_onward"):
        _onward(ready, found)
    _link(ready, then, found)


def stale(then: Asked, now: Asked, ready: Ready, job: Job) -> bool:
    """Another threshold is read off what was found: it makes nothing stale."""
    alike = replace(now, decider=then.decider) if held.differs_in_threshold(then, now) else now
    return bool(running.order_of(ready, alike) != job.asked)


def _notices(found: Found) -> None:
    first, then = found.routed.decision, found.routed.then
    for one in (first, *([then] if then and then is not first else [])):
        if one.fallback_reason:
            safe.notice("warning", one.fallback_reason)
    made = found.routed.result.formulation
    if then is not None:
        written = [text for call in made.calls if call.task == "condense" for text in call.texts]
        text = written[0] if written else made.queries[0].text
        safe.notice("info", f"It follows up on what was said, so it was condensed first: “{text}”.")
    if made.skip_reason and found.routed.transform == "no_search":
        safe.notice("info", "Nothing was searched: small talk asks for nothing that a document could answer.")


def _override(ready: Ready, found: Found) -> None:
    safe.draw('<p class="qp-row-label">Decide yourself</p>', width="content")
    st.pills(
        "Another label", list(LABELS), format_func=lambda name: safe.label(TITLES[name]), key="rt_override",
        label_visibility="collapsed", on_change=_ask_again, wrap=True,
    )  # fmt: skip
    label = found.routed.decision.label
    if found.routed.decision.decider == "you":
        st.button(
            "Keep as an example", key="rt_keep_label", on_click=_keep, args=(ready.corpus, found.query.text, label),
            help="The Examples decider learns from it.", type="tertiary",
        )  # fmt: skip


def _ask_again() -> None:
    st.session_state["rt_ask"] = True


def _keep(corpus: str, text: str, label: str) -> None:
    try:
        save_label(corpus, text[:MAX_QUERY_CHARS], label)
        safe.passing(f"Kept: “{text}” is {TITLES[label]}.")
    except QueryPrismError as error:
        st.session_state["rt_problems"] = [str(error)]


def _onward(ready: Ready, found: Found) -> None:
    if st.button("Open in Compare", key="rt_compare", help="The original and this route, side by side."):
        state.fill(in_compare(ready, found))
        st.session_state["ask"] = st.session_state["writer"] != "model"
        st.switch_page("pages/compare/page.py")


def in_compare(ready: Ready, found: Found) -> links.Link:
    routed = found.routed
    own: tuple[tuple[str, Any], ...] = ()
    if routed.transform not in {"no_search", "identity"}:
        own = ((routed.transform, routed.settings),)
    return links.Link(
        corpus=ready.corpus, query=found.query.text, mode=ready.mode, k=ready.k, transforms=(("identity", {}), *own),
        history=tuple(dict(turn) for turn in found.query.history),
    )  # fmt: skip


def _link(ready: Ready, asked: Asked, found: Found) -> None:
    with st.expander("A link that routes the same", key="rt_link_box"):
        if found.query.history:
            st.checkbox(
                "Put the conversation into the link, too", key="rt_share_history", persist_state="session",
                help="Whoever has the link can then read what was said before the query.",
            )  # fmt: skip
        params = sharing.params_for(ready, asked, with_history=st.session_state["rt_share_history"])
        st.code(sharing.url(params), language=None, wrap_lines=True)
