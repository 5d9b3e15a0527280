"""The writer with no LLM: one file per task, and the statistics they share.

``statistics`` says what is needed of an index and keeps what was derived from it. ``rewrite`` uses ``spelling`` and
``acronyms``; ``multi_query``, ``hyde`` and ``step_back`` start from ``feedback``; ``decompose`` reads structure with
``clauses``, ``comparison`` (``names``, ``predicates``) and ``definitions``.
"""

from ir_core.writers.corpus.statistics import CorpusStatistics
from ir_core.writers.corpus.writer import STAND_INS, CorpusWriter

__all__ = ["STAND_INS", "CorpusStatistics", "CorpusWriter"]
