"""litellm, imported on first use and kept quiet: no table fetched, no callback, no telemetry, no log line.

Facts behind the switches (litellm 1.110): on import it fetches its price table unless LITELLM_LOCAL_MODEL_COST_MAP is
true, and reads a ``.env`` file into the environment unless LITELLM_MODE is other than DEV; LITELLM_OFFLINE_MODE stops
the other catalogues. Its clients log whole URLs, which hold keys with some providers.
"""

from __future__ import annotations

import asyncio
import contextlib
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


def load() -> Any:
    """The litellm module, set up and warm. The first call takes some 6 to 10 seconds; later ones none."""
    global _module
    with _lock:
        if _module is None:
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
        return _module


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
            threading.Thread(target=_loop.run_forever, name="llm-requests", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, _loop)
