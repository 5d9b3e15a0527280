"""Search: formulations in, results out. ``search`` is the one-item case of ``search_many``.

Every distinct text is encoded once, every distinct (text, leg) is searched once, in one call to each leg; lists are
collapsed to the best surface per artifact, joined as the formulation says, and cut to the same k.
"""

from __future__ import annotations

from ir_core.retrieval.engine import Engine
from ir_core.retrieval.searcher import IndexSearcher
from ir_core.retrieval.searching import search, search_many
from ir_core.retrieval.settings import SearchSettings, clean_query, default_mode

__all__ = ["Engine", "IndexSearcher", "SearchSettings", "clean_query", "default_mode", "search", "search_many"]
