"""What a run will take before it begins, and caps that stop it politely: what is done is kept.

::

    foreseen = estimate(choices, writer, query, history, corpus_language="en")
    run = Purse(Cap(max_calls=20, max_usd=0.05), what="this run")
    compare(engine, query, writer=capped(writer, run), …)
    run.spent()                                         # calls, tokens, seconds, dollars
"""

from __future__ import annotations

from ir_core.budget._capped import CappedWriter, capped
from ir_core.budget._estimate import Estimate, estimate, estimate_tasks, foresee
from ir_core.budget._leaving import Sent, by_host, in_sentences
from ir_core.budget._purse import Cap, Purse, Spent, dollars, is_cap

__all__ = [
    "Cap",
    "CappedWriter",
    "Estimate",
    "Purse",
    "Sent",
    "Spent",
    "by_host",
    "capped",
    "dollars",
    "estimate",
    "estimate_tasks",
    "foresee",
    "in_sentences",
    "is_cap",
]
