"""100,000 surfaces: indexed from cached vectors, and searched by six transforms, embedded and on a Chroma server.

The texts are drawn by Zipf's law, 60 words each; their vectors are the word-hashing embedder's (256 dimensions), put
into the vector store beforehand, so that no figure holds any embedding. Every step runs in a process of its own,
whose peak of resident memory is told.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

SURFACES, WORDS, ASKED, DEPTH = 100_000, 60, 12, 50
TYPING_S, READING_S = 10.0, 3.0
Figures = dict[str, Any]


def large() -> Figures:
    """Embedded, as the app is without a word of configuration."""
    with tempfile.TemporaryDirectory() as home:
        return _steps(home, {})


def large_server() -> Figures:
    """The same against ``chroma run`` on this machine, whose memory is told apart."""
    with tempfile.TemporaryDirectory() as home, _chroma(Path(home) / "chroma") as (url, server):
        figures = _steps(home, {"QUERY_PRISM_CHROMA": url})
        return {**figures, "server peak (MB)": _peak_of(server)}


def _steps(home: str, more: dict[str, str]) -> Figures:
    figures: Figures = {}
    for step in ("fill", "index", "search", "page"):
        done = subprocess.run(
            [sys.executable, "-m", "bench.large", step],
            env={**os.environ, "QUERY_PRISM_HOME": home, **more}, stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
        figures.update(json.loads(done.stdout))
    return figures


def fill() -> Figures:
    """Puts the vectors into the store."""
    from ir_core import config
    from ir_core.embedders import open_embedder
    from ir_core.index import VectorStore
    from ir_core.text import sha256

    embedder, written = open_embedder("hashing"), texts()
    with VectorStore(config.home() / "vectors.sqlite") as store:
        for start in range(0, len(written), 1_000):
            part = written[start : start + 1_000]
            keys, counts = [sha256(text) for text in part], embedder.token_counts(part)
            store.write(embedder.fingerprint, keys, embedder.encode_document(part), counts)
    return {"surfaces": len(written)}


def index() -> Figures:
    """Builds the index: seconds in all and by stage."""
    from ir_core.build import build
    from ir_core.embedders import open_embedder
    from ir_core.protocols import Progress
    from ir_core.schema import Artifact
    from ir_core.strategies import WholeText

    artifacts = [Artifact(f"doc{number:06}", text) for number, text in enumerate(texts())]
    began: dict[str, float] = {}

    def tell(progress: Progress) -> None:
        began.setdefault(progress.stage, time.perf_counter())

    started, worked = time.perf_counter(), time.process_time()
    built = build("large", artifacts, WholeText(), open_embedder("hashing"), on_progress=tell)
    ended, worked = time.perf_counter(), time.process_time() - worked
    if "Embedding" in began or built.n != SURFACES:
        raise SystemExit("the vectors were to come from the store")
    moments = [*began.values(), ended]
    stages = {name: round(moments[at + 1] - moments[at], 1) for at, name in enumerate(began)}
    sizes = {"lexical (MB)": _megabytes(built.folder / "lexical"), "build folder (MB)": _megabytes(built.folder)}
    return {
        "index (s)": ended - started,
        "of processor time (s)": worked,
        "stages (s)": stages,
        **sizes,
        "index peak (MB)": peak(),
    }


def search() -> Figures:
    """Opens the index in a new process and asks; every query is new, the texts are the corpus writer's."""
    from bench.comparing import SIX
    from ir_core.build import current
    from ir_core.compare import compare_all
    from ir_core.embedders import open_embedder
    from ir_core.index.dense import scan
    from ir_core.retrieval import Engine, SearchSettings
    from ir_core.writers import open_writer

    started = time.perf_counter()
    opened = current("large")
    assert opened is not None
    open_s = time.perf_counter() - started
    engine, writer = Engine(opened, open_embedder("hashing")), open_writer("corpus", index=opened)
    asked, times = [" ".join(text.split()[:8]) for text in texts(ASKED + 1, seed=1)], []
    worked = time.process_time()
    for query in asked:
        started = time.perf_counter()
        compare_all(engine, query, transforms=SIX, writer=writer, settings=SearchSettings())
        times.append(time.perf_counter() - started)
    highest, worked = peak(), time.process_time() - worked
    vectors = engine.embedder.encode_query(asked)
    everything = engine.embedder.encode_document(texts())
    exact = [rows for rows, _ in scan(everything, vectors, DEPTH, opened.order)]
    shared = [
        len(np.intersect1d(one, rows)) for one, (rows, _) in zip(exact, opened.dense(vectors, DEPTH), strict=True)
    ]
    return {
        "open (s)": open_s,
        "first six transforms (s)": times[0],
        "six transforms (s, median)": median(times[1:]),
        "worst (s)": max(times[1:]),
        "processor time each (s, mean)": worked / len(asked),
        "search peak (MB)": highest,
        f"dense lists of {DEPTH} equal to an exact scan": shared.count(DEPTH) / len(shared),
        "of their places the same": sum(shared) / len(shared) / DEPTH,
    }


def page() -> Figures:
    """The Compare page of a server on this machine, over Streamlit's own protocol: six cards a question, every
    question new. A person types for some seconds after the page has come, and reads for some after an answer."""
    from bench.fire.served import Served
    from bench.fire.wire import Visitor
    from ir_core import config, library

    rows = [json.dumps({"id": f"doc{number:06}", "text": text}) for number, text in enumerate(texts())]
    parts = [rows[at : at + SURFACES // 5] for at in range(0, SURFACES, SURFACES // 5)]  # a file has its limit
    library.add_upload("large", [(f"{at}.jsonl", "\n".join(part).encode()) for at, part in enumerate(parts)])
    server = Served(config.home())
    try:
        visitor, started = Visitor(server.port), time.perf_counter()
        visitor.open("corpus=large")
        open_s = time.perf_counter() - started
        time.sleep(TYPING_S)
        asked = [" ".join(text.split()[:8]) for text in texts(ASKED + 1, seed=1)]
        answers = []
        for query in asked:
            answers.append(visitor.ask("large", query))
            time.sleep(READING_S)
        if any(answer.server_s is None for answer in answers):
            raise SystemExit("a comparison on the page did not come to its end")
        return {
            "page open, a new server (s)": open_s,
            "page, first comparison (s)": answers[0].client_s,
            "page, last card (s, median)": median(answer.server_s or 0 for answer in answers[1:]),
            "page at rest (s, median)": median(answer.client_s for answer in answers[1:]),
            "page at rest (s, worst)": max(answer.client_s for answer in answers[1:]),
            "page, server (MB)": round(server.resident_mb()),
        }
    finally:
        server.stop()


def texts(count: int = SURFACES, seed: int = 0) -> list[str]:
    from bench.index import zipf

    numbers = zipf(np.random.default_rng(seed), (count, WORDS))
    return [" ".join(f"w{number}" for number in row) for row in numbers.tolist()]


def peak() -> int:
    """Highest resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform != "darwin" else 1024**2)


@contextmanager
def _chroma(folder: Path) -> Iterator[tuple[str, int]]:
    from tests.chroma_server import ChromaServer

    with ChromaServer(folder) as server:
        yield server.url, server.pid


def _peak_of(process: int) -> int | None:
    try:
        lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    except OSError:
        return None  # only Linux tells
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def _megabytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 10**6


if __name__ == "__main__":
    print(json.dumps({"fill": fill, "index": index, "search": search, "page": page}[sys.argv[1]]()))
