"""The way to the service that signs people in and back: whether it answers, and where the person had been going.

Streamlit comes back to the first page without what stood in the address. Where a browser had been going is kept here
meanwhile, in memory, for ten minutes."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import streamlit as st

from pages._ui import browser, serving
from pages._ui.by_visit import Kept

PATIENCE_S = 4.0
MOST_S = 600.0
MAX_BYTES = 1_000_000
Params = Mapping[str, Sequence[str]]


@dataclass
class Away:
    """A browser that left to sign in; ``told`` once it was back without."""

    page: str = ""
    params: Params = field(default_factory=dict)
    since: float = -MOST_S
    told: bool = False

    @property
    def is_recent(self) -> bool:
        return time.monotonic() - self.since < MOST_S


_away = Kept[Away](500)


def asked() -> Params:
    """What stands in the address, names that occur several times included."""
    return {name: st.query_params.get_all(name) for name in st.query_params}


def goes(page: str) -> None:
    """This browser leaves for the service. A second try keeps where it had been going at first."""
    if (away := _of_browser()) is not None:
        if page or st.query_params or not away.is_recent:
            away.page, away.params = page, asked()
        away.since, away.told = time.monotonic(), False


def came_back_without() -> bool:
    """Whether it is back without being signed in; said once."""
    away = _of_browser()
    if away is None or away.told or not away.is_recent:
        return False
    away.told = True
    return True


def back() -> tuple[str, Params] | None:
    """Where to go on, for who has signed in: the page's path and what stood in the address; once."""
    away = _of_browser()
    if away is None or not away.is_recent:
        return None
    away.since = -MOST_S
    return (away.page, away.params) if away.page or away.params else None


def is_answering(address: str) -> bool:
    """Whether the service's description of itself can be read; Streamlit would show a bare error page for it."""
    import httpx

    try:
        reply = httpx.get(address, timeout=PATIENCE_S, follow_redirects=True)
        told = reply.json() if reply.is_success and len(reply.content) <= MAX_BYTES else None
    except (httpx.HTTPError, httpx.InvalidURL, json.JSONDecodeError, UnicodeDecodeError) as error:
        serving.log.warning("signing in: %s: %s", origin(address), type(error).__name__)
        return False
    return isinstance(told, dict) and {"authorization_endpoint", "token_endpoint"} <= told.keys()


def origin(address: str | None) -> str | None:
    """Scheme, host and port; None for what is no address."""
    parts = urlsplit(address or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme and parts.netloc else None


def at(other: str, address: str, params: Params) -> str:
    """The same path and parameters at another origin."""
    query = urlencode(params, doseq=True)
    return f"{other}{urlsplit(address).path or '/'}{'?' if query else ''}{query}"


def _of_browser() -> Away | None:
    who = browser.token()
    return _away.of(who, Away) if who else None
