"""Plain files of reformulations: which query, and what was written for it. What they do not say stays unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ir_core.schema import Call, Written
from ir_core.writers.recorded.entry import Asked, Entry, digest, fold

ID_KEYS = ("query_id", "_id", "qid", "id")
QUERY_KEYS = ("query", "question", "original")
TEXT_KEYS = (
    "texts", "text", "reformulations", "reformulation", "reformulated", "rewrites", "rewrite", "passages", "passage",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plain:
    """One record: a query, by its text, its id or both, and the texts for it, blank ones among them."""

    query_id: str | None
    query: str | None
    texts: tuple[str, ...]
    model: str | None = None
    date: str | None = None


def plain_of(record: Mapping[str, Any]) -> Plain:
    """A record under the names such files use. QueryGym's own JSON lines hold ``qid`` and ``query``, and that query
    is the reformulation; so is it wherever there is an id and no other text.

    :raises ValueError: saying what of the record is missing or wrong.
    """
    query_id = _first(record, ID_KEYS)
    query = _first(record, QUERY_KEYS)
    key = next((key for key in TEXT_KEYS if key in record), None)
    texts: Any = record[key] if key else None
    if key is None and query_id is not None and query is not None:
        query, texts = None, query
    elif key is None:
        raise ValueError(f"it has no text (one of {', '.join(TEXT_KEYS)})")
    if query_id is None and query is None:
        raise ValueError(f"it names no query (one of {', '.join((*QUERY_KEYS, *ID_KEYS))})")
    given = texts if isinstance(texts, list) else [texts]
    if not all(text is None or isinstance(text, str) for text in given):
        raise ValueError(f"{key or 'query'} is neither a string nor a list of strings")
    model, date = record.get("model"), record.get("date")
    return Plain(
        None if query_id is None else str(query_id),
        None if query is None else str(query),
        tuple(text or "" for text in given),
        model if isinstance(model, str) and model.strip() else None,
        date if isinstance(date, str) and date.strip() else None,
    )


def entries_of(plains: Iterable[Plain], task: str, queries: Iterable[Asked]) -> list[Entry]:
    """One entry per query. Several records of one query are its several texts; an id that is no known query's, and
    comes without its text, is left out, since nobody can ask for it."""
    known = {query.id: query for query in queries}
    gathered: dict[tuple[str, str | None], tuple[str | None, Entry]] = {}
    for plain in plains:
        asked = known.get(plain.query_id) if plain.query_id is not None else None
        if asked is not None and plain.query is not None and fold(plain.query) != fold(asked.text):
            asked = None
        query = asked.text if asked is not None else plain.query
        if query is None or not fold(query):
            continue
        history = digest(asked.history) if asked is not None else None
        texts = tuple(Written(without_repeats(text, query)) for text in plain.texts)
        entry = Entry(task, query, texts, (), history=history, date=plain.date)
        place = (fold(query), history)
        owner, earlier = gathered.get(place, (plain.query_id, None))
        if owner != plain.query_id:
            continue  # another query of the same words: the first one's texts stand
        if earlier is not None:
            entry = replace(earlier, written=(*earlier.written, *texts))
        gathered[place] = (plain.query_id, replace(entry, calls=(_call(entry, plain.model),)))
    return [entry for _, entry in gathered.values()]


def without_repeats(text: str, query: str) -> str:
    """Without the query that query expansion puts in front of what was written, two times and more; once may be how a
    rewrite begins, and stays."""
    asked = " ".join(query.split()).strip("\"' ")
    rest, times = " ".join(text.split()).lstrip("\"' "), 0
    while asked and (rest == asked or rest.startswith(asked + " ")):
        rest, times = rest[len(asked) :].lstrip(), times + 1
    return rest if times > 1 else text


def _call(entry: Entry, model: str | None) -> Call:
    texts = tuple(written.text for written in entry.written)
    return Call(entry.task, model or "", raw="\n".join(texts), texts=texts)


def _first(record: Mapping[str, Any], keys: Iterable[str]) -> str | int | None:
    for key in keys:
        value = record.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return value
    return None
