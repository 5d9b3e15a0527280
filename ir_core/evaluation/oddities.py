"""What is odd about a query set, each in its sentence, before anything is measured with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ir_core.evaluation.measures import Qrels
from ir_core.library import JudgedQuery


def oddities(queries: Sequence[JudgedQuery], qrels: Qrels, held: Collection[str] | None = None) -> list[str]:
    """Sentences, none for a plain set. Duplicate ids never come so far: ``library.read_queries`` refuses them.

    :param held: ids of the index' documents; None where nothing is known of them.
    """
    if not queries:
        return ["The query set is empty, so there is nothing to measure."]
    names = {query.id for query in queries}
    without = sum(not any(grade > 0 for grade in qrels.get(name, {}).values()) for name in names)
    strangers = sum(name not in names for name in qrels)
    grades = [(doc, grade) for name in names for doc, grade in qrels.get(name, {}).items()]
    negative = sum(grade < 0 for _, grade in grades)
    unknown = len({doc for doc, _ in grades if doc not in held}) if held is not None else 0
    said = (
        (
            strangers,
            "judged query is not in the query set, and ignored.",
            "judged queries are not in the query set, and ignored.",
        ),
        (negative, "negative judgement counts as not relevant.", "negative judgements count as not relevant."),
        (
            unknown,
            "judged document is not in the index, so nobody can find it.",
            "judged documents are not in the index, so nobody can find them.",
        ),
    )
    found = [f"{count:,} {one if count == 1 else more}" for count, one, more in said if count]
    if len(queries) - without == 1:
        found.append("Only one query can be measured, so there is no interval and no test.")
    return found
