"""What a writer wrote, kept as JSON by query, column and sample: another k, mode or weight needs no asking again.

Of the rounds a transform searched in, only the queries are kept; their hits can be had again for nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from ir_core.budget import Spent, is_cap
from ir_core.errors import CapReached
from ir_core.evaluation.writing import Written
from ir_core.jobs import Lines
from ir_core.schema import NO_LLM, Call, Formulation, Query, Step

TAKEN = "taken_over"
"""Marks a line that another run had paid for before it was copied here."""
Place = tuple[str, int, int]
"""Query id, number of the column (the original's is 0) and of the sample."""


class Texts:
    """The texts of one job: read once, then appended to. Safe for threads."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._lock = threading.Lock()
        self._made: dict[Place, Written] = {}
        self._taken: set[Place] = set()
        for line in lines.read():
            place = (line["query"], line["column"], line.get("sample", 0))
            self._made[place] = from_json(line["text"])
            if line.get(TAKEN):
                self._taken.add(place)

    def get(self, query_id: str, column: int, sample: int = 0) -> Written | None:
        with self._lock:
            return self._made.get((query_id, column, sample))

    def samples(self, query_id: str, column: int) -> tuple[Written, ...]:
        """All that were written of one query and column, in order; a sentence where nothing was."""
        found: list[Written] = []
        while (text := self.get(query_id, column, len(found))) is not None:
            found.append(text)
        return tuple(found) or ("It was not written.",)

    def put(self, query_id: str, column: int, sample: int, samples: int, made: Written) -> None:
        """Written down before it is searched.

        :raises CapReached: for a text that a cap forbade: it is written once there is money.
        """
        if isinstance(made, Formulation) and made.fallback_reason and is_cap(made.fallback_reason):
            raise CapReached(made.fallback_reason)
        self._lines.append({"query": query_id, "column": column, **of_sample(sample, samples), "text": to_json(made)})
        with self._lock:
            self._made[query_id, column, sample] = made

    def close(self) -> None:
        self._lines.close()

    @property
    def calls(self) -> list[Call]:
        """Those of this job: what a text that was taken over took belongs to the run that had it written."""
        with self._lock:
            own = [one for place, one in self._made.items() if place not in self._taken]
            return [call for one in own if isinstance(one, Formulation) for call in one.calls]

    def spent(self, before: Spent | None = None) -> Spent:
        """What the calls of this job to a model took, of all texts, on top of ``before``."""
        total = before or Spent()
        for call in self.calls:
            total = total if call.cached or call.recorded or call.model == NO_LLM else total.plus(call)
        return total


def of_sample(sample: int, samples: int) -> dict[str, int]:
    """What a line says of its sample: nothing where there is one only."""
    return {"sample": sample, "samples": samples} if samples > 1 else {}


def to_json(made: Written) -> Any:
    """Plain values; the sentence itself where there is no formulation."""
    if isinstance(made, str):
        return made
    return asdict(replace(made, steps=tuple(replace(step, rankings=()) for step in made.steps)))


def from_json(data: Any) -> Written:
    """:raises TypeError, KeyError: for what ``to_json`` has not made."""
    if isinstance(data, str):
        return data
    made: Formulation = _as(Formulation, data)
    return replace(
        made,
        original=_as(Query, data["original"]),
        queries=as_all(Query, data["queries"]),
        calls=as_all(Call, data["calls"]),
        steps=tuple(replace(_as(Step, step), queries=as_all(Query, step["queries"])) for step in data["steps"]),
    )


def as_all(kind: Any, items: Any) -> tuple[Any, ...]:
    """Values of that type out of what ``asdict`` made of them."""
    return tuple(_as(kind, item) for item in items)


def _as(kind: Any, data: Mapping[str, Any]) -> Any:
    """Lists are tuples in these types; what a later release added is left out."""
    names = {item.name for item in fields(kind)}
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in names})
