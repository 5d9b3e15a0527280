"""The second half of the instruments' figures, built for k = 50, eight transforms and 20,000 surfaces on the map."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ir_core.analysis.drift import Drift
from ir_core.analysis.projection import SAMPLE, Ground
from ir_core.analysis.query_map import Gold, Placed, QueryMap
from ir_core.analysis.samples import Sample, Samples
from ir_core.analysis.timeline import timeline
from ir_core.charts import Palette, latency_figure
from ir_core.charts.drift import drift_figure
from ir_core.charts.gantt import gantt_figure
from ir_core.charts.query_map import hover_titles, query_map_figure
from ir_core.charts.samples import samples_figure
from ir_core.schema import Call, Formulation, Hit, Query, Ranking, SearchResult, Trace

K, COLUMNS, EACH = 50, 8, 8
PALETTE = Palette(("#111",) * COLUMNS, ("#333", "#555", "#777"), "#000", "#888", "#fff")
REPEATS = 9


def build_times() -> dict[str, float]:
    """Milliseconds from computed values to figure, the best of several; hover texts are made once per index."""
    results = _results()
    ground = _ground()
    titles = hover_titles(ground)
    drawn, found = _map(), [(column, _drift(n)) for column in range(1, COLUMNS) for n in range(EACH)]
    passages = Samples(
        tuple(Sample(f"hypothetical-{n}", "words " * 80, 0.9, 0.5, 0.8) for n in range(EACH)),
        tuple(tuple(0.8 for _ in range(EACH)) for _ in range(EACH)),
        0.2,
    )
    figures: dict[str, Callable[[], Any]] = {
        "drift": lambda: drift_figure(found, PALETTE),
        "map": lambda: query_map_figure(ground, titles, drawn, PALETTE),
        "gantt": lambda: gantt_figure(timeline(results), PALETTE),
        "latency": lambda: latency_figure(results, PALETTE, 1.0),
        "samples": lambda: samples_figure(passages, PALETTE),
    }
    return {f"{name} (ms)": _milliseconds(build) for name, build in figures.items()}


def _milliseconds(build: Callable[[], Any]) -> float:
    build()
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        build()
        times.append(time.perf_counter() - started)
    return 1_000 * min(times)  # what else the machine does only adds


def _results() -> Sequence[SearchResult]:
    hits = tuple(Hit(f"d{n}", f"d{n}#0", "document", "text", f"Document {n}", {}, n, 1 / n) for n in range(1, K + 1))
    original = Query("original", "a query of several words")
    made = []
    for column in range(COLUMNS):
        calls = tuple(Call("task", "model", started=1.0 + n / 10, seconds=0.5, queued=0.05) for n in range(EACH))
        formulation = Formulation(
            f"t{column}", f"Transform {column}", original, (original,), calls=calls, started=1.0
        )
        trace = Trace(0.9, 0.01, 0.02, 0.001, 0.0, 0.05, 1.0, 4)
        made.append(SearchResult(formulation, (), Ranking("fused", "fused", hits), trace, "f"))
    return made


def _ground() -> Ground:
    points = np.random.default_rng(0).normal(size=(SAMPLE, 2)).astype(np.float32)
    titles = tuple(f"A document with a title of usual length, number {n}" for n in range(SAMPLE))
    rows = np.arange(SAMPLE, dtype=np.int64)
    return Ground("f", np.zeros(384), np.zeros((2, 384)), rows, points, titles, (0.1, 0.05), 3 * SAMPLE)


def _map() -> QueryMap:
    placed = [Placed(0, "Original", "original", "original", "a query", 0.0, 0.0, 1.0, "Document", 0.5, 0.5)]
    placed += [
        Placed(column, f"T{column}", f"v-{n}", "variant", "words " * 12, n / 9, column / 9, 0.7, "Doc", 0.5, 0.4)
        for column in range(1, COLUMNS)
        for n in range(EACH)
    ]
    gold = tuple(Gold(f"d{n}", f"Document {n}", False, n / 9, n / 9, 0.5) for n in range(5))
    return QueryMap(tuple(placed), gold, 0, None)


def _drift(n: int) -> Drift:
    return Drift(
        "Transform", f"variant-{n}", "variant", "words " * 12, n / 10, None, ("lost",), ("added",), (), (), "en",
        False, None, (), 12, 5, ("moved in meaning",),
    )  # fmt: skip
