"""What tests of evaluation jobs share: an index of a sample, a plan over a few of its queries, and a run in a process
of its own (``python -m tests.evaluation_jobs ID``, the key in TYPED_KEY) that can really be killed."""

from __future__ import annotations

import os
import sys
from typing import Any

from ir_core import build, library, session
from ir_core.evaluation import Plan, WriterPlan, create, evaluation_of, open_index_of, open_writer_of, work_of
from ir_core.evaluation.job import Parts
from ir_core.jobs import Handle, Job, JobStore, run
from ir_core.protocols import Writer
from ir_core.secrets import Secret

CORPUS = "help_center"
TRANSFORMS = (("identity", {}), ("rewrite", {}), ("multi_query", {"n": 3}))


def plan(**options: Any) -> Plan:
    """Over the sample's index, built with the hashing embedder where there is none."""
    index = build.current(CORPUS)
    if index is None:
        index = session.prepare(CORPUS, embedder="hashing").build()
    usual = {"transforms": TRANSFORMS, "timed_queries": 0, "samples": 1}
    return Plan(CORPUS, index.manifest.fingerprint, **{**usual, **options})


def job(made: Plan, n: int = 12) -> Job:
    corpus = library.corpus(CORPUS)
    judged = [query for query in corpus.queries() if query.id in corpus.qrels()][:n]
    return create(made, judged, corpus.qrels(), title="A run", store=JobStore())


def model(base_url: str, **options: Any) -> WriterPlan:
    return WriterPlan("openai/test-model", base_url=base_url, **options)


def work(writer: Writer | None = None, key: Secret | None = None):
    """:param writer: in place of the plan's."""

    def parts(made: Plan) -> Parts:
        engine = open_index_of(made)
        return engine, writer or open_writer_of(made, engine, key=key)

    return work_of(parts)


def figures(one: Job, mode: str = "hybrid") -> dict[str, Any]:
    """All that is measured, but the seconds."""
    found = evaluation_of(one, mode)  # type: ignore[arg-type]
    return {**found.to_json(), "seconds": None}


def _main() -> None:
    typed = os.environ.get("TYPED_KEY")
    os.environ.setdefault("OPENAI_API_KEY", "from-the-environment")

    def told(handle: Handle) -> None:
        print("ready", flush=True)
        work(key=Secret(typed) if typed else None)(handle)

    print(run(JobStore().get(sys.argv[1]), told).status)


if __name__ == "__main__":
    _main()
