"""One browser told from another: by the random cookie that Streamlit gives it against cross-site requests."""

from __future__ import annotations

import streamlit as st

COOKIE = "_streamlit_xsrf"
TOKEN_BYTES = 16


def token() -> str | None:
    """The token in the cookie; its mask changes from answer to answer. None without a cookie of that form."""
    try:
        version, mask, masked, _ = str(st.context.cookies.get(COOKIE) or "").strip("\"'").split("|")
        key, data = bytes.fromhex(mask), bytes.fromhex(masked)
    except ValueError:
        return None
    if version != "2" or len(key) != 4 or len(data) < TOKEN_BYTES:
        return None
    return bytes(byte ^ key[place % 4] for place, byte in enumerate(data)).hex()
