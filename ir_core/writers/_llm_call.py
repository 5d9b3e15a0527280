"""One request to a model through litellm: streamed, under a total deadline, stopped when it runs on.

A client's own timeout bounds the wait for the next byte, not a server that drips; so the whole request is a coroutine
under one deadline, on a loop of its own.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ir_core.errors import Cancelled
from ir_core.secrets import Secret, host_of, without_keys
from ir_core.writers import _litellm
from ir_core.writers._llm_body import Body, body_of, quoted
from ir_core.writers._llm_errors import (
    RequestFailed,
    chain_of,
    explain,
    is_html,
    page_of_html,
    ran_on,
    timed_out,
)
from ir_core.writers._llm_prices import Price, cost_of

MAX_REPLY_CHARS = 20_000
"""A reply is a few queries or one passage; a model that writes more has lost its way and is paid by the word."""
MAX_TOKENS = 4_096
"""Asked of the provider: some default to their maximum. Room for a model that thinks before it answers."""
MARGIN_S = 1.0
"""Given to a cancelled request to let go of its connection."""
_POLL_S = 0.05


@dataclass(frozen=True)
class Endpoint:
    """Whom to ask: a litellm model string, a base URL of one's own, a key; None leaves both to the environment."""

    model: str
    api_base: str | None = None
    api_key: Secret | None = None
    price: Price | None = None

    @property
    def where(self) -> str:
        return host_of(self.api_base) or "the provider"


@dataclass
class Answer:
    """What came back. Tokens and cost are None when nobody said them; seconds count from the sending. ``sent`` quotes
    the server where it sent no word of a reply."""

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    first_token_s: float | None = None
    sent: str = ""


@dataclass
class _Arriving:
    """Filled as chunks come, so that what was said before a failure is kept."""

    started: float
    parts: list[str] = field(default_factory=list)
    chars: int = 0
    first_token_s: float | None = None
    body: Body | None = None

    def add(self, piece: str) -> None:
        if self.first_token_s is None:
            self.first_token_s = time.perf_counter() - self.started
        self.parts.append(piece)
        self.chars += len(piece)
        if self.chars > MAX_REPLY_CHARS:
            raise ran_on(f"wrote more than {MAX_REPLY_CHARS:,} characters")

    @property
    def text(self) -> str:
        return "".join(self.parts)[:MAX_REPLY_CHARS]

    def sent(self, key: Secret | None, otherwise: str = "") -> str:
        """The beginning of the body, "" where words came."""
        return "" if self.parts else quoted((self.body.text if self.body else "") or otherwise, key)


def ask(
    endpoint: Endpoint,
    messages: list[dict[str, str]],
    *,
    temperature: float,
    seed: int,
    seconds: float,
    deadline_s: float,
    cancel: threading.Event,
    schema: dict[str, Any] | None = None,
) -> Answer:
    """One try. Returns within ``seconds`` and a small margin, whatever the server does.

    :param schema: an OpenAI-style ``response_format``.
    :param deadline_s: the whole deadline, of which ``seconds`` are left; named in the message.
    :raises RequestFailed: with one sentence without secrets.
    :raises Cancelled: at once when ``cancel`` is set.
    """
    arriving = _Arriving(time.perf_counter())
    # litellm makes a client, and so a connection, for every other timeout: it is always the whole deadline's.
    options: dict[str, Any] = {"messages": messages, "temperature": temperature, "seed": seed}
    options["timeout"] = deadline_s + MARGIN_S
    if schema:
        options["response_format"] = schema
    future = _litellm.submit(_streamed(endpoint, options, arriving, seconds))
    refusal = ""
    try:
        return _result(future, arriving.started + seconds + MARGIN_S, cancel)
    except Cancelled:
        raise
    except TimeoutError:
        failure = timed_out(endpoint.where, deadline_s)
    except RequestFailed as error:
        failure = error
    except Exception as error:
        failure = explain(error, endpoint.where, endpoint.api_key)
        refusal = body_of(chain_of(error))
    finally:
        future.cancel()
    failure.said = without_keys(arriving.text, endpoint.api_key)
    failure.first_token_s = arriving.first_token_s
    failure.sent = arriving.sent(endpoint.api_key, refusal)
    # The client's exception holds the request with its key: nothing of it may hang on to ours.
    raise failure from None


def _result(future: concurrent.futures.Future[Answer], until: float, cancel: threading.Event) -> Answer:
    while not future.done():
        if cancel.is_set():
            raise Cancelled("A newer query took over.")
        if time.perf_counter() > until:
            raise TimeoutError
        concurrent.futures.wait([future], timeout=_POLL_S)
    return future.result()


async def _streamed(endpoint: Endpoint, options: Mapping[str, Any], arriving: _Arriving, seconds: float) -> Answer:
    litellm = _litellm.load()
    async with asyncio.timeout(seconds):
        stream = await litellm.acompletion(
            model=endpoint.model,
            api_base=endpoint.api_base,
            api_key=_key(endpoint),
            stream=True,
            stream_options={"include_usage": True},
            max_tokens=MAX_TOKENS,
            max_retries=0,
            num_retries=0,
            drop_params=True,
            **options,
        )
        body = arriving.body = Body(stream)
        try:
            if is_html(_content_type(stream)):
                await body.read_page()
                raise page_of_html(endpoint.where)
            usage: Any = None
            async for chunk in stream:
                usage = getattr(chunk, "usage", None) or usage
                for choice in chunk.choices[:1]:
                    if choice.delta.content:
                        arriving.add(choice.delta.content)
        finally:
            await stream.aclose()
    # litellm fills in an estimate where the server counted nothing; only a count that came with a chunk is one.
    counted = usage if any(getattr(chunk, "usage", None) for chunk in stream.chunks) else None
    if not arriving.parts and (reply := body.whole_reply()):
        said, usage = reply
        counted = litellm.Usage(**usage) if usage else None
        if said:
            arriving.add(said)
    return Answer(
        text=without_keys(arriving.text, endpoint.api_key),
        tokens_in=getattr(counted, "prompt_tokens", None),
        tokens_out=getattr(counted, "completion_tokens", None),
        cost_usd=cost_of(litellm, endpoint.model, counted, endpoint.price),
        first_token_s=arriving.first_token_s,
        sent=arriving.sent(endpoint.api_key),
    )


def _key(endpoint: Endpoint) -> str | None:
    """The typed key, or None for the environment's. A server of one's own often needs none, but the client does."""
    if endpoint.api_key:
        return endpoint.api_key.reveal()
    own_server = endpoint.api_base and endpoint.model.startswith("openai/") and not os.environ.get("OPENAI_API_KEY")
    return "none-needed" if own_server else None


def _content_type(stream: Any) -> object:
    headers = getattr(stream, "_response_headers", None) or {}
    hidden = getattr(stream, "_hidden_params", None) or {}
    extra = hidden.get("additional_headers") or {}
    return headers.get("content-type") or extra.get("llm_provider-content-type")
