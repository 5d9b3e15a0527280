"""What went wrong with one request, as one sentence, and whether asking again can help.

Only 429, 5xx and lost connections are worth another try. litellm gives many other things a 500 of its own (a missing
key, a page of HTML, bytes that are no text), so the chain of causes is read, not the outermost status.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from ir_core.secrets import Secret, redacted
from ir_core.writers._llm_checks import WRITE_MODEL

_NETWORK = frozenset(
    {"ConnectError", "ReadError", "WriteError", "CloseError", "RemoteProtocolError", "ProxyError",
     "ConnectionResetError", "ConnectionRefusedError", "ConnectionError", "BrokenPipeError", "gaierror",
     "ClientOSError", "ServerDisconnectedError", "ClientConnectorError", "ClientPayloadError"}
)  # fmt: skip
_NO_KEY = re.compile(r"missing\b.{0,40}\b(?:credentials|api[ _-]?key)|api_key\b.{0,60}\bmust be set", re.I | re.S)
_NO_CREDIT = re.compile(r"insufficient[_ ]quota|exceeded your current quota|billing|out of credits?", re.I)
_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w+(?:Error|Exception)\s*[:-]\s*)+|^\w+Exception\s*-\s*")
_SCHEMA = re.compile(r"response_?\s?format|json_?\s?schema|structured[_ ]output|guided_json|grammar", re.I)
_MISTAKES = frozenset({ValueError, TypeError, AttributeError, KeyError, IndexError})
"""What a client raises over what it was given: no server answered, and asking again cannot help."""
SAID_CHARS = 160
"""Of the provider's own words; enough for "model not found", too little for a page."""


class RequestFailed(Exception):
    """One try failed. ``said`` is what the model had said by then, its first word after ``first_token_s``; ``sent``
    the beginning of what came in place of a word; ``retry_after`` is in seconds; ``of_schema`` means that the server
    takes no JSON schema."""

    def __init__(
        self,
        what: str,
        way_out: str,
        *,
        again: bool = False,
        retry_after: float | None = None,
        timeout: bool = False,
        of_schema: bool = False,
    ) -> None:
        super().__init__(f"{what}; {way_out}.")
        self.what = what
        self.way_out = way_out
        self.again = again
        self.retry_after = retry_after
        self.timeout = timeout
        self.of_schema = of_schema
        self.said = self.sent = ""
        self.first_token_s: float | None = None


@dataclass(frozen=True, slots=True)
class _Seen:
    status: int | None
    names: frozenset[str]
    words: str
    html: bool
    retry_after: float | None
    mistake: bool


def explain(error: BaseException, where: str, key: Secret | None) -> RequestFailed:
    """The failure a client's exception stands for.

    :param where: host of the server, or "the provider".
    """
    seen = _look(error)
    if seen.html:
        return page_of_html(where)
    if _NO_KEY.search(seen.words):
        return RequestFailed(
            "there is no key for it", "set the provider's key in the environment, or type one for this visit"
        )
    if "LLM Provider NOT provided" in seen.words or "GetLLMProvider Exception" in seen.words:
        return RequestFailed("no provider is known for this model", WRITE_MODEL)
    if "repeating the same chunk" in seen.words:
        return ran_on("kept repeating itself")
    if seen.names & {"UnicodeDecodeError", "JSONDecodeError"}:
        return RequestFailed(f"{where} sent something that is no chat reply", "check the base URL and the server")
    return _by_status(seen, where, key)


def _by_status(seen: _Seen, where: str, key: Secret | None) -> RequestFailed:
    said = _said(seen.words, key)
    if seen.status in {401, 403}:
        return RequestFailed(f"{where} refused the key ({seen.status})", "check the key and what it may use")
    if seen.status == 404:
        return RequestFailed(
            f"{where} does not have this model (404: {said})", "check the model's name and the base URL"
        )
    if seen.status == 429 and _NO_CREDIT.search(seen.words):
        return RequestFailed(
            f"{where} says the account has no credit left (429)", "check the account, or use another key"
        )
    if seen.status == 429:
        wait = f" and asks to wait {seen.retry_after:.0f} s" if seen.retry_after else ""
        what = f"{where} is over its rate limit (429){wait}"
        return RequestFailed(
            what, "try again later, or choose another model", again=True, retry_after=seen.retry_after
        )
    if seen.status == 408 or any("Timeout" in name for name in seen.names):
        return timed_out(where, None)
    dropped = "Stream ended before a finish_reason" in seen.words
    if dropped or seen.names & _NETWORK or "Connection error" in seen.words:
        what = f"the connection to {where} broke off" if dropped else f"{where} could not be reached"
        return RequestFailed(what, "check that the server runs and the base URL is right", again=True)
    if seen.status is not None and seen.status >= 500 and "APIConnectionError" not in seen.names and not seen.mistake:
        what = f"{where} failed ({seen.status})"
        return RequestFailed(
            what, "try again later, or choose another model", again=True, retry_after=seen.retry_after
        )
    if seen.status is not None and 400 <= seen.status < 500:
        what = f"{where} refused the request ({seen.status}: {said})"
        return RequestFailed(what, "check the model and its settings", of_schema=bool(_SCHEMA.search(seen.words)))
    return RequestFailed(f"the request could not be made ({said})", "check the model's name and settings")


def page_of_html(where: str) -> RequestFailed:
    return RequestFailed(
        f"{where} answered with a web page in place of a chat reply", "check the base URL, or sign in first"
    )


def timed_out(where: str, seconds: float | None) -> RequestFailed:
    limit = f" within {seconds:g} s" if seconds else " in time"
    return RequestFailed(f"{where} did not finish{limit}", "try again, or choose a faster model", timeout=True)


def ran_on(how: str) -> RequestFailed:
    return RequestFailed(f"the model {how} and was stopped", "try again, or choose another model")


def _look(error: BaseException) -> _Seen:
    status: int | None = None
    retry_after: float | None = None
    html = answered = mistake = False
    names: list[str] = []
    for item in chain_of(error):
        names.append(type(item).__name__)
        code = getattr(item, "status_code", None)
        status = code if status is None and isinstance(code, int) else status
        headers = getattr(getattr(item, "response", None), "headers", None) or {}
        html = html or is_html(headers.get("content-type"))
        answered = answered or "date" in headers or "content-type" in headers
        mistake = mistake or type(item) in _MISTAKES
        retry_after = retry_after if retry_after is not None else wait_asked_for(headers)
    words = " ".join(str(error).split())
    html = html or "<html" in words.lower()
    return _Seen(status, frozenset(names), words, html, retry_after, mistake and not answered)


def chain_of(error: BaseException) -> Iterator[BaseException]:
    """The exception and all it came from, outermost first."""
    waiting: list[Any] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < 20:
        item = waiting.pop(0)
        if isinstance(item, BaseException) and id(item) not in seen:
            seen.add(id(item))
            yield item
            waiting += [getattr(item, "original_exception", None), item.__cause__, item.__context__]


def is_html(content_type: object) -> bool:
    return isinstance(content_type, str) and content_type.lower().startswith(("text/html", "application/xhtml"))


def wait_asked_for(headers: Any) -> float | None:
    """Seconds of a Retry-After header, which is a number or a date; None where there is none."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        value = headers.get("retry-after")
        if not value:
            return None
        if re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", value):
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, AttributeError):
        return None


def _said(words: str, key: Secret | None) -> str:
    plain = redacted(_PREFIX.sub("", words), key)
    return plain if len(plain) <= SAID_CHARS else plain[:SAID_CHARS].rstrip() + "…"
