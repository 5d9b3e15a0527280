"""What a writer is asked for, what it answers, and the record of the request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ir_core.schema.hits import Hit
from ir_core.schema.queries import Turn

NO_LLM = "corpus (no LLM)"
"""``Call.model`` of the corpus' own statistics."""
AUTHORED = "authored"
"""``Call.model`` of a text that a person put there as an example: never measured."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a writer is asked for: up to ``n`` texts of the kind ``name`` for ``query``.

    ``temperature`` None is the prompt's own. ``reference`` are answers known to be right, for a judge."""

    name: str
    query: str
    history: tuple[Turn, ...] = ()
    n: int = 1
    hits: tuple[Hit, ...] = ()
    language: str | None = None
    temperature: float | None = None
    seed: int = 0
    reference: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """One text from a writer. ``surface_ids`` says it stands for those stored surfaces; ``weight`` is the share the
    writer's method gives it beside the query (1 for an LLM's text, beta for Rocchio feedback); ``terms`` is the
    weighted bag behind a text that stands for one (RM3)."""

    text: str
    surface_ids: tuple[str, ...] = ()
    note: str = ""
    weight: float = 1.0
    terms: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a task will take, as far as it can be told before; None is unknown."""

    calls: int
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One request to whoever writes. Tokens and cost are None when nobody said them.

    ``recorded`` says where a text of an earlier day comes from (model and date); its ``seconds`` are 0, nothing was
    asked now, and ``first_s`` is what it took then, None where that is unknown. ``title`` is what the writer calls
    what it made, where that is not what the transform is named after. ``date`` (ISO 8601) is when a kept reply was
    first written."""

    task: str
    model: str
    prompt_id: str | None = None
    prompt_version: str | None = None
    raw: str = ""
    texts: tuple[str, ...] = ()
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    started: float = 0.0
    seconds: float = 0.0
    first_token_s: float | None = None
    queued: float = 0.0
    cached: bool = False
    error: str | None = None
    recorded: str | None = None
    first_s: float | None = None
    title: str | None = None
    date: str | None = None
