"""Hop after hop: each is searched where a later one needs its answer, which is then filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core.errors import Cancelled, QueryPrismError
from ir_core.prompts import MAX_PASSAGES
from ir_core.protocols import RunContext
from ir_core.schema import Query, Step, Taken, Task, Written
from ir_core.transforms._base import same_text
from ir_core.transforms._hops import Answer, Unanswered, checked, filled, references

STOPPED = "Stopped before hop "
"""Begins the note that says why a chain ended early."""


class ChainOfHops:
    """One question's planned sub-questions, run in order.

    ``queries`` are those to search, ``notes`` say what was filled in and why the chain ended early, if it did.
    """

    def __init__(self, original: Query, planned: Sequence[Written], context: RunContext) -> None:
        self.original = original
        self.planned = planned
        self.context = context
        self.queries: list[Query] = []
        self.notes: list[str] = []
        self._answers: dict[int, Answer] = {}
        self._unanswered: dict[int, str] = {}
        self._used: dict[int, list[str]] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """The rounds, each with the answer that was found in it."""
        taken = {
            f"hop {number}": tuple(
                Taken(answer.text, answer.hit.surface_id, into) for into in self._used.get(number) or [""]
            )
            for number, answer in self._answers.items()
        }
        return tuple(replace(step, taken=taken.get(step.label, ())) for step in self.context.searcher.steps)

    def run(self) -> None:
        """Until the plan ends, or a hop repeats an earlier one or refers to an answer there is not.

        :raises Cancelled: when a newer query took over.
        """
        for number, planned in enumerate(self.planned, start=1):
            wanted = self._wanted(number, planned.text)
            text = filled(planned.text, self._answers)
            if why := self._missing(wanted) or self._repeated(text):
                self.notes.append(f"{STOPPED}{number}: {why}.")
                return
            parent = f"hop-{max(wanted)}" if wanted else self.original.id
            query = Query(f"hop-{number}", text, "sub_question", planned.weight, parent=parent, hop=number)
            self.queries.append(query)
            for one in wanted:
                self._used.setdefault(one, []).append(query.id)
                answer = self._answers[one]
                self.notes.append(f"hop {number} asks about “{answer.text}”, from “{answer.hit.title}”")
            if any(number in references(later.text) for later in self.planned[number:]):
                self._look_for_answer(query)

    def _wanted(self, number: int, text: str) -> list[int]:
        """The hops it refers to; "a #1 single" of the user's own refers to nothing."""
        literal = references(self.original.text)
        return [one for one in references(text) if one < number or one not in literal]

    def _missing(self, wanted: Sequence[int]) -> str | None:
        found = next((one for one in wanted if one not in self._answers), None)
        if found is None:
            return None
        return f"it refers to #{found}, {self._unanswered.get(found, 'which no hop before it answers')}"

    def _repeated(self, text: str) -> str | None:
        found = next((one for one in (self.original, *self.queries) if same_text(one.text, text)), None)
        if found is None:
            return None
        return "it repeats the original" if found is self.original else f"it repeats hop {found.hop}"

    def _look_for_answer(self, query: Query) -> None:
        try:
            found = self.context.searcher.search([query], depth=MAX_PASSAGES, label=f"hop {query.hop}")[0].hits
            if not found:
                raise Unanswered("it found no document")
            written = self.context.write(Task("extract_answer", query.text, hits=found))
            self._answers[query.hop] = checked(written[0].text, found)
        except Unanswered as reason:
            self._unanswered[query.hop] = f"but {reason}"
        except Cancelled:
            raise
        except QueryPrismError as error:
            self._unanswered[query.hop] = f"which was not found: {str(error).rstrip('.')}"
