"""Formulators: any function from a query to the query or queries that are searched in its place.

Names and behaviour follow the ``ir`` package: a formulator returns queries, never sub-tasks, and never makes
retrieval worse than the raw query by failing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ir_core import prompts
from ir_core.api._custom_prompt import Asker
from ir_core.api._provider import LlmProvider
from ir_core.errors import BadSetting, QueryPrismError
from ir_core.secrets import redacted

__all__ = [
    "FORMULATION_PROMPT",
    "Formulated",
    "Formulator",
    "LlmFormulator",
    "identity_formulator",
    "make_llm_formulator",
]

Formulator: TypeAlias = Callable[[str], str | Sequence[str]]

_BANK = prompts.load("multi_query")
FORMULATION_PROMPT = f"{_BANK.system}\n\n{_BANK.user}"
"""The bank's multi-query prompt. As the default it is asked in the query's language, where there is one in it."""


def identity_formulator(query: str) -> str:
    """The query as it is."""
    return query


@dataclass(frozen=True, slots=True)
class Formulated:
    """What a formulator made, and why it is not what was asked for, if so."""

    queries: str | Sequence[str]
    fallback_reason: str | None = None


@dataclass(frozen=True)
class LlmFormulator:
    """Made by :func:`make_llm_formulator`. Calling it gives the queries; ``formulate`` says whether it fell back."""

    make_rewriter: Callable[[], Formulator] = field(repr=False)
    fallback: Formulator = identity_formulator

    @cached_property
    def rewriter(self) -> Formulator:
        return self.make_rewriter()

    def __call__(self, query: str) -> str | Sequence[str]:
        return self.formulate(query).queries

    def formulate(self, query: str) -> Formulated:
        """A list of the rewriter's queries, blank ones left out; on any error or none left, the fallback's."""
        try:
            queries = texts_in(self.rewriter(query))
            reason = None if queries else "The rewriter gave no query."
        except Exception as error:
            queries, reason = [], reason_of(error, "The rewriter")
        return Formulated(queries) if queries else Formulated(self._fallen_back(query), reason)

    def _fallen_back(self, query: str) -> str | Sequence[str]:
        try:
            return self.fallback(query)
        except Exception:
            return identity_formulator(query)


def make_llm_formulator(
    *,
    rewriter: Formulator | None = None,
    prompt: str = FORMULATION_PROMPT,
    n: int = 3,
    fallback: Formulator | None = None,
    llm_provider: LlmProvider | None = None,
    **prompt_kwargs: Any,
) -> LlmFormulator:
    """A formulator that asks an LLM for ``n`` other queries. The original is not among them.

    :param rewriter: asked in place of an LLM; a query in, a query or several out.
    :param prompt: with ``{query}`` and, if wanted, ``{n}`` in it; ``${query}`` will do too.
    :param fallback: what is used on any error or empty reply; None is the query as it is.
    :param llm_provider: see :mod:`ir_core.api`; opened at the first use, and without one the fallback is used.
    :param prompt_kwargs: ``temperature`` (None is the prompt's own), ``model`` (another name for ``llm_provider``);
        any other fills the placeholder of that name in ``prompt``.
    :raises BadSetting: for an ``n`` outside 1 to 8, or a prompt whose placeholders do not fit.
    """
    if not 1 <= n <= 8:
        raise BadSetting(f"n = {n}; ask for 1 to 8 queries.")
    given = prompt_kwargs.pop("model", None)
    provider = llm_provider if llm_provider is not None else given
    own = None if prompt == FORMULATION_PROMPT and not set(prompt_kwargs) - {"temperature"} else prompt
    asker = Asker(n, own, **prompt_kwargs)

    def make() -> Formulator:
        return rewriter if rewriter is not None else asker.rewriter(provider)

    return LlmFormulator(make, fallback or identity_formulator)


def texts_in(queries: Any) -> list[str]:
    """The usable queries a formulator returned: texts that are not blank."""
    found = [queries] if isinstance(queries, str) else list(queries or ())
    return [text for text in found if isinstance(text, str) and text.replace("\x00", " ").strip()]


def reason_of(error: Exception, who: str) -> str:
    if isinstance(error, QueryPrismError):
        return str(error)
    return f"{who} failed with {type(error).__name__}: {redacted(str(error))}."
