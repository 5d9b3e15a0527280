"""What litellm's table says of a model: what a call cost in US dollars (a price the user set comes first; None where
the model is not listed), and whether it takes a JSON schema."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ir_core.errors import BadSetting


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens.

    :raises BadSetting: for a price that is below 0 or no number.
    """

    input_per_million: float
    output_per_million: float

    def __post_init__(self) -> None:
        for dollars in (self.input_per_million, self.output_per_million):
            if not (math.isfinite(dollars) and dollars >= 0):
                raise BadSetting(f"The price is {dollars:g} US dollars per million tokens; give 0 or more.")


def cost_of(litellm: Any, model: str, usage: Any, price: Price | None = None) -> float | None:
    """US dollars, or None when the tokens or the price are unknown. 0 only where the listed price is 0.

    :param usage: litellm's Usage as the provider reported it, or None.
    """
    if usage is None:
        return None
    if price is not None:
        spent = usage.prompt_tokens * price.input_per_million + usage.completion_tokens * price.output_per_million
        return float(spent / 1_000_000)
    if not is_listed(litellm, model):
        return None
    try:
        reply = litellm.ModelResponse(model=model, usage=usage)
        return float(litellm.completion_cost(completion_response=reply, model=model))
    except Exception:
        # The table has kinds of prices its own calculator cannot apply to a chat; unknown is then the truth.
        return None


def is_listed(litellm: Any, model: str) -> bool:
    """True when litellm's table has a price for exactly this model of this provider.

    Looked up here because litellm itself asks an Ollama server about a model it does not know.
    """
    try:
        name, provider, _, _ = litellm.get_llm_provider(model=model)
    except Exception:
        return False
    for key in (model, f"{provider}/{name}", name):
        entry = litellm.model_cost.get(key)
        if entry and str(entry.get("litellm_provider", "")).startswith(provider):
            return "tiered_pricing" in entry or {"input_cost_per_token", "output_cost_per_token"} <= set(entry)
    return False


def takes_schema(litellm: Any, model: str) -> bool:
    """True for a listed model that replies by JSON schema; one that is not listed is not asked about (see above)."""
    return is_listed(litellm, model) and bool(litellm.supports_response_schema(model=model))
