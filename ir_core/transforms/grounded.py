"""Corpus-grounded expansion: the first hits are read before anything is written (LameR, Shen et al., 2023; CSQE, Lei
et al., EACL 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import regex

from ir_core.errors import WriterError
from ir_core.params import param
from ir_core.protocols import RunContext
from ir_core.schema import Formulation, Hit, Query, Task, Turn, Written
from ir_core.text import normalise
from ir_core.transforms._base import BaseTransform, distinct, notes_of
from ir_core.transforms._expanding import COMBINE, DENSE, DENSE_HELP, REPEAT_HELP, expanded
from ir_core.transforms._feedback import DEPTH, first_hits, source_of

FEWEST_WORDS = 4
FEWEST_LETTERS = 12
"""Of scripts whose words do not stand apart."""
_WORD = regex.compile(r"\w+(?:['’.\-]\w+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
TASKS = {"csqe": "key_sentences", "lamer": "grounded_passage"}


@dataclass(frozen=True)
class Grounded(BaseTransform):
    """An LLM that reads what the corpus says writes in its words. CSQE takes key sentences out of the hits, LameR
    writes a passage after reading them. A sentence that stands in no hit was invented, and is left out."""

    name: ClassVar[str] = "grounded"
    label: ClassVar[str] = "Corpus-grounded expansion"
    summary: ClassVar[str] = "Reads the first hits, then adds key sentences of theirs, or a passage in their words."
    reference: ClassVar[str] = "Lei et al., CSQE, EACL 2024; Shen et al., LameR, 2023"
    aliases: ClassVar[tuple[str, ...]] = ("csqe",)
    order: ClassVar[int] = 36

    method: str = param(
        "csqe", choices=tuple(TASKS), help="csqe: key sentences out of the hits. lamer: a passage written after them."
    )
    documents: int = param(5, low=1, high=DEPTH, help="How many first hits are read; a model is sent at most 5.")
    n: int = param(2, label="Sentences", low=1, high=10, help="How many key sentences to ask for (csqe).")
    repeat: int = param(5, label="Query repeated", low=1, high=20, help=REPEAT_HELP)
    dense: str = param("mean", label="Dense leg", choices=DENSE, help=DENSE_HELP)

    def task(self, query: str, history: Sequence[Turn]) -> Task:
        return Task(TASKS[self.method], query, tuple(history), n=self.n if self.method == "csqe" else 1)

    @property
    def most_texts(self) -> int:
        """The original's: what is added to it is no query of its own."""
        return 1

    def compose(self, original: Query, history: Sequence[Turn], context: RunContext) -> Formulation:
        hits = first_hits(original, context, self.documents)
        asked = replace(self.task(original.text, history), hits=hits)
        written = distinct(context.write(asked), original.text, asked.n)
        kept = written
        if self.method == "csqe":
            kept = [text for text in written if stands_in(text, hits, whole=context.writer.is_llm)]
        if not kept:
            what = "No sentence that came back stands in a document" if written else "The writer repeated the query"
            raise WriterError(f"{what}, so nothing was added.")
        made = expanded(
            original, " ".join(text.text for text in kept), context.searcher.tokenise,
            repeat=self.repeat, dense=self.dense, weight=kept[0].weight,
        )  # fmt: skip
        left_out = f"{len(written) - len(kept)} of {len(written)} sentences stand in no document, and were left out."
        return Formulation(
            transform=self.name,
            title=self.title_of(context),
            original=original,
            queries=made.queries,
            combine=COMBINE,
            notes=(made.note, source_of(hits), *((left_out,) if len(kept) < len(written) else ()), *notes_of(kept)),
        )


def stands_in(sentence: Written, hits: Sequence[Hit], *, whole: bool = True) -> bool:
    """Whether a hit holds the sentence, from the beginning of a word to the end of one, but for case, white space and
    the marks at its ends.

    :param whole: refuses what is too short to be a sentence, which stands in any text by chance; one that was cut out
        of a document, a line of code, may be short.
    """
    wanted = _plain(sentence.text).strip("\"'“”‘’«».,;:!?؟… ")
    short = len(_WORD.findall(wanted)) < FEWEST_WORDS and len(_UNSPACED.findall(wanted)) < FEWEST_LETTERS
    if not wanted or (whole and short):
        return False
    before = "" if _UNSPACED.match(wanted) else r"(?<!\w)"
    after = "" if _UNSPACED.match(wanted[-1]) else r"(?!\w)"
    pattern = regex.compile(f"{before}{regex.escape(wanted)}{after}")
    return any(pattern.search(_plain(hit.text)) for hit in hits)


def _plain(text: str) -> str:
    return " ".join(normalise(text).split())
