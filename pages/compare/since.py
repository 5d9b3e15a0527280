"""Whether the cards answer what is in the form now, and if not, what was changed since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ir_core.transforms import TRANSFORMS
from pages._ui import filters, numbers, safe
from pages.compare.running import Asked, Order

EMPTY = "The query is empty. Type what you would ask the corpus."


def note(shown: Order, now: Order, *, pressed: bool, blocked: bool) -> None:
    """:param pressed: Compare was pressed just now.
    :param blocked: something is to be mended first, and the page says what.
    """
    answered = f"These cards answer: {shown.asked.query.strip()}"
    if not now.asked.query.strip():
        safe.notice("warning" if pressed else "info", EMPTY, detail=answered)
        return
    found = changes(shown, now)
    if found:
        way_out = "" if blocked else " Press Compare to ask what is set now."
        safe.notice("info", answered, detail=f"Changed since: {'; '.join(found)}.{way_out}")


def changes(shown: Order, now: Order) -> list[str]:
    """What differs, each in words with what it was: "k (was 5)". Empty when the cards answer exactly what is set."""
    was, new = shown.asked, now.asked
    pairs: list[tuple[str, Any, Any]] = [
        ("the query", was.query.strip(), new.query.strip()),
        ("the index, which was built anew", shown.index, now.index),
        ("the retrieval mode", was.mode, new.mode),
        ("k", was.k, new.k),
        ("the filter", was.filter or None, new.filter or None),
        ("the kinds of surface", was.kinds or None, new.kinds or None),
        ("the history", was.history, new.history),
        ("the writer", was.writer.source, new.writer.source),
    ]
    if was.writer.is_llm and new.writer.is_llm:
        pairs += [
            ("the prompts", was.writer.wording.edited, new.writer.wording.edited),
            ("the languages to write in", _languages(was), _languages(new)),
        ]
    words = {
        "the retrieval mode": was.mode,
        "k": str(was.k),
        "the filter": filters.words(was.filter),
        "the kinds of surface": ", ".join(was.kinds or ("all",)),
        "the history": numbers.count(len(was.history), "turn"),
        "the writer": was.writer.label,
    }
    found = [
        f"{name} (was {words[name]})" if name in words else name for name, before, after in pairs if before != after
    ]
    return [*found, *_transforms(dict(was.choices), dict(new.choices))]


def _languages(asked: Asked) -> tuple[str | None, str | None]:
    return asked.writer.wording.query_language, asked.writer.wording.passage_language


def _transforms(was: Mapping[str, Mapping[str, Any]], new: Mapping[str, Mapping[str, Any]]) -> list[str]:
    def listed(names: list[str]) -> str:
        return ", ".join(str(TRANSFORMS.get(name).label) for name in names)

    added = [name for name in new if name not in was]
    gone = [name for name in was if name not in new]
    other = [name for name in new if name in was and dict(new[name]) != dict(was[name])]
    parts = (("{} added", added), ("{} taken out", gone), ("the settings of {}", other))
    return [words.format(listed(names)) for words, names in parts if names]
