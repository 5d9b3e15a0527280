"""What a chain holds between two steps, and how the next step's formulations are folded into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import regex

from ir_core.schema import Formulation, Query, Turn

PASSAGES = frozenset({"hypothetical", "feedback", "expansion"})
"""Roles whose text answers, or is a bag of words, and does not ask."""
_NUMBER = regex.compile(r"-\d+$")


@dataclass(frozen=True)
class Folded:
    """The queries so far. ``combine`` is the joining inside each leg: that of a step that worked on one query holds;
    where a step works on several, theirs stays, so that a mean vector never swallows sub-questions."""

    original: Query
    queries: tuple[Query, ...] = ()
    combine: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    saw_history: bool = False

    def __post_init__(self) -> None:
        if not self.queries:
            object.__setattr__(self, "queries", (self.original,))

    @property
    def texts(self) -> list[Query]:
        """Those that the next step works on."""
        return [query for query in self.queries if query.role not in PASSAGES]

    def history_left(self, history: Sequence[Turn]) -> Sequence[Turn]:
        """The conversation, as long as no step has written it into the query."""
        return () if any(query.role in {"condensed", "joined"} for query in self.queries) else history

    def after(self, step: str, made: Mapping[str, Formulation], *, most: int) -> Folded:
        """With each query that ``made`` names in its formulation's place.

        :param step: how notes and failures name it.
        :param most: queries that are kept; how many more there were is noted.
        """
        used: set[str] = set()
        queries = [new for query in self.queries for new in _in_place(query, made.get(query.id), used)]
        notes = _said(step, [note for one in made.values() for note in one.notes])
        if len(queries) > most:
            notes += (f"{step}: {len(queries) - most} more queries are left out, {most} are the most.",)
        combined = [one.combine for one in made.values()]
        combine = {**self.combine, **combined[0]} if len(combined) == 1 else _joined(combined, self.combine)
        return replace(
            self,
            queries=tuple(queries[:most]),
            combine=combine,
            notes=self.notes + notes,
            failures=self.failures
            + tuple(
                dict.fromkeys(f"{one.fallback_reason} ({step}.)" for one in made.values() if one.fallback_reason)
            ),
            saw_history=self.saw_history or any(one.saw_history for one in made.values()),
        )


def _in_place(query: Query, made: Formulation | None, used: set[str]) -> list[Query]:
    """What stands in the query's place: its weight times theirs, in legs that both have, each id used once."""
    if made is None or made.skip_reason or made.fallback_reason:
        used.add(query.id)
        return [query]
    found = []
    ids: dict[str | None, str] = {}
    for new in made.queries:
        same = new.id == made.original.id
        legs = tuple(leg for leg in new.legs if leg in query.legs)
        ids[new.id] = _free(query.id if same else new.id, used)
        base = query if same else replace(new, parent=ids.get(new.parent, query.id), hop=query.hop + new.hop)
        if legs:
            found.append(replace(base, id=ids[new.id], weight=query.weight * new.weight, legs=legs))
    return found


def _free(wanted: str, used: set[str]) -> str:
    """The id, or the next of its kind that is free: hypothetical-1, hypothetical-2."""
    base, number, name = _NUMBER.sub("", wanted), 1, wanted
    while name in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name)
    return name


def _joined(steps: Sequence[Mapping[str, str]], before: Mapping[str, str]) -> dict[str, str]:
    found = {leg: how for one in steps for leg, how in one.items() if how != "centroid"}
    return {**found, **before}


def _said(step: str, notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{step}: {note}" for note in dict.fromkeys(notes))
