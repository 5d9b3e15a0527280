"""What a person is shown in place of a component's stable name."""

from __future__ import annotations

import json

from ir_core.strategies import strategy_words as strategy


def strategy_in_link(text: str) -> str:
    """The same from what a link says (``Chunked:{"max_tokens":250}``); what cannot be read is shown as it is."""
    name, _, written = text.partition(":")
    try:
        params = json.loads(written) if written else {}
    except ValueError:
        return text
    return strategy({"name": name, "params": params}) if isinstance(params, dict) else text
