"""How long the figures of rankings take to build, for the longest list anybody asks for."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from ir_core.analysis.agreement import agreement
from ir_core.analysis.provenance import provenance
from ir_core.charts import Palette, rank_flow_figure
from ir_core.charts.agreement import agreement_figure
from ir_core.charts.provenance import provenance_figure
from ir_core.config import MAX_TRANSFORMS, depth_for
from ir_core.schema import Contribution, Formulation, Hit, Query, Ranking, SearchResult, Trace

K = 50
PALETTE = Palette(("#123456",) * MAX_TRANSFORMS, ("#111111", "#222222", "#333333"), "#000000", "#777777", "#ffffff")
REPEATS = 15


def build_times() -> dict[str, float]:
    """Milliseconds of processor time, median of 15, for k = 50 and eight transforms of eight queries each, read to
    the full depth: the computation and the figure together."""
    rng = np.random.default_rng(0)
    results = [_made(rng) for _ in range(MAX_TRANSFORMS)]
    names = [f"{number}. transform" for number in range(1, MAX_TRANSFORMS + 1)]
    labels = {query.id: query.id for query in results[0].formulation.queries}
    gold = {"d3", "d40", "d90"}

    def agreements() -> None:
        found = agreement(results, K)
        agreement_figure(found.jaccard, names, "Jaccard", PALETTE)
        agreement_figure(found.rbo, names, "RBO", PALETTE)

    return {
        "rank-flow (ms)": _ms(lambda: rank_flow_figure(results, K, PALETTE, "d7", gold, names)),
        "agreement, both maps (ms)": _ms(agreements),
        "provenance (ms)": _ms(lambda: provenance_figure(provenance(results[0]), PALETTE, labels)),
        # the figure of "Without a query": the list and the lists without each of its queries
        "rank-flow of nine lists (ms)": _ms(lambda: rank_flow_figure([*results, results[0]], K, PALETTE, "d7", gold)),
    }


def _ms(build: Callable[[], Any]) -> float:
    build()  # plotly is imported
    times = []
    for _ in range(REPEATS):
        started = time.process_time()
        build()
        times.append(time.process_time() - started)
    return 1_000 * median(times)


def _made(rng: np.random.Generator) -> SearchResult:
    """A ranking of 400 documents, not far from alphabetical; each hit was found by all queries in both legs."""
    queries = tuple(Query(f"q{number}", f"query {number}") for number in range(8))
    order = np.argsort(np.arange(400) + rng.normal(0, 30, 400))[: depth_for(K)]
    parts = [(one.id, leg) for one in queries for leg in ("dense", "lexical")]
    hits = tuple(
        Hit(
            f"d{number}", f"d{number}#0", "document", "text", f"Title of document {number}", {}, rank,
            16 / (60 + rank),
            contributions=tuple(Contribution(*part, f"d{number}#0", rank, 1 / (60 + rank)) for part in parts),
        )
        for rank, number in enumerate(order.tolist(), start=1)
    )  # fmt: skip
    return SearchResult(
        Formulation("multi_query", "Multi-query", queries[0], queries),
        tuple(Ranking(query, leg, hits) for query, leg in parts),
        Ranking("fused", "fused", hits[:K]),
        Trace(),
        "made",
        below=hits[K:],
    )
