"""Headless evaluation: judged queries through every transform, measured against the original on the same list length.

``evaluate`` gives an ``Evaluation``: a row per query and transform, from which ``Evaluation.summary`` makes means,
paired differences with a 95 % interval, wins and losses, fallback rate, seconds and cost, over all queries or some.
"""

from __future__ import annotations

from ir_core.evaluation.evaluating import evaluate
from ir_core.evaluation.intervals import Difference, paired
from ir_core.evaluation.judged import judged_queries
from ir_core.evaluation.measures import DEFAULT_MEASURES, Measure, parse, score
from ir_core.evaluation.result import Column, Evaluation, Excluded, Row, Summary

__all__ = [
    "DEFAULT_MEASURES",
    "Column",
    "Difference",
    "Evaluation",
    "Excluded",
    "Measure",
    "Row",
    "Summary",
    "evaluate",
    "judged_queries",
    "paired",
    "parse",
    "score",
]
