"""Which queries hang together: turns of one conversation, and queries about the same document, are no separate
witnesses, so a test must take or leave them as one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from ir_core.library import JudgedQuery

Qrels = Mapping[str, Mapping[str, int]]


def groups_of(shared: Mapping[str, Sequence[Hashable]]) -> dict[str, int]:
    """Query id to the number of its group, from 0 in the order of the queries.

    A query goes with whatever it shares with the most others; what stands earlier in its list wins a tie. It is in
    one group only: were all that is linked by way of third queries one group, a set in which documents answer many
    questions would end as a single witness.

    :param shared: what each query may share with others.
    """
    held = Counter(thing for things in shared.values() for thing in dict.fromkeys(things))
    numbers: dict[Hashable, int] = {}
    found = {}
    for query, things in shared.items():
        most = max(things, key=lambda thing: held[thing], default=None)
        own = ("shared", most) if most is not None and held[most] > 1 else ("query", query)
        found[query] = numbers.setdefault(own, len(numbers))
    return found


def groups_of_queries(queries: Sequence[JudgedQuery], qrels: Qrels) -> dict[str, int]:
    """By conversation (its first question) where others of it are there, else by relevant document."""
    talks = Counter(_first_question(query) for query in queries)
    shared: dict[str, list[Hashable]] = {}
    for query in queries:
        talk = _first_question(query)
        documents = [("document", name) for name, grade in qrels.get(query.id, {}).items() if grade > 0]
        shared[query.id] = [("talk", talk)] if talks[talk] > 1 else list(documents)
    return groups_of(shared)


def _first_question(query: JudgedQuery) -> str:
    asked = (turn["content"] for turn in query.history if turn.get("role") == "user")
    return next(asked, query.text).strip()
