"""What is odd about a query set, each in its sentence, before anything is measured; and about what came out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ir_core.evaluation.evidence import Evidence
from ir_core.evaluation.intervals import SMALL_N
from ir_core.evaluation.measures import Qrels
from ir_core.evaluation.result import Summary
from ir_core.library import JudgedQuery

EMPTY = "The query set is empty, so there is nothing to measure."
NONE_JUDGED = "None of these queries has a judgement, so there is nothing to measure against."
NONE_RELEVANT = "No document is judged relevant to any of these queries, so there is nothing to be found."
NONE_SEARCHED = "Every query that has a relevant document is blank, so there is nothing to search for."
ONE_QUERY = "Only one query can be measured, so there is no interval and no test."
ALL_TIES = "Every transform ties with the original on every query."


def oddities(
    queries: Sequence[JudgedQuery],
    qrels: Qrels,
    held: Collection[str] | None = None,
    *,
    whole: Sequence[JudgedQuery] = (),
) -> list[str]:
    """Sentences, none for a plain set. Duplicate ids never come so far: ``library.read_queries`` refuses them.

    :param held: ids of the index' documents; None where nothing is known of them.
    :param whole: the set, where ``queries`` are some of it.
    """
    if not queries:
        return [EMPTY]
    names = {query.id for query in queries}
    relevant = {name for name in names if any(grade > 0 for grade in qrels.get(name, {}).values())}
    small_talk = {query.id for query in queries if query.category == "small_talk"} - relevant
    without = len(names) - len(relevant) - len(small_talk)
    if not relevant:
        return [why_none(queries, qrels)]
    strangers = len(qrels.keys() - names - {query.id for query in whole})
    grades = [(doc, grade) for name in names for doc, grade in qrels.get(name, {}).items()]
    negative = sum(grade < 0 for _, grade in grades)
    unknown = len({doc for doc, _ in grades if doc not in held}) if held is not None else 0
    said = (
        (
            len(small_talk),
            "query is small talk and left out: nothing should be fetched for it.",
            "queries are small talk and left out: nothing should be fetched for them.",
        ),
        (
            without,
            "query has no document judged relevant, and is left out.",
            "queries have no document judged relevant, and are left out.",
        ),
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
    if len(relevant) == 1:
        found.append(ONE_QUERY)
    return found


def why_none(queries: Sequence[JudgedQuery], qrels: Qrels) -> str:
    """Why none of the queries can be measured."""
    grades = [grade for query in queries for grade in qrels.get(query.id, {}).values()]
    if not grades:
        return NONE_JUDGED
    return NONE_SEARCHED if max(grades) > 0 else NONE_RELEVANT


def few_groups(n: int, proof: Sequence[Evidence | None]) -> str | None:
    """What has to be known where few queries, or few groups of them, were measured; None where there are enough.

    :param n: queries measured.
    """
    groups = min((one.n_groups for one in proof if one), default=n)
    if groups >= SMALL_N:
        return None
    shared = "" if groups == n else f" in {groups} groups that share a conversation or a document"
    few = f"Only {n:,} {'query' if n == 1 else 'queries'}{shared}"
    if groups < 2:
        return f"{few}: there is no interval and no test."
    return f"{few}: below {SMALL_N} intervals are too short, and all but large differences stay unseen."


def all_tie(sums: Sequence[Summary], measure: str) -> bool:
    """Whether no transform differs from the original on any query.

    :param sums: a column's each, the original's first.
    """
    return len(sums) > 1 and all(one.n > 0 and one.difference[measure].ties == one.n for one in sums[1:])
