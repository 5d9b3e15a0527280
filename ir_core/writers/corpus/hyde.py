"""Feedback passages in place of HyDE: the vectors of the first hits, added to the query's (Rocchio 1971)."""

from __future__ import annotations

from ir_core.protocols import RunContext
from ir_core.schema import Task, Written
from ir_core.text import quoted
from ir_core.writers.corpus.feedback import feedback

TITLE = "Feedback passages (Rocchio), in place of HyDE"
DOCUMENTS = 3
BETA = 0.5
"""Rocchio's weight of the feedback beside the query's 1, as in the SMART experiments (Salton and Buckley 1990)."""


def hyde(task: Task, context: RunContext) -> list[Written]:
    """One text that stands for the best surfaces of the first documents: nothing is invented, the corpus is quoted.

    :raises WriterError: when nothing is found.
    """
    hits = feedback(task, context)[:DOCUMENTS]
    titles = ", ".join(f"“{hit.title}”" for hit in hits)
    return [
        Written(
            "\n\n".join(quoted(hit.text) for hit in hits),
            surface_ids=tuple(hit.surface_id for hit in hits),
            note=f"quoted from {titles}; no text was invented",
            weight=BETA,
        )
    ]
