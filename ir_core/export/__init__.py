"""Taking a comparison away: as a TREC run, as Python that ranks the same, as a page, and whole, for another instance.

A ``Comparison`` is frozen: what was asked, how, and every result with all its lists. No key and no base URL is in it.
"""

from __future__ import annotations

from ir_core.export.comparison import Comparison
from ir_core.export.conversation import without_history
from ir_core.export.page import to_html
from ir_core.export.runs import RunStore, run_store
from ir_core.export.snippet import to_python
from ir_core.export.trec import to_qrels, to_run
from ir_core.export.whole import from_bundle, to_bundle

__all__ = [
    "Comparison",
    "RunStore",
    "from_bundle",
    "run_store",
    "to_bundle",
    "to_html",
    "to_python",
    "to_qrels",
    "to_run",
    "without_history",
]
