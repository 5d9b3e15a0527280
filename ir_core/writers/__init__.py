"""Writers: whoever writes what a transform asks for. ``corpus`` needs no model, ``recorded:FILE`` replays what one
wrote earlier; any other name is litellm's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ir_core import prompts
from ir_core.errors import BadSetting
from ir_core.protocols import Writer
from ir_core.writers.corpus import CorpusStatistics, CorpusWriter

if TYPE_CHECKING:
    from ir_core.writers.recorded import Asked

FREE_WRITER = CorpusWriter.name
"""The default: no model, no key, no cost."""


RECORDED = "recorded:"


def open_writer(
    name: str,
    *,
    index: CorpusStatistics,
    api_key: str | None = None,
    base_url: str | None = None,
    queries: Callable[[], Iterable[Asked]] = tuple,
    local_files: bool = False,
) -> Writer:
    """The writer of that name: ``corpus``; ``recorded:FILE``, or ``recorded:TASK:FILE`` for a plain file of texts for
    one task (``recorded:hyde:passages.jsonl``); or any litellm model string (``openai/gpt-4.1-mini``).

    :param index: the opened index whose statistics the corpus writer works from.
    :param api_key: typed for this visit; None takes the provider's environment variable.
    :param base_url: of an OpenAI-style server; None is the provider's own.
    :param queries: gives the corpus' queries, for a recording that names query ids only.
    :param local_files: whether a name may open a file; False where a visitor from elsewhere types it.
    :raises BadSetting: for an empty model string, a base URL that is none, or a file that may not be opened.
    :raises BadInput: for a recording that cannot be read.
    """
    if name.strip().lower() == FREE_WRITER:
        return CorpusWriter(index)
    if name.strip().lower().startswith(RECORDED):
        if not local_files:
            raise BadSetting("A recording is opened on the command line or in Python, not by a name typed here.")
        from ir_core.writers.recorded import RecordedWriter

        task, file = _recording(name.strip()[len(RECORDED) :])
        return RecordedWriter(file, task=task, queries=queries() if task else (), surfaces=index.row_of)
    from ir_core.writers.llm import LlmWriter

    return LlmWriter(name, api_key=api_key, api_base=base_url)


def _recording(text: str) -> tuple[str | None, str]:
    """Task, where one is named, and file."""
    task, colon, file = text.partition(":")
    if colon and task.strip().lower() in prompts.tasks():
        text = file
    else:
        task = ""
    if not text.strip():
        raise BadSetting("recorded: names no file. Write recorded:FILE, or recorded:TASK:FILE for a plain file.")
    return task.strip().lower() or None, text.strip()


__all__ = ["FREE_WRITER", "RECORDED", "CorpusStatistics", "CorpusWriter", "open_writer"]
