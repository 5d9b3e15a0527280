"""A whole evaluation as a job: 500 queries through six transforms on 5,000 surfaces, the writer taking no time."""

from __future__ import annotations

import random
import resource
import sys
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from ir_core import build, library
from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.embedders import DEFAULT_EMBEDDER, open_embedder
from ir_core.evaluation import Plan, create, evaluation_of, open_index_of, work_of
from ir_core.jobs import JobStore, run
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext
from ir_core.schema import Artifact, Call, Task, Written
from ir_core.strategies import WholeText

QUERIES, SURFACES = 500, 5_000
WORDS_OF = "help_center"
"""The sample corpus whose words are drawn from, as often as it has them: real words, which the embedder reads as it
reads any text."""
LONG = 60
"""Words of a surface, and of a hypothetical passage."""


@dataclass
class InstantWriter:
    """Answers at once with words of its own for every task: what is left is the evaluation."""

    words: list[str]
    name: ClassVar[str] = "instant"
    label: ClassVar[str] = "instant"
    is_llm: ClassVar[bool] = True
    tasks: ClassVar[frozenset[str]] = frozenset({"rewrite", "multi_query", "hyde", "decompose", "step_back"})

    def write(self, task: Task, context: RunContext) -> list[Written]:
        draw = random.Random(f"{task.name} {task.query} {task.seed}")
        length = LONG if task.name == "hyde" else 9
        texts = [" ".join(draw.choices(self.words, k=length)) for _ in range(max(1, task.n))]
        context.record(Call(task.name, self.name, texts=tuple(texts), started=time.perf_counter()))
        return [Written(text) for text in texts]


def evaluation_500(queries: int = QUERIES, surfaces: int = SURFACES) -> dict[str, Any]:
    """Seconds from the start of the job to its last figure, peak memory of the process, texts that were searched."""
    draw = random.Random(0)
    sample = library.corpus(WORDS_OF).load().artifacts
    words = " ".join(str(one.raw) for one in sample).split()
    documents = [Artifact(f"d{number}", " ".join(draw.choices(words, k=LONG))) for number in range(surfaces)]
    index = build.build("bench-evaluation", documents, WholeText(), open_embedder(DEFAULT_EMBEDDER))
    asked = [JudgedQuery(f"q{number}", " ".join(draw.choices(words, k=9))) for number in range(queries)]
    qrels = {one.id: {draw.choice(documents).id: 1 for _ in range(3)} for one in asked}
    plan = Plan("bench-evaluation", index.manifest.fingerprint, tuple((name, {}) for name in DEFAULT_TRANSFORMS))
    job = create(plan, asked, qrels, title="bench", store=JobStore())
    started = time.perf_counter()
    end = run(job, work_of(lambda made: (open_index_of(made), InstantWriter(words))))
    found = evaluation_of(job, "hybrid")
    seconds = time.perf_counter() - started
    rows = [row for column in found.columns for row in column.rows]
    failed = [row for row in rows if row.error or row.fallback_reason or not row.retrieved]
    if end.status != "finished" or len(rows) != queries * len(DEFAULT_TRANSFORMS) or failed:
        raise RuntimeError(f"the run is not whole: {end.status} {end.sentence}, {len(failed)} of {len(rows)} failed")
    return {
        "surfaces": index.n,
        "queries × transforms": f"{queries} × {len(found.columns)}",
        "texts searched": len({text for row in rows for text in row.queries}),
        "whole run (s)": seconds,
        "peak memory (MB)": peak_mb(),
    }


def peak_mb() -> float:
    """The most this process has held so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3  # bytes there, kilobytes here
