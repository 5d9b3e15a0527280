"""A label that a person chose in place of a decider's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ir_core.errors import UnknownName
from ir_core.router.decision import Context, Decider, Decision, Reason
from ir_core.router.labels import LABELS, TITLES
from ir_core.schema import Turn


@dataclass(frozen=True)
class Override:
    """Decides ``query`` as ``chosen``; any other text, such as the condensed one, is left to ``then``.

    :raises UnknownName: for a label there is not.
    """

    query: str
    chosen: str
    then: Decider

    name: ClassVar[str] = "you"
    label: ClassVar[str] = "You"
    summary: ClassVar[str] = "The label you chose."
    needs_writer: ClassVar[bool] = False
    needs_examples: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.chosen not in LABELS:
            raise UnknownName("label", self.chosen, LABELS)

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """See ``Decider``."""
        if query.strip() != self.query.strip():
            return self.then.decide(query, history, context)
        return Decision(self.chosen, self.name, (Reason(f"you chose “{TITLES[self.chosen]}”"),))
