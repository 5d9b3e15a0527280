"""What a person typed for a model, checked before anything is sent."""

from __future__ import annotations

import math
from urllib.parse import urlsplit

from ir_core.errors import BadSetting
from ir_core.secrets import host_of

MAX_MODEL_CHARS = 200
SHOWN_CHARS = 60
WRITE_MODEL = "write it as provider/model, such as openai/gpt-4.1-mini"


def checked_model(text: str) -> str:
    """The model string, trimmed. A bare name may be one of litellm's own; only a request can tell.

    :raises BadSetting: when it is empty or too long, lacks a half, or holds white space or control characters.
    """
    model = text.strip()
    if not model:
        raise BadSetting(f"The model is empty; {WRITE_MODEL}.")
    shown = repr(model if len(model) <= SHOWN_CHARS else model[:SHOWN_CHARS] + "…")
    if len(model) > MAX_MODEL_CHARS:
        raise BadSetting(f"The model {shown} is longer than {MAX_MODEL_CHARS} characters; {WRITE_MODEL}.")
    if any(char.isspace() or not char.isprintable() for char in model):
        raise BadSetting(f"The model {shown} holds white space or a control character; {WRITE_MODEL}.")
    if model.startswith("/") or model.endswith("/"):
        raise BadSetting(f"The model {shown} lacks what stands before or after a slash; {WRITE_MODEL}.")
    return model


def checked_base(text: str | None) -> str | None:
    """The base URL with a small-letter scheme and no slash at its end, so that one server has one key in the reply
    store; None for none. What is wrong is not repeated: it may hold a password.

    :raises BadSetting: when it is no http(s) URL with a host, or holds white space, a user or a password.
    """
    url = (text or "").strip()
    if not url:
        return None
    if any(char.isspace() or not char.isprintable() for char in url):
        raise BadSetting("The base URL holds white space or a control character; write it as http://host/v1.")
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in {"http", "https"} or not host_of(url):
        raise BadSetting("The base URL must begin with http:// or https:// and name a host.")
    if "@" in urlsplit(url).netloc:
        raise BadSetting("The base URL takes no user or password; leave them out and give the key apart.")
    return f"{scheme.lower()}://{rest.rstrip('/')}"


def check_limits(deadline_s: float, retries: int) -> None:
    """:raises BadSetting: for a deadline that is none, or fewer than no retries."""
    if not (math.isfinite(deadline_s) and deadline_s > 0):
        raise BadSetting(f"The deadline is {deadline_s:g} s; it must be above 0 and finite, such as 30.")
    if retries < 0:
        raise BadSetting(f"There are {retries} retries; give 0 or more.")
