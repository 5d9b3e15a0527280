"""What a chain holds between two steps, and how the next step's formulations are folded into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import regex

from ir_core.schema import ORIGINAL, Formulation, Query, Step, Turn

PASSAGES = frozenset({"hypothetical", "feedback", "expansion"})
"""Roles whose text answers, or is a bag of words, and does not ask."""
_NUMBER = regex.compile(r"-\d+$")


@dataclass(frozen=True)
class Folded:
    """The queries so far, and the rounds searched for them. ``combine`` is the joining inside each leg: that of a
    step that worked on one query holds; where a step works on several, theirs stays, so that a mean vector never
    swallows sub-questions."""

    original: Query
    queries: tuple[Query, ...] = ()
    combine: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
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
        queries: list[Query] = []
        rounds: list[Step] = []
        for query in self.queries:
            own = made.get(query.id)
            new, ids = _in_place(query, own, used)
            queries += new
            rounds += [_renamed(one, ids, query.id) for one in own.steps] if own else []
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
            failures=self.failures + _failed(step, list(made.values())),
            steps=(*self.steps, *rounds),
            saw_history=self.saw_history or any(one.saw_history for one in made.values()),
        )


def _in_place(query: Query, made: Formulation | None, used: set[str]) -> tuple[list[Query], Mapping[str | None, str]]:
    """What stands in the query's place: its weight times theirs, in legs that both have, each id used once; and the
    new id of each."""
    if made is None or made.skip_reason or made.fallback_reason:
        used.add(query.id)
        return [query], {}
    found = []
    ids: dict[str | None, str] = {}
    for new in made.queries:
        same = new.id == made.original.id
        legs = tuple(leg for leg in new.legs if leg in query.legs)
        ids[new.id] = _free(query.id if same else new.id, used)
        base = query if same else replace(new, parent=ids.get(new.parent, query.id), hop=query.hop + new.hop)
        if legs:
            found.append(replace(base, id=ids[new.id], weight=query.weight * new.weight, legs=legs))
    return found, ids


def _renamed(step: Step, ids: Mapping[str | None, str], worked_on: str) -> Step:
    """The round with the chain's ids; the original of that formulation is the query it worked on."""

    def name(old: str) -> str:
        return ids.get(old, worked_on if old == ORIGINAL else old)

    return replace(
        step,
        queries=tuple(replace(one, id=name(one.id)) for one in step.queries),
        rankings=tuple(replace(one, query_id=name(one.query_id)) for one in step.rankings),
        taken=tuple(replace(one, into=name(one.into)) for one in step.taken),
    )


def _failed(step: str, made: Sequence[Formulation]) -> tuple[str, ...]:
    """The reasons, each once, and for how many of several queries where not for all."""
    reasons = Counter(one.fallback_reason for one in made if one.fallback_reason)
    return tuple(
        f"{reason} ({step}{f', for {count} of {len(made)} queries' if count < len(made) else ''}.)"
        for reason, count in reasons.items()
    )


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
