"""The app without a browser: Streamlit's own test runner, on indexes that are really built."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from ir_core import session

ROOT = Path(__file__).parent.parent
# it reads the metadata of every installed package, half a second for each visit: once will do
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)


def build(corpus: str, **options: object) -> None:
    """With the hashing embedder, which needs no model."""
    session.prepare(corpus, embedder="hashing", **options).build()  # type: ignore[arg-type]


def open_app(link: str = "", page: str | None = None, secrets: Mapping[str, Any] | None = None) -> AppTest:
    """A new visit. ``link`` is a query string, ``secrets`` what the server's secrets.toml would hold."""
    st.cache_resource.clear()
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in (secrets or {}).items():
        app.secrets[name] = value
    for name, values in parse_qs(link, keep_blank_values=True).items():
        app.query_params[name] = values
    app.run()
    if page:
        app.switch_page(f"pages/{page}/page.py").run()
    return app


def shown(app: AppTest) -> str:
    """All HTML on the page."""
    assert not app.exception, [item.value for item in app.exception]
    return "\n".join(str(item.proto.body) for item in app.get("html"))


def open_tab(app: AppTest, label: str) -> AppTest:
    """Below the cards; only the open one is drawn."""
    app.session_state["reading"] = label
    return app.run()


def press(app: AppTest, key: str) -> AppTest:
    return app.button(key=key).click().run()


def everything_in(app: AppTest) -> str:
    """All that the visit's session holds, the widgets' own messages included."""
    state = app.session_state
    while hasattr(state, "_state"):
        state = state._state
    return repr(state)
