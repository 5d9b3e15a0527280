"""Signing in on a shared server, where whoever runs it has set up Streamlit's own OpenID Connect support: a section
``[auth]`` in ``.streamlit/secrets.toml``. Without one nobody is asked."""

from __future__ import annotations

from importlib.util import find_spec

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from pages._ui import safe, serving


def is_asked() -> bool:
    try:
        return serving.is_shared() and "auth" in st.secrets
    except (FileNotFoundError, StreamlitSecretNotFoundError):
        return False


def identity() -> str | None:
    """Issuer and subject of who signed in: a name that no other person has; None where nobody did."""
    if not is_asked() or not st.user.get("is_logged_in"):
        return None
    return f"{st.user.get('iss')} {st.user.get('sub')}"


def door() -> bool:
    """True when the page may be shown; else the way in is drawn."""
    if not is_asked() or st.user.get("is_logged_in"):
        return True
    safe.heading("Query Prism", 1)
    if find_spec("authlib") is None:
        said = "This server is to ask who you are, and lacks what that needs: pip install 'query-prism[sign-in]'."
        safe.notice("error", said)
        return False
    safe.notice("info", "This server asks who you are before it shows anything. Sign in to go on.")
    st.button("Sign in", type="primary", key="sign_in", on_click=st.login)
    return False


def leave() -> None:
    """Who is signed in, and the way out; nothing where nobody is asked."""
    if identity():
        name = str(st.user.get("name") or st.user.get("email") or "signed in")
        st.button(f"Sign out ({safe.label(name, 30)})", key="sign_out", on_click=st.logout, type="tertiary")
