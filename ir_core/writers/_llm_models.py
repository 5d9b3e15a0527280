"""Which models can be asked: what litellm lists for the keys in the environment, or what a server itself offers."""

from __future__ import annotations

import asyncio
import concurrent.futures

from ir_core.errors import WriterTimeout
from ir_core.secrets import host_of
from ir_core.writers import _litellm
from ir_core.writers._llm_checks import checked_base

PATIENCE_S = 10.0


def available_models(
    *, ask_servers: bool = False, api_base: str | None = None, api_key: str | None = None
) -> list[str]:
    """Model strings for :class:`LlmWriter`, sorted; empty where there is no key.

    Without ``ask_servers`` nothing leaves the machine: the list is litellm's own, of the providers whose keys are in
    the environment. With it those providers, or the OpenAI-style server at ``api_base``, are asked.

    :raises BadSetting: for a base URL that is none, or holds a password.
    :raises WriterTimeout: when a server did not answer within ``PATIENCE_S`` seconds.
    """
    api_base = checked_base(api_base)
    litellm = _litellm.load()
    if not (ask_servers and api_base):
        found = litellm.get_valid_models(check_provider_endpoint=ask_servers) if not ask_servers else _asked({})
        chat = (name for name in found if litellm.model_cost.get(name, {}).get("mode", "chat") == "chat")
        return sorted(set(chat))
    own = {"custom_llm_provider": "openai", "api_base": api_base, "api_key": api_key or "none-needed"}
    return sorted({name if name.startswith("openai/") else f"openai/{name}" for name in _asked(own)})


def _asked(options: dict[str, str]) -> list[str]:
    """litellm's client waits for minutes by itself, so it asks in a thread that we stop waiting for."""
    ask = _litellm.load().get_valid_models
    future = _litellm.submit(asyncio.to_thread(ask, check_provider_endpoint=True, **options))
    try:
        return list(future.result(PATIENCE_S))
    except concurrent.futures.TimeoutError:
        where = host_of(options.get("api_base")) or "a provider"
        raise WriterTimeout(
            f"{where} did not list its models within {PATIENCE_S:g} s; type the model's name."
        ) from None
