"""Find a document: where the one that should have been found is, or where it was lost, for every transform.

``find`` follows it through loading, indexing, the filter, the kinds, each (query, leg) list read to its end, fusion,
the reranker and the cut at k, and tries out what would have to change.
"""

from __future__ import annotations

from ir_core.analysis.find.finding import find
from ir_core.analysis.find.types import Document, Outcome, OwnSurface, Place, Stage, Whereabouts, Word

__all__ = ["Document", "Outcome", "OwnSurface", "Place", "Stage", "Whereabouts", "Word", "find"]
