"""What a comparison will take, what this visit has spent, and the caps on both."""

from __future__ import annotations

import threading

import streamlit as st

from ir_core import visits
from ir_core.budget import Cap, Estimate, Purse, Spent
from ir_core.writers import llm
from pages._ui import keys, numbers, resources, safe, serving
from pages._ui.jobs import Job

CAPS = {"run": "this comparison", "visit": "this visit"}
WAY_OUT = "Raise it in Budget, beside the transforms."
UNCAPPED = "with no known price only calls can be capped"
_loading = threading.Event()


def purses() -> tuple[Purse, Purse]:
    """A new one for the run that begins, and the visit's, under the caps of now. To be called by the script."""
    return Purse(_cap("run"), what=CAPS["run"], way_out=WAY_OUT), visit()


def visit() -> Purse:
    """What this visit has spent; it is gone with the visit. On a shared server a new tab is no new visit, and calls
    on the server's own keys have a cap that only whoever runs it raises."""
    who = visits.owner()
    if who is None:
        purse: Purse = st.session_state.setdefault("purse", Purse(what=CAPS["visit"], way_out=WAY_OUT))
        purse.cap = _cap("visit")
        return purse
    purse = resources.purses().of(who, lambda: Purse(what=CAPS["visit"], way_out=WAY_OUT))
    purse.cap = _cap("visit")
    if keys.current() is None:
        most = serving.calls_per_visit()
        calls = purse.cap.max_calls
        purse.cap = Cap(most if calls is None else min(calls, most), purse.cap.max_usd)
    return purse


def is_news(job: Job) -> bool:
    """True once for each comparison that is over and may have changed what the boxes above it say (what was spent,
    kept and recorded): they were drawn before it was followed. The page is then drawn once more."""
    state = st.session_state
    if state.get("counted") == job.id or not (job.asked.asked.writer.is_llm or state.get("record_on")):
        return False
    state["counted"] = job.id
    return True


def line(found: Estimate, *, is_llm: bool) -> str:
    """All of it in one line; the popover has the rest."""
    if not is_llm:
        return f"≈ {numbers.count(found.calls, 'text')} to write, $0, nothing leaves this machine"
    if not found.calls and not found.sends_to:
        return "no calls, $0, nothing leaves this machine"
    cost = "cost unknown" if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}"
    parts = [
        f"≈ {numbers.count(found.calls, 'call')}{_kept(found)}",
        "tokens unknown" if found.tokens is None else f"~{numbers.count(_rounded(found.tokens), 'token')}",
        *([] if found.seconds is None else [f"~{numbers.seconds(found.seconds)}"]),
        cost,
        f"your query goes to {found.sends_to}" if found.sends_to else "nothing leaves this machine",
        *([UNCAPPED] if found.cost_usd is None and _in_dollars() else []),
    ]
    return " · ".join(parts)


def box(found: Estimate) -> None:
    """The popover beside the line: what is expected and what leaves, the caps, what was spent."""
    if found.sends_to:
        _load_prices()
    with st.popover("Budget", key="budget_box"):
        expected = {
            "calls": numbers.count(found.calls) + _kept(found),
            "tokens": "unknown"
            if found.tokens is None
            else f"~{numbers.count(found.tokens_in)} in, ~{numbers.count(found.tokens_out)} out",
            "time": numbers.UNKNOWN if found.seconds is None else f"~{numbers.seconds(found.seconds)}",
            "cost": numbers.UNKNOWN if found.cost_usd is None else f"~{numbers.dollars(found.cost_usd)}",
        }
        rows = "".join(f"<dt>{name}</dt><dd>{safe.text(value)}</dd>" for name, value in expected.items())
        told = (
            "Tokens are counted by characters, replies at their usual length, time by this visit's calls. "
            "A reply kept from before takes nothing, unless it is asked for anew."
        )
        safe.draw(f'<dl class="qp-facts-list">{rows}</dl><p class="qp-facts">{told}</p>')
        safe.draw(f'<p class="qp-facts">{safe.text(" ".join(found.leaves))}</p>')
        for name in CAPS:
            with st.container(horizontal=True, gap="small"):
                _number(f"Calls per {name}", f"cap_{name}_calls", 1)
                _number(f"Dollars per {name}", f"cap_{name}_usd", 0.01)
        safe.draw('<p class="qp-facts">A cap stops the calls that would go beyond it; what is done is kept.</p>')
        if found.cost_usd is None and _in_dollars():
            said = "As long as no price is known for this model, a cap in dollars cannot hold."
            safe.notice("warning", f"{said} Cap the calls, or set its price in Writer.")
        safe.draw(f'<p class="qp-facts">This visit so far: {safe.text(_so_far(visit().spent()))}</p>')


def _kept(found: Estimate) -> str:
    """Calls with a kept reply are counted apart; the other figures are of the rest."""
    return f", {numbers.count(found.kept)} kept" if found.kept else ""


def _number(label: str, key: str, step: float) -> None:
    st.number_input(
        label,
        key=key,
        value=None,
        min_value=type(step)(0),
        step=step,
        format=None if isinstance(step, int) else "%g",
        placeholder="no cap",
        persist_state="session",
    )


def _cap(name: str) -> Cap:
    calls, dollars = st.session_state[f"cap_{name}_calls"], st.session_state[f"cap_{name}_usd"]
    return Cap(None if calls is None else max(0, int(calls)), None if dollars is None else max(0.0, float(dollars)))


def _in_dollars() -> bool:
    return any(_cap(name).max_usd is not None for name in CAPS)


def _so_far(spent: Spent) -> str:
    if not spent.calls:
        return "no calls."
    parts = [
        numbers.count(spent.calls, "call"),
        numbers.count(spent.tokens_in + spent.tokens_out, "token"),
        *([numbers.dollars(spent.cost_usd)] if spent.cost_usd or (spent.answered and not spent.unpriced) else []),
        *([f"the cost of {numbers.count(spent.unpriced, 'call')} unknown"] if spent.unpriced else []),
    ]
    return ", ".join(parts) + "."


def _rounded(tokens: int) -> int:
    """It is an estimate: two figures are enough."""
    digits = max(0, len(str(tokens)) - 2)
    return round(tokens, -digits)


def _load_prices() -> None:
    """Once per process and behind the page: the table of prices is part of litellm, whose import takes seconds."""
    if serving.is_served() and not _loading.is_set():
        _loading.set()
        threading.Thread(target=llm.warm_up, name="prices", daemon=True).start()
