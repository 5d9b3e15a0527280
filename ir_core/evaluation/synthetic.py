"""Synthetic questions: a writer asks about passages of the corpus, each judged by the document it was made from.

After InPars (Bonifacio et al. 2022) and Promptagator (Dai et al. 2023). Such questions take up the words of the
passage they were made from, which flatters BM25 and the original query; so the share of their words that it holds is
kept with each, and its mean with the set.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from ir_core.budget import Estimate, Spent, estimate_tasks
from ir_core.errors import CapReached, TaskUnsupported, WriterError
from ir_core.evaluation.writing import LLM_WORKERS
from ir_core.index import Index
from ir_core.library import Corpus, JudgedQuery, QuerySet, add_query_set
from ir_core.protocols import OnProgress, Progress, RunContext, Writer
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings
from ir_core.schema import Hit, Task
from ir_core.text import content_words, stem

ASK_TASK = "ask_question"
MOST_QUESTIONS = 500
LOOKED_AT = 10
"""Passages whose prompts are counted; the others take what these take on average."""
MIN_CHARS = 80
"""A passage shorter than that is a heading or a stub, and there is nothing to ask about."""
FIRST = 5
"""When the first so many all fail, the rest is not tried: a wrong key would be paid for with patience."""


@dataclass(frozen=True, slots=True)
class Question:
    """``overlap``: the share of its content words (stemmed) that the passage it was made from holds; None where it
    has none."""

    text: str
    document: str
    surface_id: str
    overlap: float | None


@dataclass(frozen=True, slots=True)
class Made:
    """``failed`` has the reason of each passage nothing was asked about; ``stopped`` that a cap ended it early."""

    questions: tuple[Question, ...]
    failed: tuple[str, ...] = ()
    stopped: str | None = None

    @property
    def overlap(self) -> float | None:
        """Mean over the questions."""
        known = [one.overlap for one in self.questions if one.overlap is not None]
        return sum(known) / len(known) if known else None

    @property
    def said(self) -> str:
        """What came of it, in sentences."""
        count = len(self.questions)
        parts = [f"{count:,} synthetic question{'' if count == 1 else 's'} written."]
        if self.overlap is not None:
            parts.append(f"On average {self.overlap:.0%} of their words stand in the passage they were made from.")
        if self.failed:
            parts.append(f"{len(self.failed):,} could not be written: {self.failed[0]}")
        return " ".join([*parts, *([self.stopped] if self.stopped else [])])


def cannot(writer: Writer) -> str | None:
    """Why this writer asks no questions, as a sentence; None where it does."""
    return None if ASK_TASK in writer.tasks else str(TaskUnsupported(writer.label, "questions about passages"))


def passages(index: Index, n: int, *, seed: int = 0) -> list[Hit]:
    """``n`` passages of as many documents, drawn at random and always the same for a seed; fewer where there are not
    so many with something in them."""
    draw = random.Random(seed)
    rows = list(range(len(index.surfaces)))
    draw.shuffle(rows)
    found: dict[int, Hit] = {}
    for row in rows:
        if len(found) >= n:
            break
        number = int(index.artifact_of[row])
        if number in found:
            continue
        one = index.surfaces[row]
        if one.kind != "deps" and len(one.text.strip()) >= MIN_CHARS:
            title = index.titles[number]
            found[number] = Hit(one.artifact_id, one.id, one.kind, one.text, title, {}, len(found) + 1, 0.0)
    return list(found.values())


def foreseen(index: Index, writer: Writer, n: int, *, spent: Spent | None = None, seed: int = 0) -> Estimate:
    """What ``n`` questions will take, from a few of their prompts; see ``budget.estimate``."""
    hits = passages(index, n, seed=seed)
    looked_at = hits[:LOOKED_AT]
    host = getattr(writer, "sends_to", writer.label if writer.is_llm else None)
    said = f"Titles and passages of {len(hits):,} documents go to {host}." if host else "Nothing leaves this machine."
    found = estimate_tasks(
        [_task(hit) for hit in looked_at], writer, (said,), corpus_language=index.manifest.language, spent=spent
    )
    times = len(hits) / len(looked_at) if looked_at else 0.0
    return replace(
        found,
        calls=round(found.calls * times),
        kept=round(found.kept * times),
        tokens_in=None if found.tokens_in is None else round(found.tokens_in * times),
        tokens_out=None if found.tokens_out is None else round(found.tokens_out * times),
        seconds=None if found.seconds is None else found.seconds * times,
        cost_usd=None if found.cost_usd is None else found.cost_usd * times,
    )


def ask_about(
    engine: Engine,
    writer: Writer,
    n: int,
    *,
    seed: int = 0,
    cancel: threading.Event | None = None,
    on_progress: OnProgress | None = None,
    use_cache: bool = True,
) -> Made:
    """A question about each of ``n`` passages.

    :param writer: capped by the caller; at a cap what is written so far is given back.
    :raises WriterError: for a writer that asks no questions, when the first all fail, or nothing came of any.
    :raises Cancelled: once ``cancel`` is set.
    """
    if why := cannot(writer):
        raise WriterError(why)
    hits, language = passages(engine.index, n, seed=seed), engine.index.manifest.language
    if not hits:
        raise WriterError("No passage of this corpus is long enough to ask about.")
    event = cancel or threading.Event()

    def one(hit: Hit) -> str | WriterError:
        searcher = IndexSearcher(engine, SearchSettings())
        context = RunContext(writer, searcher, event, language, use_cache)
        try:
            return context.write(_task(hit))[0].text
        except WriterError as error:
            return error

    questions: list[Question] = []
    failed: list[str] = []
    stopped: str | None = None
    workers = LLM_WORKERS if writer.is_llm else 1
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="asking") as pool:
        try:
            for done, (hit, text) in enumerate(zip(hits, pool.map(one, hits), strict=True), start=1):
                if isinstance(text, CapReached):
                    stopped = str(text)
                    break
                if isinstance(text, WriterError):
                    failed.append(str(text))
                    if not questions and len(failed) >= FIRST:
                        raise WriterError(f"The writer fails: the first {FIRST} questions all did. {text}")
                else:
                    overlap = word_overlap(text, f"{hit.title} {hit.text}", language)
                    questions.append(Question(text, hit.artifact_id, hit.surface_id, overlap))
                if on_progress:
                    on_progress(Progress("questions", done, len(hits)))
        except BaseException:
            event.set()  # those under way end, the others do not begin
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        if stopped:
            pool.shutdown(wait=False, cancel_futures=True)
    if not questions:
        raise WriterError(stopped or f"No question could be written. {failed[0]}")
    return Made(tuple(questions), tuple(failed), stopped)


def keep(corpus: Corpus | str, made: Made, writer: Writer, *, title: str | None = None) -> QuerySet:
    """Keeps them as a set that says it is synthetic. Errors as ``library.add_query_set``."""
    queries = [
        JudgedQuery(
            f"s{number:03d}", one.text,
            metadata={"synthetic": True, "surface": one.surface_id, "overlap": one.overlap},
        )
        for number, one in enumerate(made.questions, start=1)
    ]  # fmt: skip
    qrels = {query.id: {one.document: 1} for query, one in zip(queries, made.questions, strict=True)}
    overlap = "" if made.overlap is None else f", mean word overlap with the gold passage {made.overlap:.0%}"
    source = f"written by {writer.label}{overlap}"
    return add_query_set(corpus, title or "Synthetic questions", queries, qrels, kind="synthetic", source=source)


def word_overlap(question: str, passage: str, language: str | None) -> float | None:
    """The share of the question's different content words, stemmed, that the passage holds."""
    asked, held = (_stems(text, language or "en") for text in (question, passage))
    return len(asked & held) / len(asked) if asked else None


def mean_overlap(queries: Sequence[JudgedQuery]) -> float | None:
    """Of a synthetic set, as it was kept."""
    known = [one.metadata["overlap"] for one in queries if isinstance(one.metadata.get("overlap"), int | float)]
    return sum(known) / len(known) if known else None


def _stems(text: str, language: str) -> set[str]:
    return {stem(word, language) for word in content_words(text, language)}


def _task(hit: Hit) -> Task:
    return Task(ASK_TASK, hit.title or hit.artifact_id, hits=(hit,))
