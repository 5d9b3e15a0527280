"""Decomposition by structure: comparisons, coordinated questions, lists, and names another document defines."""

from __future__ import annotations

from ir_core.schema import Task, Written
from ir_core.writers.corpus.clauses import clauses, listed
from ir_core.writers.corpus.comparison import comparison
from ir_core.writers.corpus.definitions import definitions_and_rest, titles
from ir_core.writers.corpus.statistics import CorpusStatistics, derived

MAX_PARTS = 4
WHOLE = "one question; left whole"


def decompose(task: Task, index: CorpusStatistics, language: str) -> list[Written]:
    """Two to four questions that can each be read alone; a simple question or a claim comes back whole."""
    known = derived(index)
    query = task.query
    found, why = clauses(query), "one of several questions"
    if language == "en":
        if not found:
            found, why = comparison(query, known.get(titles)), "asked of one of the things compared"
        if not found:
            found, why = listed(query), "asked of one item of the list"
        if not found:
            found, why = definitions_and_rest(query, known), "a name that another document defines, then the question"
    parts = list(dict.fromkeys(found))[:MAX_PARTS]
    if len(parts) < 2:
        return [Written(query, note=WHOLE)]
    return [Written(part, note=why) for part in parts]
