"""Who writes: whatever was given as ``llm_provider`` becomes a Writer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ir_core import prompts
from ir_core.errors import BadSetting, QueryPrismError, WriterError
from ir_core.protocols import RunContext, Writer
from ir_core.retrieval import Engine
from ir_core.schema import Mode, Query, Ranking, Step, Task, Written
from ir_core.text import tokenise
from ir_core.writers import FREE_WRITER, open_writer

LlmProvider: TypeAlias = Writer | str | Callable[[str], str]
"""A Writer, a litellm model string, or a function that is given a prompt and returns the model's reply."""

MODEL_VARIABLE = "QUERY_PRISM_MODEL"
NO_LLM = (
    "No LLM is configured: llm_provider is required. Pass a litellm model string (such as openai/gpt-4.1-mini), a "
    f"function from a prompt to its reply, or a Writer; or name a model in the environment variable {MODEL_VARIABLE}."
)


def writer_of(provider: LlmProvider | None, engine: Engine | None = None) -> Writer:
    """The writer to ask. Nothing is imported or sent before its first task.

    :param engine: of the corpus searched; the ``"corpus"`` writer (no LLM) works from its statistics.
    :raises BadSetting: when there is none, or what was given is no provider.
    """
    given = os.environ.get(MODEL_VARIABLE, "").strip() if provider is None else provider
    if isinstance(given, str):
        if not given.strip():
            raise BadSetting(NO_LLM)
        return _named(given, engine)
    if callable(getattr(given, "write", None)) and hasattr(given, "tasks"):
        return given  # type: ignore[return-value]
    if callable(given):
        from ir_core.api._callable_writer import CallableWriter

        return CallableWriter(given)
    raise BadSetting(
        f"llm_provider is a {type(given).__name__}; give a litellm model string, a function from a prompt to its "
        "reply, or a Writer."
    )


def _named(name: str, engine: Engine | None) -> Writer:
    if engine is not None:
        return open_writer(name, index=engine.index, local_files=True)
    if name.strip().lower() == FREE_WRITER:
        raise BadSetting("The corpus writer works from a corpus, and none is searched here. Name a model.")
    from ir_core.writers.llm import LlmWriter

    return LlmWriter(name)


def writer_or_none(provider: LlmProvider | None, engine: Engine) -> Writer:
    """As ``writer_of``, for searches: with no LLM at all, one that fails at its first task, so that the original is
    searched and the result says why."""
    missing = provider is None and not os.environ.get(MODEL_VARIABLE, "").strip()
    return NoWriter() if missing else writer_of(provider, engine)


class NoWriter:
    """Stands where no LLM is configured."""

    name = label = "none"
    is_llm = False

    def __init__(self) -> None:
        self.tasks = frozenset(prompts.tasks())

    def write(self, task: Task, context: RunContext) -> list[Written]:
        raise WriterError(NO_LLM)


class NoSearch:
    """The searcher of a transform that runs without a corpus."""

    steps: tuple[Step, ...] = ()

    def for_part(self) -> NoSearch:
        return self

    def tokenise(self, text: str) -> list[str]:
        return tokenise(text)

    def search(
        self,
        queries: Sequence[Query],
        *,
        mode: Mode = "hybrid",
        depth: int = 10,
        filter: Mapping[str, Any] | None = None,
        surfaces: Sequence[str] | None = None,
        label: str = "feedback",
    ) -> list[Ranking]:
        raise QueryPrismError("This writer reads documents before it writes, and no corpus is open here.")
