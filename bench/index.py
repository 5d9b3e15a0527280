"""What the index promises, measured: BM25 against the rank-bm25 package, and 5,000 surfaces embedded once."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from ir_core import build
from ir_core.embedders import DEFAULT_EMBEDDER, open_embedder
from ir_core.index.lexical import Lexical
from ir_core.protocols import Progress
from ir_core.schema import Artifact
from ir_core.strategies import Chunked

Figures = dict[str, Any]


def bm25_ratio(surfaces: int = 100_000, words: int = 100, terms: int = 8, queries: int = 5) -> Figures:
    """Our search, the best 50 rows picked out, against ``BM25Okapi.get_scores`` alone; words follow Zipf's law."""
    from rank_bm25 import BM25Okapi

    rng = np.random.default_rng(0)
    corpus = [[f"w{word}" for word in row] for row in zipf(rng, (surfaces, words)).tolist()]
    timer = time.perf_counter()
    ours = Lexical.build(corpus, k1=1.5, b=0.75)
    build_s = time.perf_counter() - timer
    reference = BM25Okapi(corpus)
    asked = [list(rng.choice(corpus[int(rng.integers(surfaces))], terms, replace=False)) for _ in range(queries)]
    order = np.arange(surfaces, dtype=np.int32)
    difference, ours_s, theirs_s = 0.0, [], []
    for query in asked:
        bag = Counter(query)
        timer = time.perf_counter()
        ours.search([bag], 50, order)
        ours_s.append(time.perf_counter() - timer)
        timer = time.perf_counter()
        scores = reference.get_scores(query)
        theirs_s.append(time.perf_counter() - timer)
        difference = max(difference, float(np.abs(scores - ours.scores(bag)).max()))
    return {
        "surfaces": surfaces,
        "build_s": round(build_s, 2),
        "search_ms": round(float(np.median(ours_s)) * 1e3, 2),
        "rank_bm25_ms": round(float(np.median(theirs_s)) * 1e3, 1),
        "times_faster": round(float(np.median(np.array(theirs_s) / np.array(ours_s)))),
        "largest_difference": difference,
    }


def index_5000(embedder: str = DEFAULT_EMBEDDER, show: bool = False) -> Figures:
    """About 5,000 surfaces indexed, then only ``overlap`` changed, then back: texts embedded each time, and seconds.

    :param show: print the stages with the time left.
    """
    rng = np.random.default_rng(1)
    corpus = [
        Artifact(f"doc{number:04}", " ".join(f"w{word}" for word in words))
        for number, words in enumerate(zipf(rng, (525, 165)).tolist())
    ]
    model = open_embedder(embedder)
    figures: Figures = {"embedder": model.name}
    steps = (("first", 15), ("overlap_changed", 20), ("changed_back", 15), ("other_folder", 15))
    with tempfile.TemporaryDirectory() as home:
        for step, overlap in steps:
            name = "other" if step == "other_folder" else "bench"
            strategy = Chunked(chunk_size=100, overlap=overlap)
            reports: list[Progress] = []

            def tell(progress: Progress, reports: list[Progress] = reports) -> None:
                reports.append(progress)
                if show and progress.seconds_left is not None and progress.done % 640 == 0:
                    print(
                        f"  {progress.stage} {progress.done} of {progress.total}, {progress.seconds_left:.0f} s left"
                    )

            timer = time.perf_counter()
            index = build.build(name, corpus, strategy, model, on_progress=tell, home=Path(home))
            seconds = time.perf_counter() - timer
            embedded = max((one.done for one in reports if one.stage == "Embedding"), default=0)
            timed = sum(one.seconds_left is not None for one in reports if one.stage == "Embedding")
            figures[step] = {
                "surfaces": index.n,
                "embedded": embedded,
                "seconds": round(seconds, 2),
                "reports_with_time_left": timed,
            }
        build.delete("bench", Path(home))
        build.delete("other", Path(home))
    return figures


def zipf(rng: np.random.Generator, shape: tuple[int, int], vocabulary: int = 50_000) -> np.ndarray:
    """Word numbers drawn by Zipf's law, as words of a language are."""
    shares = 1 / np.arange(1, vocabulary + 1)
    return rng.choice(vocabulary, size=shape, p=shares / shares.sum())
