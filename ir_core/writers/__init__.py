"""Writers: whoever writes what a transform asks for. ``corpus`` needs no model; any other name is litellm's."""

from __future__ import annotations

from ir_core.protocols import Writer
from ir_core.writers.corpus import CorpusStatistics, CorpusWriter

FREE_WRITER = CorpusWriter.name
"""The default: no model, no key, no cost."""


def open_writer(
    name: str, *, index: CorpusStatistics, api_key: str | None = None, base_url: str | None = None
) -> Writer:
    """The writer of that name: ``corpus``, or any litellm model string (``openai/gpt-4.1-mini``).

    :param index: the opened index whose statistics the corpus writer works from.
    :param api_key: typed for this visit; None takes the provider's environment variable.
    :param base_url: of an OpenAI-style server; None is the provider's own.
    :raises BadSetting: for an empty model string or a base URL that is none.
    """
    if name.strip().lower() == FREE_WRITER:
        return CorpusWriter(index)
    from ir_core.writers.llm import LlmWriter

    return LlmWriter(name, api_key=api_key, api_base=base_url)


__all__ = ["FREE_WRITER", "CorpusStatistics", "CorpusWriter", "open_writer"]
