"""How long the rules take to give a query its label."""

from __future__ import annotations

import time
from statistics import median
from typing import Any

from ir_core import session
from ir_core.retrieval import SearchSettings
from ir_core.router import DECIDERS, Context
from ir_core.writers import open_writer


def rule_decider() -> dict[str, Any]:
    """Milliseconds for each judged query of a sample, each seen for the first time; the vocabulary is in memory."""
    prepared = session.prepare("procurement", embedder="hashing")
    engine = session.open_engine(prepared, make_current=False)
    context = Context(engine, open_writer("corpus", index=engine.index), SearchSettings())
    rules = DECIDERS.make("rules")
    rules.decide("warming up", (), context)
    taken = []
    for query in prepared.corpus.queries():
        started = time.perf_counter()
        rules.decide(query.text, query.history, context)
        taken.append(1_000 * (time.perf_counter() - started))
    return {"queries": len(taken), "median (ms)": median(taken), "slowest (ms)": max(taken)}
