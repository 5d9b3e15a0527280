"""litellm, imported on first use and kept quiet: no table fetched, no callback, no telemetry, no log line.

Facts behind the switches (litellm 1.110): on import it fetches its price table unless LITELLM_LOCAL_MODEL_COST_MAP is
true, and reads a ``.env`` file into the environment unless LITELLM_MODE is other than DEV; LITELLM_OFFLINE_MODE stops
the other catalogues. Its clients log whole URLs, which hold keys with some providers.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import inspect
import logging
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")

_SWITCHES = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_OFFLINE_MODE": "true", "LITELLM_MODE": "PRODUCTION"}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "openai", "aiohttp")
_CALLBACKS = ("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback")
_lock = threading.RLock()
_loop: asyncio.AbstractEventLoop | None = None
_module: Any = None
_is_loading = False
_under_way: set[asyncio.Task[Any] | None] = set()
"""Touched on the loop only."""
_LONGEST_S = 120.0
_END_S = 2.0


def load() -> Any:
    """The litellm module, set up and warm. The first call takes some 6 to 10 seconds; later ones none."""
    global _module, _is_loading
    with _lock:
        if _module is None:
            _is_loading = True
            os.environ.update(_SWITCHES)
            for name in _LOGGERS:
                logging.getLogger(name).setLevel(logging.CRITICAL)
            import litellm

            litellm.suppress_debug_info = True
            litellm.turn_off_message_logging = True
            litellm.disable_token_counter = True
            for name in _CALLBACKS:
                setattr(litellm, name, [])
            _module = litellm
            submit(_rehearse(litellm)).result()
            _is_loading = False
        return _module


def loaded() -> Any:
    """The litellm module where it was loaded already, else None."""
    return _module


def is_loading() -> bool:
    """Whether it is being imported now, so that this process has not sent a request through it."""
    return _is_loading


def forget_keys() -> None:
    """Drops the clients litellm keeps for the next request (for ten minutes), each of which holds the key it was made
    with. Requests under way finish first; the next one makes its own client."""
    with _lock:
        if _module is not None:
            submit(_drop_clients(_module.in_memory_llm_clients_cache))


async def _drop_clients(kept: Any) -> None:
    clients = list(kept.cache_dict.values())
    kept.flush_cache()
    if others := [task for task in _under_way if task and task is not asyncio.current_task()]:
        await asyncio.wait(others, timeout=_LONGEST_S)
    for client in clients:
        close = getattr(client, "aclose", None) or getattr(client, "close", None)
        with contextlib.suppress(Exception):
            if close and inspect.isawaitable(closing := close()):
                await closing


async def _rehearse(litellm: Any) -> None:
    """One reply made up by litellm itself: it imports half of its parts on first use, 0.8 seconds that would be
    counted as the first model's latency. Nothing is sent."""
    messages = [{"role": "user", "content": "ready?"}]
    with contextlib.suppress(Exception):
        stream = await litellm.acompletion("openai/gpt-4o-mini", messages, mock_response="yes", stream=True)
        async for _ in stream:
            pass


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Runs a coroutine on the one event loop of all requests, in a thread of its own.

    Cancelling the future closes the connection at once, also in the middle of a chunk that never ends: a blocking
    client cannot do that.
    """
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_loop.run_forever, name="llm-requests", daemon=True)
            thread.start()
            atexit.register(_end, _loop, thread)
        return asyncio.run_coroutine_threadsafe(_tracked(work), _loop)


def _end(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    """Closes the clients and ends the loop before the interpreter does. A thread that is stopped in the middle of an
    import keeps that module's lock, and litellm's clients import when they are destroyed: the process would never
    end."""
    if _module is not None:
        closing = asyncio.run_coroutine_threadsafe(_drop_clients(_module.in_memory_llm_clients_cache), loop)
        with contextlib.suppress(Exception):
            closing.result(_END_S)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(_END_S)


async def _tracked(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    _under_way.add(task)
    try:
        return await work
    finally:
        _under_way.discard(task)
