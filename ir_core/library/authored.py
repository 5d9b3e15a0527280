"""authored.jsonl beside a corpus: example texts for some of its queries (see sample_corpora/AUTHORED.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ir_core.errors import BadSource
from ir_core.library.queries import JudgedQuery
from ir_core.schema import Turn

ABOUT = ("query_id", "query")


@dataclass(frozen=True, slots=True)
class Authored:
    """Texts by task for one query, in the conversation it was judged in."""

    query_id: str
    query: str
    history: tuple[Turn, ...]
    texts: Mapping[str, tuple[str, ...]]


def read_authored(data: bytes, queries: Iterable[JudgedQuery]) -> list[Authored]:
    """In the file's order.

    :param queries: those of the corpus; they have the conversations.
    :raises BadSource: naming the line that is no example, or whose query is not the corpus' own.
    """
    known = {query.id: query for query in queries}
    found = []
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            found.append(_example(json.loads(line), known))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"
            raise BadSource(
                f"authored.jsonl, line {number}, has no texts for a query of this corpus ({what}). Correct it."
            ) from None
    return found


def _example(record: Mapping[str, Any], known: Mapping[str, JudgedQuery]) -> Authored:
    query = known[str(record["query_id"])]
    if query.text != record["query"]:
        raise ValueError(f"{query.id} is {query.text!r} in queries.jsonl")
    texts = {
        task: tuple([said] if isinstance(said, str) else [str(text) for text in said])
        for task, said in record.items()
        if task not in ABOUT
    }
    return Authored(query.id, query.text, query.history, texts)
