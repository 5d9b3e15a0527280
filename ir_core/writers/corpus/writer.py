"""The writer that needs no language model: everything it writes comes from the corpus and its statistics."""

from __future__ import annotations

from ir_core.errors import TaskUnsupported, WriterError
from ir_core.language import of_query
from ir_core.protocols import RunContext, Timer
from ir_core.schema import NO_LLM, Call, Task, Written
from ir_core.text import content_words
from ir_core.writers.corpus import bridge, condense, hyde, key_sentences, keywords
from ir_core.writers.corpus.acronyms import acronyms
from ir_core.writers.corpus.decompose import decompose
from ir_core.writers.corpus.definitions import titles
from ir_core.writers.corpus.extract_answer import extract_answer
from ir_core.writers.corpus.feedback import corpus_tokens
from ir_core.writers.corpus.multi_query import multi_query
from ir_core.writers.corpus.rewrite import rewrite
from ir_core.writers.corpus.spelling import candidates, english_words
from ir_core.writers.corpus.statistics import CorpusStatistics, derived
from ir_core.writers.corpus.step_back import step_back

STAND_INS = {
    "condense": condense.TITLE, "hyde": hyde.TITLE, "bridge": bridge.TITLE, "keywords": keywords.TITLE,
    "key_sentences": key_sentences.TITLE,
}  # fmt: skip
"""What was really made, where a transform is named after something else."""
NEEDS_WORDS = frozenset({"multi_query", "hyde", "step_back", "bridge", "keywords", "key_sentences"})
"""Tasks for which the query needs a word that says what it is about."""


class CorpusWriter:
    """Deterministic, free, milliseconds a task once the statistics are there. Safe for threads.

    :param index: any opened index; see :class:`CorpusStatistics` for what is asked of it.
    :param language: ISO 639-1 code of the corpus, for queries whose own language cannot be told.
    """

    name: str = "corpus"
    label: str = NO_LLM
    summary: str = "Works from the corpus' own words and statistics: no model, no key, no cost."
    reference: str = (
        "SymSpell (Garbe 2012), acronyms (Schwartz and Hearst 2003), RM3 (Lavrenko and Croft 2001), Rocchio (1971)"
    )
    is_llm: bool = False
    reads_history: frozenset[str] = frozenset({"condense"})
    tasks: frozenset[str] = frozenset(
        {
            "rewrite", "multi_query", "hyde", "decompose", "step_back", "bridge", "extract_answer", "keywords",
            "key_sentences", "condense",
        }
    )  # fmt: skip

    def __init__(self, index: CorpusStatistics, language: str | None = None) -> None:
        self.index = index
        self.language = language

    def warm(self) -> None:
        """Builds the statistics now rather than at the first query."""
        english_words()
        known = derived(self.index)
        for make in (candidates, acronyms, titles, corpus_tokens):
            known.get(make)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """See ``protocols.Writer``; every text comes with a note that says what was done.

        :raises TaskUnsupported: for a task not in ``tasks``.
        :raises WriterError: when there is nothing to work from.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        timer = Timer()
        written: list[Written] = []
        error: str | None = None
        try:
            written = self._write(task, context)
        except Exception as problem:
            error = str(problem)
            raise
        finally:
            context.record(
                Call(
                    task=task.name,
                    model=self.label,
                    texts=tuple(text.text for text in written),
                    tokens_in=0,
                    tokens_out=0,
                    cost_usd=0.0,
                    started=timer.started,
                    seconds=timer.seconds,
                    error=error,
                    title=STAND_INS.get(task.name),
                )
            )
        return written

    def _write(self, task: Task, context: RunContext) -> list[Written]:
        of_corpus = self.language or context.corpus_language
        language = task.language or of_query(task.query, of_corpus) or of_corpus or "en"
        if task.name in NEEDS_WORDS and not content_words(task.query, language):
            raise WriterError("The query has no word that says what it is about, so there is nothing to work from.")
        match task.name:
            case "rewrite":
                return rewrite(task, self.index, language)
            case "multi_query":
                return multi_query(task, self.index, language, context)
            case "hyde":
                return hyde.hyde(task, context)
            case "condense":
                return condense.condense(task, self.index, language)
            case "keywords":
                return keywords.keywords(task, self.index, language, context)
            case "key_sentences":
                return key_sentences.key_sentences(task, self.index, language, context)
            case "bridge":
                return bridge.bridge(task, language, context)
            case "extract_answer":
                return extract_answer(task, self.index, language, context)
            case "decompose":
                return decompose(task, self.index, language)
            case _:
                return step_back(task, self.index, language, context)
