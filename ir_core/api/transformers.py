"""Query transformers with the names, aliases and return types of Muffakir's QueryTransformer.

::

    hyde = create_query_transformer("hyde", llm_provider="openai/gpt-4.1-mini")
    hyde.transform("Do guests need a licence?", [{"role": "user", "content": "We share folders."}])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ir_core.api._base import BaseQueryTransformer, OneText, SeveralTexts
from ir_core.api._provider import LlmProvider
from ir_core.errors import UnknownName
from ir_core.schema import Turn
from ir_core.transforms import TRANSFORMS

__all__ = [
    "AVAILABLE_STRATEGIES",
    "BaseQueryTransformer",
    "HyDEQueryTransformer",
    "MultiQueryExpansion",
    "QueryDecomposition",
    "QueryRewriter",
    "QueryTransformer",
    "StepBackQueryTransformer",
    "create_query_transformer",
]


class QueryRewriter(OneText):
    """One better-worded, standalone query."""

    name = core = "rewrite"

    def __init__(
        self,
        llm_provider: LlmProvider | None = None,
        prompt_key: str = "query_rewrite",
        temperature: float = 0.0,
    ) -> None:
        super().__init__(llm_provider, prompt_key, temperature)


class MultiQueryExpansion(SeveralTexts):
    """The original first, then other wordings: five texts at most."""

    name = core = "multi_query"
    settings = MappingProxyType({"n": 4})

    def __init__(
        self,
        llm_provider: LlmProvider | None = None,
        prompt_key: str = "multi_query_expansion",
        temperature: float = 0.2,
    ) -> None:
        super().__init__(llm_provider, prompt_key, temperature)


class QueryDecomposition(SeveralTexts):
    """Two to four sub-questions without the original; a simple query stays whole, as the one item."""

    name = "decomposition"
    core = "decompose"
    settings = MappingProxyType({"n": 4, "keep_original": False})

    def __init__(
        self,
        llm_provider: LlmProvider | None = None,
        prompt_key: str = "query_decomposition",
        temperature: float = 0.0,
    ) -> None:
        super().__init__(llm_provider, prompt_key, temperature)


class HyDEQueryTransformer(OneText):
    """A passage that could answer, true or not, to be embedded in place of the query."""

    name = core = "hyde"

    def __init__(
        self, llm_provider: LlmProvider | None = None, prompt_key: str = "hyde", temperature: float = 0.3
    ) -> None:
        super().__init__(llm_provider, prompt_key, temperature)


class StepBackQueryTransformer(SeveralTexts):
    """The original and the broader question behind it; the original alone when there is none."""

    name = core = "step_back"

    def __init__(
        self, llm_provider: LlmProvider | None = None, prompt_key: str = "step_back", temperature: float = 0.0
    ) -> None:
        super().__init__(llm_provider, prompt_key, temperature)


_CLASSES = (QueryRewriter, MultiQueryExpansion, QueryDecomposition, HyDEQueryTransformer, StepBackQueryTransformer)
_CLASS_OF: Mapping[str, type[OneText | SeveralTexts]] = {kind.core: kind for kind in _CLASSES}
AVAILABLE_STRATEGIES = tuple(kind.name for kind in _CLASSES)


def create_query_transformer(
    strategy: str, llm_provider: LlmProvider | None = None, **options: Any
) -> OneText | SeveralTexts:
    """The transformer of that name or alias; ``options`` are its ``prompt_key`` and ``temperature``.

    :raises UnknownName: naming the strategies there are.
    :raises BadSetting: when no LLM is configured.
    """
    kind = _CLASS_OF.get(TRANSFORMS.get(strategy).name) if strategy in TRANSFORMS else None
    if kind is None:
        raise UnknownName("strategy", strategy, AVAILABLE_STRATEGIES)
    return kind(llm_provider, **options)


class QueryTransformer:
    """One strategy, by name (then made with ``strategy_config``) or as an instance of one's own."""

    def __init__(
        self,
        llm_provider: LlmProvider | None = None,
        strategy: str | BaseQueryTransformer = "rewrite",
        strategy_config: Mapping[str, Any] | None = None,
    ) -> None:
        self.transformer: BaseQueryTransformer = (
            strategy
            if isinstance(strategy, BaseQueryTransformer)
            else create_query_transformer(strategy, llm_provider, **(strategy_config or {}))
        )

    @property
    def name(self) -> str:
        return self.transformer.name

    def transform_query(self, query: str, conversation_history: Sequence[Turn] | None = None) -> str | list[str]:
        """A text or a list of texts, as the strategy returns."""
        return self.transformer.transform(query, conversation_history)
