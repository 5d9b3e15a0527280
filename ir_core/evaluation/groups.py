"""Which queries hang together: turns of one conversation, and queries about the same documents, are no separate
witnesses, so a test must take or leave them as one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping


def groups_of(shared: Mapping[str, Iterable[Hashable]]) -> dict[str, int]:
    """Query id to the number of its group, from 0 in the order of the queries.

    :param shared: what each query shares with others (its conversation, its relevant documents). Two queries are in
        one group when they share something, also by way of third ones.
    """
    parent: dict[Hashable, Hashable] = {}

    def root(item: Hashable) -> Hashable:
        parent.setdefault(item, item)
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for query, things in shared.items():
        own = root(("query", query))
        for thing in things:
            parent[root(("shared", thing))] = own
    numbers: dict[Hashable, int] = {}
    return {query: numbers.setdefault(root(("query", query)), len(numbers)) for query in shared}
