"""A recording from a file, whatever kind it is: our own lines, plain JSON lines, or a tab-separated table."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ir_core import prompts
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.writers.recorded import lines, tables
from ir_core.writers.recorded.entry import Asked, Entry
from ir_core.writers.recorded.plain import Plain, entries_of, plain_of

MAX_NAMED = 5
_log = logging.getLogger(__name__)
WAY_OUT = "Correct or remove what is wrong, and open the file again."


def read_recording(path: Path, *, task: str | None = None, queries: Iterable[Asked] = ()) -> list[Entry]:
    """Everything in the file, in its order.

    :param task: what a plain file's texts stand for ("hyde"); our own recordings say it themselves.
    :param queries: those of the corpus, by which a file that names query ids only is understood.
    :raises BadSource: for a file that cannot be read or holds nothing, naming the lines that are wrong.
    :raises BadInput: for a plain file without ``task``.
    :raises UnknownName: for a task there is not.
    """
    if task is not None and task not in prompts.tasks():
        raise UnknownName("task", task, prompts.tasks())
    found: list[Entry] = []
    plains: list[Plain] = []
    wrong: list[str] = []
    text = _text(path)
    last = text.rpartition("\n")[2]
    is_torn = last.startswith(lines.LINE_START.decode()) and not last.endswith("}")
    torn = text.count("\n") + 1 if is_torn else None
    for number, item in _items(text):
        if isinstance(item, str) and number == torn and found:
            _log.warning("the last line of %s was torn off, and is left out", path.name)
        elif isinstance(item, str):
            wrong.append(f"line {number}: {item}")
        elif isinstance(item, Plain):
            plains.append(item)
        else:
            found.append(item)
    if wrong:
        more = f"; and {len(wrong) - MAX_NAMED} more" if len(wrong) > MAX_NAMED else ""
        raise BadSource(f"{path.name} cannot be replayed: {'; '.join(wrong[:MAX_NAMED])}{more}. {WAY_OUT}")
    if plains and task is None:
        raise BadInput(
            f"{path.name} does not say what its texts are for. Name the task: one of {', '.join(prompts.tasks())}."
        )
    if plains and task is not None:
        found += entries_of(plains, task, queries)
    if not found:
        raise BadSource(
            f"{path.name} names its queries by ids that this corpus does not have. Open it with the corpus whose "
            "queries it was written for, or add the query's text to each line."
        )
    return found


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadSource(f"The recording {path.name!r} cannot be read: {error.strerror}. Check its path.") from None
    except UnicodeDecodeError as error:
        raise BadSource(f"{path.name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None
    if not text.strip():
        raise BadSource(f"{path.name} is empty: nothing was recorded in it.")
    return text


def _items(text: str) -> Iterator[tuple[int, Entry | Plain | str]]:
    """What each line holds, or what is wrong with it."""
    first = text.lstrip().split("\n", 1)[0]
    if not first.startswith(("{", "[")) and "\t" in first:
        yield from tables.rows_of(text)
        return
    for number, line in enumerate(text.split("\n"), start=1):  # JSON may hold what splitlines takes for a line's end
        if line.strip():
            yield number, _item(line)


def _item(line: str) -> Entry | Plain | str:
    try:
        record: Any = json.loads(line)
        if not isinstance(record, dict):
            return "it is not a JSON object"
        return lines.entry_of(record) if lines.MARK in record else plain_of(record)
    except json.JSONDecodeError as error:
        return f"it is neither JSON ({error.msg}) nor tab-separated"
    except (ValueError, RecursionError) as error:
        return str(error)
