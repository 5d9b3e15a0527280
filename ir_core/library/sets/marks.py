"""Judgements made by hand, hit by hit, kept in the corpus' hand-made set.

The first mark on a query that another set has takes over all that set says of it (its judgements, category, answers),
so that a label can be corrected in place and the rest still stands; the other set stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ir_core import visits
from ir_core.errors import BadInput
from ir_core.library._corpus import Corpus
from ir_core.library.queries import JudgedQuery, Qrels
from ir_core.library.sets.kept import add_query_set, delete_query_set, home, opened_corpus, put, query_set, query_sets
from ir_core.library.sets.types import QuerySet
from ir_core.schema import Turn

if TYPE_CHECKING:
    from filelock import BaseFileLock

TITLE = "My judgements"
MARKS = {"right": 1, "wrong": 0}
MAX_CATEGORY_CHARS = 60
Change = Callable[[JudgedQuery, dict[str, int]], JudgedQuery]
"""Gives the query as it is from now on, and changes its grades in place."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What is judged of one query: grades by document id, above 0 relevant. ``by_hand`` once a person changed it."""

    query: JudgedQuery
    grades: dict[str, int]
    by_hand: bool


def marked(corpus: Corpus | str, text: str, history: Sequence[Turn] = ()) -> Marked | None:
    """What the hand-made set says of this query, else the corpus' own; None where neither has it.

    A query is the same by its text; where several have it, the one asked after the same turns comes first.

    :raises BadSource: when a set cannot be read.
    """
    opened = opened_corpus(corpus)
    for kept in filter(None, (hand_made(opened), query_set(opened))):
        if query := _same(kept.queries(), text, history):
            return Marked(query, dict(kept.qrels().get(query.id, {})), kept.kind == "hand-made")
    return None


def hand_made(corpus: Corpus | str) -> QuerySet | None:
    """The corpus' hand-made set that may be changed, once there is one."""
    found = (one for one in query_sets(corpus) if one.kind == "hand-made" and one.folder)
    return next((one for one in found if one.folder and visits.is_own(one.folder)), None)


def unmark(corpus: Corpus | str, text: str, history: Sequence[Turn] = ()) -> None:
    """Forgets what was judged by hand for this query: what the corpus' own set says counts again."""
    with _lock():
        kept = hand_made(corpus)
        queries = kept.queries() if kept else []
        there = _same(queries, text, history)
        if kept is None or there is None:
            return
        left = [query for query in queries if query.id != there.id]
        if left:
            put(kept, left, kept.qrels())
        else:
            delete_query_set(corpus, kept.name)


def mark(corpus: Corpus | str, text: str, document: str, grade: int | None, history: Sequence[Turn] = ()) -> QuerySet:
    """Keeps that a document is right (1) or wrong (0) for a query; None takes the judgement back. A grade above 1
    that says "right" already stays.

    :raises BadInput: for a blank query, or a full store. :raises BadSource: when a set cannot be read.
    """

    def change(query: JudgedQuery, grades: dict[str, int]) -> JudgedQuery:
        if grade is None:
            grades.pop(document, None)
        elif (grades.get(document, 0) > 0) != (grade > 0) or document not in grades:
            grades[document] = grade
        return query

    return _changed(corpus, text, history, change)


def mark_category(corpus: Corpus | str, text: str, category: str | None, history: Sequence[Turn] = ()) -> QuerySet:
    """Keeps the query's category; blank or None is none. Errors as :func:`mark`."""
    said = " ".join((category or "").split())
    if len(said) > MAX_CATEGORY_CHARS:
        raise BadInput(f"The category has {len(said)} characters; {MAX_CATEGORY_CHARS} is the most. Shorten it.")
    return _changed(corpus, text, history, lambda query, _: replace(query, category=said or None))


def _changed(corpus: Corpus | str, text: str, history: Sequence[Turn], change: Change) -> QuerySet:
    opened = opened_corpus(corpus)
    if not text.strip():
        raise BadInput("There is no query to judge for. Type one first.")
    with _lock():
        kept = hand_made(opened)
        queries: list[JudgedQuery] = kept.queries() if kept else []
        qrels: Qrels = kept.qrels() if kept else {}
        there = _same(queries, text, history, exact=True)
        if there is None:
            known = marked(opened, text, history)
            there, qrels_of = _new(known, text, history, {query.id for query in queries})
            queries.append(there)
            qrels[there.id] = qrels_of
        place = queries.index(there)
        queries[place] = change(there, qrels.setdefault(there.id, {}))
        if kept is None:
            return add_query_set(opened, TITLE, queries, qrels, kind="hand-made", source="the Compare page")
        return put(kept, queries, qrels)


def _lock() -> BaseFileLock:
    """Two clicks, or two processes, do not undo each other's mark."""
    from filelock import FileLock

    home().mkdir(parents=True, exist_ok=True)
    return FileLock(home() / ".marks.lock")


def _new(
    known: Marked | None, text: str, history: Sequence[Turn], taken: set[str]
) -> tuple[JudgedQuery, dict[str, int]]:
    """As the other set has it, under its id where that is free."""
    if known and tuple(known.query.history) == tuple(history) and known.query.id not in taken:
        return known.query, dict(known.grades)
    turns = tuple(history)
    own_id = "h" + hashlib.sha256(repr((text.strip(), turns)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return JudgedQuery(own_id, text.strip(), history=turns), {}


def _same(
    queries: Sequence[JudgedQuery], text: str, history: Sequence[Turn], *, exact: bool = False
) -> JudgedQuery | None:
    found = [query for query in queries if query.text.strip() == text.strip()]
    after = [query for query in found if tuple(query.history) == tuple(history)]
    return next(iter(after if exact else [*after, *found]), None)
