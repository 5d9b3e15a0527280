"""Asking servers about models, on a click only: which ones there are, and whether one answers. In a job, never in the
page's own run; what the job keeps for the page holds no key."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ir_core.errors import QueryPrismError, WriterError
from ir_core.schema import Call
from ir_core.secrets import Secret, host_of, redacted
from ir_core.writers.llm import LlmWriter, Price, available_models, probe
from pages._ui import keys, numbers, resources, safe, spending
from pages._ui.jobs import NEWER, Emit, Job

LISTING, TESTING = "models_job", "test_job"
LOOK_S = 0.5
MAX_LISTED = 2_000


@dataclass(frozen=True)
class Listing:
    """``models`` is empty before a click, while a server is asked, and after a failure; ``job`` says which."""

    job: Job | None
    models: list[str]


def listing(base_url: str) -> Listing:
    """What was listed for this server in this visit."""
    job = _job(LISTING, ("list", base_url))
    return Listing(job, job.result if job and job.is_over and job.result else [])


def list_button(found: Listing, base_url: str) -> None:
    told = f"{_asked_at(base_url)} will be asked."
    _button("List models", "list_models", found.job, told, _list, base_url)


def test_button(model: str, base_url: str, price: Price | None) -> None:
    job = _job(TESTING, ("test", model, base_url))
    _button("Test", "test_model", job, "Asks the model for one word.", _test, model, base_url, price, off=not model)


def outcome(found: Listing, model: str, base_url: str) -> None:
    """What came of both, each in a sentence."""
    tested = _job(TESTING, ("test", model, base_url))
    for job in (found.job, tested):
        if job and not job.is_over:
            _look(job.id)
    if found.job and found.job.is_over:
        if found.job.error:
            safe.notice("error", found.job.error)
        elif not found.models:
            safe.notice("info", f"{_asked_at(base_url)} listed no model, or did not answer. Type the model's name.")
    if tested and tested.is_over:
        if tested.error:
            safe.notice("error", tested.error)
        elif tested.result:
            safe.notice("success", ready(tested.result))


def _asked_at(base_url: str) -> str:
    return host_of(base_url) or "The providers whose keys are in the environment"


def ready(call: Call) -> str:
    """How fast and at what cost a model answered; what nobody said is called unknown."""
    tokens = None if call.tokens_in is None or call.tokens_out is None else call.tokens_in + call.tokens_out
    first = "unknown" if call.first_token_s is None else numbers.seconds(call.first_token_s)
    cost = "cost unknown" if call.cost_usd is None else numbers.dollars(call.cost_usd)
    counted = "tokens unknown" if tokens is None else numbers.count(tokens, "token")
    return f"Ready: {first} to the first token, {counted}, {cost}."


def _button(
    label: str, key: str, job: Job | None, told: str, act: Callable[..., None], *args: Any, off: bool = False
) -> None:
    busy = job is not None and not job.is_over
    st.button(
        label, key=key, icon="spinner" if busy else None, disabled=off or busy, on_click=act, args=args,
        help=safe.label(told, 120),
    )  # fmt: skip


def _job(slot: str, asked: tuple[str, ...]) -> Job | None:
    job = resources.questions().get(st.session_state.get(slot))
    return job if job and job.asked == asked else None


@st.fragment(run_every=LOOK_S)
def _look(job_id: str) -> None:
    """Draws the page again once the job is over."""
    job = resources.questions().get(job_id)
    if job is None or job.is_over:
        st.rerun()


def _list(base_url: str) -> None:
    secret = keys.current()

    def work(cancel: threading.Event) -> list[str]:
        key = secret.reveal() if secret else None
        return available_models(ask_servers=True, api_base=base_url or None, api_key=key)[:MAX_LISTED]

    _start(LISTING, ("list", base_url), work, secret, "The models could not be listed")


def _test(model: str, base_url: str, price: Price | None) -> None:
    secret, purse = keys.current(), spending.visit()

    def work(cancel: threading.Event) -> Call:
        key = secret.reveal() if secret else None
        call = probe(LlmWriter(model, api_key=key, api_base=base_url or None, price=price), cancel=cancel)
        purse.pay(call, None)
        return call

    _start(TESTING, ("test", model, base_url), work, secret, "The test failed")


def _start(
    slot: str, asked: tuple[str, ...], work: Callable[[threading.Event], Any], secret: Secret | None, failed: str
) -> None:
    jobs = resources.questions()
    if before := jobs.get(st.session_state.get(slot)):
        before.stop(NEWER)

    def guarded(emit: Emit, cancel: threading.Event) -> Any:
        try:
            return work(cancel)
        except QueryPrismError as error:
            said = redacted(str(error), secret)
        except Exception as error:
            said = f"{failed}: {type(error).__name__}. Check the name, the key and the base URL."
        # Outside the handlers: no client's exception, which may quote the key, hangs on to this one.
        raise WriterError(said)

    st.session_state[slot] = jobs.start(asked, guarded).id
