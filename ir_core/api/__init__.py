"""The public Python API, with the names of the systems it follows. Each name is imported when it is first asked for.

``formulators`` and ``search`` follow the ``ir`` package, ``strategies`` too; ``transformers`` follow Muffakir's
QueryTransformer; ``course`` and ``lecture`` are the functions of a course's exercises and of a lecture. All of them
are thin: prompts, transforms, writers and search are the same as everywhere else.

An ``llm_provider`` is always one of: a litellm model string (``"openai/gpt-4.1-mini"``), a function from a prompt to
the reply, or any Writer (``ir_core.writers.llm.LlmWriter(model, api_base=…)`` for a server of one's own). None takes
the model named in ``QUERY_PRISM_MODEL``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_core.api import course as course
    from ir_core.api import lecture as lecture
    from ir_core.api.corpora import *  # noqa: F403
    from ir_core.api.formulators import *  # noqa: F403
    from ir_core.api.searching import *  # noqa: F403
    from ir_core.api.strategies import *  # noqa: F403
    from ir_core.api.transformers import *  # noqa: F403

_MODULE_OF = {
    "course": "course",
    "lecture": "lecture",
    "open_corpus": "corpora",
    "FORMULATION_PROMPT": "formulators",
    "Formulated": "formulators",
    "Formulator": "formulators",
    "LlmFormulator": "formulators",
    "identity_formulator": "formulators",
    "make_llm_formulator": "formulators",
    "SearchHits": "searching",
    "search": "searching",
    "DFLT_CHUNK_MAX_TOKENS": "strategies",
    "STRATEGY_REGISTRY": "strategies",
    "Chunked": "strategies",
    "ClaudeTurn": "strategies",
    "IndexingStrategy": "strategies",
    "Package": "strategies",
    "Skill": "strategies",
    "WholeText": "strategies",
    "strategy_from_spec": "strategies",
    "strategy_to_spec": "strategies",
    "text_of": "strategies",
    "AVAILABLE_STRATEGIES": "transformers",
    "BaseQueryTransformer": "transformers",
    "HyDEQueryTransformer": "transformers",
    "MultiQueryExpansion": "transformers",
    "QueryDecomposition": "transformers",
    "QueryRewriter": "transformers",
    "QueryTransformer": "transformers",
    "StepBackQueryTransformer": "transformers",
    "create_query_transformer": "transformers",
}
__all__ = list(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_MODULE_OF[name]}")
    return module if name == _MODULE_OF[name] else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
