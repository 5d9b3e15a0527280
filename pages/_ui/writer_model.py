"""Any model: its name, the server it is asked at, its key and its price, a list of what there is, and a test."""

from __future__ import annotations

import os

import streamlit as st

from ir_core.secrets import host_of
from ir_core.writers.llm import DEADLINE_S, Price
from pages._ui import keys, safe, serving, writer_asking

LISTED = "QUERY_PRISM_BASE_URLS"
"""Base URLs that visitors from elsewhere may choose among, separated by commas."""
MAX_NAME = 200
MAX_DEADLINE_S = 120
"""Nobody waits longer before a page."""


def name() -> str:
    """The model string, "" while none is typed."""
    return str(st.session_state["model"] or "").strip()[:MAX_NAME]


def base_url() -> str:
    """ "" is the provider's own. Typed on this machine only; elsewhere one of the server's list."""
    if serving.on_this_machine():
        return str(st.session_state["base_url"] or "").strip()
    chosen = st.session_state.get("base_url_listed") or ""
    return chosen if chosen in listed_urls() else ""


def listed_urls() -> list[str]:
    return [url.strip() for url in os.environ.get(LISTED, "").split(",") if host_of(url.strip())]


def price() -> Price | None:
    """What was set for this model; None where it was not, or only half of it."""
    dollars = [st.session_state.get(key) for key in _price_keys()]
    return None if None in dollars else Price(*(float(value or 0) for value in dollars))


def deadline_s() -> float:
    """Seconds for one reply, its tries counted."""
    return float(st.session_state.get("deadline") or DEADLINE_S)


def section() -> None:
    listing = writer_asking.listing(base_url())
    st.text_input(
        "Model",
        key="model",
        placeholder="provider/model",
        max_chars=MAX_NAME,
        persist_state="session",
        help="Any model string that litellm knows.",
    )
    if models := listing.models:
        st.selectbox(
            f"Listed models ({len(models)})",
            models,
            index=None,
            key="model_listed",
            placeholder="choose one",
            format_func=safe.sound,
            on_change=_take_listed,
        )
    keys.box()
    _server()
    with st.container(horizontal=True, gap="small"):
        writer_asking.list_button(listing, base_url())
        writer_asking.test_button(name(), base_url(), price())
    writer_asking.outcome(listing, name(), base_url())
    st.number_input(
        "Deadline, in seconds per reply",
        key="deadline",
        value=None,
        min_value=1,
        max_value=MAX_DEADLINE_S,
        placeholder=f"{DEADLINE_S:g}",
        persist_state="session",
        help="A reply that is not there by then, all tries counted, falls back to the original query.",
    )
    _price()


def _take_listed() -> None:
    if st.session_state["model_listed"]:
        st.session_state["model"] = st.session_state["model_listed"]


def _server() -> None:
    if serving.on_this_machine():
        st.text_input(
            "Base URL",
            key="base_url",
            max_chars=400,
            placeholder="the provider's own",
            persist_state="session",
            help="A gateway or a server of your own that speaks OpenAI's protocol.",
        )
    elif urls := listed_urls():
        st.selectbox(
            "Server",
            ["", *urls],
            key="base_url_listed",
            format_func=lambda url: _host(url, urls),
            persist_state="session",
        )


def _host(url: str, urls: list[str]) -> str:
    """By host only: a path may hold a token. Two of one host are numbered."""
    if not url:
        return "the provider's own"
    host = host_of(url)
    same = [one for one in urls if host_of(one) == host]
    return f"{host} ({same.index(url) + 1})" if len(same) > 1 else str(host)


def _price_keys() -> tuple[str, str]:
    return f"price_in.{name()}", f"price_out.{name()}"


def _price() -> None:
    if not name():
        return
    with st.expander("Price, in dollars per million tokens"):
        with st.container(horizontal=True, gap="small"):
            for label, key in zip(("In", "Out"), _price_keys(), strict=True):
                st.number_input(
                    label,
                    key=key,
                    value=None,
                    min_value=0.0,
                    format="%g",
                    placeholder="listed",
                    width=120,
                    persist_state="session",
                )
        given = [st.session_state.get(key) is not None for key in _price_keys()]
        half = any(given) and not all(given)
        said = (
            "Set both; until then litellm's table counts."
            if half
            else "As set here for this model."
            if all(given)
            else "Left empty, litellm's table counts; a model it does not list has an unknown cost, never $0."
        )
        safe.draw(f'<p class="qp-facts">{safe.text(said)}</p>')
