"""Signing in on a shared server, where whoever runs it has set up Streamlit's own OpenID Connect support: a section
``[auth]`` in ``.streamlit/secrets.toml``. Without one nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.auth_util import get_origin_from_redirect_uri
from streamlit.errors import StreamlitAuthError, StreamlitSecretNotFoundError

from pages._ui import safe, serving, signing_way

DEFAULT = "default"
"""What Streamlit calls the service whose settings stand in ``[auth]`` itself."""
UNREADABLE = (OSError, UnicodeDecodeError, StreamlitSecretNotFoundError)
SAID = "sign_in_said"
WIDTH = 640
"""Pixels."""
ASKED = "This server asks who you are before it shows anything. Sign in to go on."
DAMAGED = (
    "This server is to ask who you are, and the file that says how cannot be read, so nothing is shown. "
    "Whoever runs it: mend .streamlit/secrets.toml, and start the server again."
)
LACKING = "This server is to ask who you are, and lacks what that needs: pip install 'query-prism[sign-in]'."
INCOMPLETE = "Signing in is not set up completely on this server, so nobody can. Tell whoever runs it."
UNREACHED = (
    "The service that signs people in does not answer as it should, so nobody can sign in at the moment. Try again "
    "in a minute; if it stays so, tell whoever runs this server."
)
NOT_SIGNED_IN = (
    "You came back without being signed in: either you did not finish, or the answer of the service that signs "
    "people in could not be trusted. Try again; if it stays so, tell whoever runs this server."
)


def is_asked() -> bool:
    """True also where the settings cannot be read: a typing error in them must not open the door."""
    try:
        return serving.is_shared() and "auth" in st.secrets
    except UNREADABLE:
        return _is_damaged()


def identity() -> str | None:
    """Issuer and subject of who signed in: a name that no other person has; None where nobody did."""
    if not is_asked() or not st.user.get("is_logged_in"):
        return None
    issuer, subject = st.user.get("iss"), st.user.get("sub")
    return f"{issuer} {subject}" if issuer and subject else None


def is_open() -> bool:
    """Whether the page may be shown."""
    return not is_asked() or identity() is not None


def door(page: str) -> None:
    """The way in.

    :param page: the path of what was opened, to which signing in comes back."""
    with st.container(key="door", width=WIDTH):
        safe.heading("Query Prism", 1)
        _door(page)


def _door(page: str) -> None:
    if _is_damaged():
        return safe.notice("error", DAMAGED)
    if find_spec("authlib") is None:
        return safe.notice("error", LACKING)
    here, expected = signing_way.origin(st.context.url), get_origin_from_redirect_uri()
    if here and expected and here != expected:  # the cookies of signing in are the other address'
        safe.notice("warning", f"People sign in to this server at {expected}, and you opened {here}.")
        st.link_button(
            "Go there", signing_way.at(expected, st.context.url or "", signing_way.asked()), type="primary"
        )
        return None
    if SAID not in st.session_state and signing_way.came_back_without():  # not the visit that is about to leave
        st.session_state[SAID] = NOT_SIGNED_IN
    said = st.session_state.get(SAID)
    safe.notice("error" if said else "info", said or ASKED)
    services = _services()
    for name in services:
        with_it = f" with {safe.label(name, 30)}" if len(services) > 1 else ""
        key = "sign_in" if name == next(iter(services)) else f"sign_in.{name}"
        st.button(f"Sign in{with_it}", type="primary", key=key, on_click=_go, args=(name, page))
    if not services:
        safe.notice("error", INCOMPLETE)
    return None


def leave() -> None:
    """Who is signed in, and the way out; nothing where nobody is asked."""
    if identity():
        name = str(st.user.get("name") or st.user.get("email") or "signed in")
        st.button(f"Sign out ({safe.label(name, 20)})", key="sign_out", on_click=st.logout, type="tertiary")


def _go(service: str, page: str) -> None:
    """To the service, unless it is plain that it would not bring the person back."""
    said = st.session_state
    said[SAID] = None
    if not signing_way.is_answering(str(_services()[service].get("server_metadata_url") or "")):
        said[SAID] = UNREACHED
        return
    try:
        st.login(None if service == DEFAULT else service)
    except StreamlitAuthError as error:
        serving.log.error("signing in: %s", " ".join(str(error).split()))  # names a setting, never its value
        said[SAID] = INCOMPLETE
    else:
        signing_way.goes(page)


def _services() -> Mapping[str, Mapping[str, Any]]:
    """By name; one without a name first."""
    section = st.secrets["auth"]
    if not isinstance(section, Mapping):
        return {}
    unnamed = {DEFAULT: section} if "client_id" in section else {}
    named = {name: value for name, value in section.items() if isinstance(value, Mapping) and "client_id" in value}
    return {**unnamed, **named}


def _is_damaged() -> bool:
    """Whether there are settings, and they cannot be read."""
    try:
        st.secrets.keys()
    except UNREADABLE:
        return serving.is_shared() and any(Path(path).exists() for path in st.get_option("secrets.files"))
    return False
