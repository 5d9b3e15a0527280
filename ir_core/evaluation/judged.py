"""Which queries can be measured at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from ir_core.errors import BadQuery
from ir_core.evaluation.measures import Qrels
from ir_core.evaluation.result import Excluded
from ir_core.library import JudgedQuery
from ir_core.retrieval import clean_query


def judged_queries(queries: Sequence[JudgedQuery], qrels: Qrels) -> tuple[list[JudgedQuery], list[Excluded]]:
    """The queries that can be measured, their texts as they are searched; the others by name, with the reason."""
    kept, excluded = [], []
    for query in queries:
        if not any(grade > 0 for grade in qrels.get(query.id, {}).values()):
            reason = "Small talk: nothing should be fetched for it." if query.category == "small_talk" else (
                "No document is judged relevant to it."
            )  # fmt: skip
            excluded.append(Excluded(query.id, reason))
            continue
        try:
            kept.append(replace(query, text=clean_query(query.text)[0]))
        except BadQuery as error:
            excluded.append(Excluded(query.id, str(error)))
    return kept, excluded


def missing_gold(query_ids: Iterable[str], qrels: Qrels, held: Collection[str]) -> list[str]:
    """Documents judged relevant that the index does not hold, sorted."""
    return sorted({doc for name in query_ids for doc, grade in qrels[name].items() if grade > 0 and doc not in held})
