"""What the killed processes do: index, evaluate, record; and what is asked of a home that one of them left."""

from __future__ import annotations

import io
import json
import os
import sqlite3
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np

from ir_core import build, config
from ir_core.embedders import open_embedder
from ir_core.index import Index
from ir_core.protocols import Embedder, Vectors
from ir_core.schema import Artifact
from ir_core.strategies import WholeText
from ir_core.text import sha256

CORPUS, SAMPLE, WORDS, ASKED = "notes", "help_center", 60, 5
DEPTH, MISSED = 10, 2
"""Rows of an answer, and how many of them a graph may miss: two undisturbed builds of the same texts have different
graphs, and differ by a row in one pair of fourteen."""
Answers = list[Any]
"""For each query the rows nearest by the stored vectors, which the graph has to find, and those by words."""


@dataclass(frozen=True)
class Telling:
    """The embedder ``inner``, which writes down every text that it embeds before it gives the vectors."""

    inner: Embedder
    log: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        vectors = self.inner.encode_document(texts)
        handle = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(handle, "".join(f"{sha256(text)}\n" for text in texts).encode())
        os.close(handle)
        return vectors


def texts(edition: int, n: int) -> list[str]:
    """Other texts in each edition."""
    rng = np.random.default_rng(edition)
    return [" ".join(f"w{word}" for word in row) for row in rng.integers(0, 3_000, (n, WORDS))]


def index(edition: int, n: int, log: str) -> Answers:
    artifacts = [Artifact(f"doc{number:05}", text) for number, text in enumerate(texts(edition, n))]
    embedder: Any = Telling(open_embedder("hashing"), log)
    return _answers(build.build(CORPUS, artifacts, WholeText(), embedder))


def answer() -> tuple[str, Answers]:
    """Of the index that a search would use now: its fingerprint, and what it answers."""
    found = build.current(CORPUS)
    assert found is not None, "there is no index any more"
    return found.manifest.fingerprint, _answers(found)


def stored() -> frozenset[str]:
    """The keys of the texts whose vector is kept."""
    connection = sqlite3.connect(config.home() / "vectors.sqlite")
    try:
        return frozenset(row[0].lower() for row in connection.execute("SELECT hex(text) FROM vectors"))
    finally:
        connection.close()


def _answers(found: Index) -> Answers:
    asked = [found.surfaces[row * found.n // ASKED].text.split()[:6] for row in range(ASKED)]
    queries = open_embedder("hashing").encode_query([" ".join(words) for words in asked])
    scores = np.round(queries @ found.vectors(range(found.n)).T, 6)
    exact = np.argsort(-scores, axis=1, kind="stable")[:, :DEPTH].tolist()
    for rows, (near, _) in zip(exact, found.dense(queries, DEPTH), strict=True):
        missed = len(set(rows) - set(near.tolist()))
        assert missed <= MISSED, f"{missed} of the {DEPTH} nearest rows are not found"
    lexical = found.lexical([dict.fromkeys(words, 1.0) for words in asked], DEPTH)
    return [exact, [rows.tolist() for rows, _ in lexical]]


def make_job(base_url: str, n: int) -> str:
    from tests.evaluation_jobs import job, model, plan

    return job(plan(writer=model(base_url), use_cache=False), n).id


def evaluate(job: str) -> tuple[str, dict[str, Any]]:
    """How it ended, and every figure but the seconds."""
    from ir_core.jobs import JobStore, run
    from tests.evaluation_jobs import figures, work

    one = JobStore().get(job)
    status = run(one, work()).status
    return status, figures(one)


def cut_off(job: str) -> int:
    """What the run says of the requests that were under way when it was killed."""
    from ir_core import evaluation
    from ir_core.jobs import JobStore

    return evaluation.cut_off(JobStore().get(job))


def prepare() -> None:
    """Indexes the sample, so that a recording begins at once."""
    from ir_core import session

    session.prepare(SAMPLE, embedder="hashing").build()


def record(file: str, base_url: str, n: int) -> list[Any]:
    return _measured("--writer", "openai/test-model", "--base-url", base_url, "--record", file, "--limit", str(n))


def replay(file: str, n: int) -> list[Any]:
    return _measured("--writer", f"recorded:{file}", "--limit", str(n))


def _measured(*more: str) -> list[Any]:
    """By the command line: for each transform and query what was searched for, and what was found."""
    from ir_core.cli._main import main

    out, err = io.StringIO(), io.StringIO()
    line = [
        "evaluate",
        "--corpus",
        SAMPLE,
        "--embedder",
        "hashing",
        "--transforms",
        "rewrite,multi_query",
        "--json",
        *more,
    ]
    with redirect_stdout(out), redirect_stderr(err):
        code = main(line)
    assert code == 0, err.getvalue()
    columns = json.loads(out.getvalue())["transforms"]
    return [[row["query_id"], row["queries"], row["retrieved"]] for one in columns for row in one["rows"]]
