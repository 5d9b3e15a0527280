"""Writers: whoever writes what a transform asks for. ``corpus`` needs no model, ``recorded:FILE`` replays what one
wrote earlier, ``local`` is a small model in this process; any other name is litellm's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ir_core import prompts
from ir_core.errors import BadSetting, UnknownName
from ir_core.prompts import Prompt
from ir_core.protocols import Writer
from ir_core.writers._llm_checks import checked_base
from ir_core.writers.authored import AuthoredWriter, Example, with_authored
from ir_core.writers.corpus import STAND_INS, CorpusStatistics, CorpusWriter

if TYPE_CHECKING:
    from ir_core.writers.llm import Price
    from ir_core.writers.recorded import Asked

FREE_WRITER = CorpusWriter.name
"""The default: no model, no key, no cost."""

LOCAL = "local"
RECORDED = "recorded:"


def open_writer(
    name: str,
    *,
    index: CorpusStatistics,
    api_key: str | None = None,
    base_url: str | None = None,
    queries: Callable[[], Iterable[Asked]] = tuple,
    local_files: bool = False,
    price: Price | None = None,
    deadline_s: float | None = None,
    edited: Mapping[str, Prompt] | None = None,
    query_language: str | None = None,
    passage_language: str | None = None,
) -> Writer:
    """The writer of that name: ``corpus``; ``recorded:FILE``, or ``recorded:TASK:FILE`` for a plain file of texts for
    one task (``recorded:hyde:passages.jsonl``); ``local``, or ``local:PATH`` for another GGUF file; or any litellm
    model string (``openai/gpt-4.1-mini``).

    :param index: the opened index whose statistics the corpus writer works from.
    :param api_key: typed for this visit; None takes the provider's environment variable.
    :param base_url: of an OpenAI-style server; None is the provider's own.
    :param queries: gives the corpus' queries, for a recording that names query ids only.
    :param local_files: whether a name may open a file; False where a visitor from elsewhere types it.
    :param price: of a litellm model, where its own table does not know or another price holds.
    :param deadline_s: seconds for one reply of a model, with all its tries; None is the writer's own (30).
    :param edited: prompts in place of the bank's, by id; they and the languages are for a model (``LlmWriter``).
    :raises BadSetting: for an empty model string, a base URL that is none, or a file that may not be opened.
    :raises BadInput: for a recording that cannot be read.
    :raises WriterError: for a local model that is not installed, or not there.
    """
    if name.strip().lower() == FREE_WRITER:
        return CorpusWriter(index)
    limit: dict[str, Any] = {} if deadline_s is None else {"deadline_s": deadline_s}
    kind, colon, path = name.strip().partition(":")
    if kind.lower() == LOCAL:
        if colon and not local_files:
            raise BadSetting("A model's file is opened on the command line or in Python, not by a path typed here.")
        if colon and not path.strip():
            raise BadSetting("local: names no file. Write local, or local:PATH for another GGUF file.")
        from ir_core.writers.local import LocalWriter

        return LocalWriter(Path(path.strip()).expanduser() if colon else None, **limit)
    if name.strip().lower().startswith(RECORDED):
        if not local_files:
            raise BadSetting("A recording is opened on the command line or in Python, not by a name typed here.")
        from ir_core.writers.recorded import RecordedWriter

        task, file = _recording(name.strip()[len(RECORDED) :])
        return RecordedWriter(file, task=task, queries=queries() if task else (), surfaces=index.row_of)
    from ir_core.writers.llm import LlmWriter

    return LlmWriter(
        name,
        api_key=api_key,
        api_base=base_url,
        price=price,
        edited=edited,
        query_language=query_language,
        passage_language=passage_language,
        **limit,
    )


def _recording(text: str) -> tuple[str | None, str]:
    """Task, where one is named, and file."""
    task, colon, file = text.partition(":")
    if colon and task.strip().lower() in prompts.tasks():
        text = file
    elif colon and len(task.strip()) > 1 and task.strip().isidentifier() and not _exists(text.strip()):
        raise UnknownName("task to replay", task.strip(), prompts.tasks())  # one letter may be a drive's
    else:
        task = ""
    if not text.strip():
        raise BadSetting("recorded: names no file. Write recorded:FILE, or recorded:TASK:FILE for a plain file.")
    return task.strip().lower() or None, text.strip()


def _exists(file: str) -> bool:
    try:
        return Path(file).exists()
    except (OSError, ValueError):
        return False


__all__ = [
    "FREE_WRITER",
    "LOCAL",
    "RECORDED",
    "STAND_INS",
    "AuthoredWriter",
    "CorpusStatistics",
    "CorpusWriter",
    "Example",
    "checked_base",
    "open_writer",
    "with_authored",
]
