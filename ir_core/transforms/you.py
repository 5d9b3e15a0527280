"""The user's own text in place of a writer's: what a person would search for, ranked by the same rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core import prompts
from ir_core.config import MAX_QUERY_CHARS
from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Query, Task, Turn, Written
from ir_core.transforms._base import BaseTransform
from ir_core.transforms.decompose import WAITS, Decompose
from ir_core.transforms.hyde import Hyde
from ir_core.transforms.multi_query import MultiQuery
from ir_core.transforms.rewrite import Rewrite

MOST = 8
"""Texts; further lines are left out, with a note."""
CUT = f"What you typed is searched up to {MAX_QUERY_CHARS:,} characters a text; the rest is left out."
STANDS_FOR: Mapping[str, Callable[[int], BaseTransform]] = {
    "rewrite": lambda n: Rewrite(),
    "variants": lambda n: MultiQuery(n=n),
    "passage": lambda n: Hyde(),
    "sub-questions": lambda n: Decompose(n=n),
}
"""Kind of text to the transform whose queries and fusion it gets."""
LISTS = frozenset({"variants", "sub-questions"})
ITSELF = "What you typed is the query itself."
TYPE = {
    "rewrite": "Type the query you would ask in its place.",
    "variants": "Type other wordings, one on each line.",
    "passage": "Type a passage that could answer the query.",
    "sub-questions": "Type the questions it is made of, two or more, one on each line.",
}


@dataclass(frozen=True)
class You(BaseTransform):
    """Replaces what the kind's transform replaces, and is fused as it is; nobody is asked."""

    name: ClassVar[str] = "you"
    label: ClassVar[str] = "Yours"
    summary: ClassVar[str] = "Your own rewrite, variants, passage or sub-questions, searched like a writer's."
    aliases: ClassVar[tuple[str, ...]] = ("yours", "own")
    order: ClassVar[int] = 200
    needs_writer: ClassVar[bool] = False

    kind: str = param("rewrite", label="Kind", choices=tuple(STANDS_FOR), help="What the text stands for.")
    text: str = param("", label="Your text", help="Variants and sub-questions: one on each line.")

    @property
    def most_texts(self) -> int:
        return 0 if self.kind == "passage" else 1 + len(self.texts) if self.kind in LISTS else 1

    @property
    def texts(self) -> list[str]:
        """What was typed, blank lines left out; a rewrite or a passage is one text, whatever its lines."""
        lines = [" ".join(line.split()) for line in self.text.splitlines() if line.strip()]
        return lines if self.kind in LISTS else [" ".join(lines)] if lines else []

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        context.check()
        typed = self.texts
        texts = [_cut(text) for text in typed]
        if not texts:
            return self.unchanged(original, TYPE[self.kind])
        if self.kind == "sub-questions" and len(texts) < 2:
            return self.unchanged(original, "One question is no decomposition. " + TYPE[self.kind])
        model = STANDS_FOR[self.kind](min(len(texts), MOST))
        try:
            made = model.compose(original, history, replace(context, writer=_Typed(texts[:MOST])))
        except WriterError:
            return self.unchanged(original, ITSELF)
        if made.queries == (original,):
            return self.unchanged(original, WAITS if WAITS in made.notes else ITSELF)
        left_out = [f"The first {MOST} of {len(texts)} lines are searched."] if len(texts) > MOST else []
        left_out += [CUT] if texts[:MOST] != typed[:MOST] else []
        return replace(made, transform=self.name, title=f"{self.label}: {self.kind}", notes=(*made.notes, *left_out))


def _cut(text: str) -> str:
    """As long as a query may be, up to the end of a word where there is one."""
    if len(text) <= MAX_QUERY_CHARS:
        return text
    return text[: MAX_QUERY_CHARS + 1].rsplit(maxsplit=1)[0][:MAX_QUERY_CHARS]


class _Typed:
    """Writes what was typed, whatever it is asked for, and leaves no call: nobody was asked."""

    name = label = "you"
    is_llm = False
    tasks = frozenset(prompts.tasks())

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts

    def write(self, task: Task, context: RunContext) -> list[Written]:
        return [Written(text) for text in self.texts]
