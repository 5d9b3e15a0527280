"""Judged queries as people keep them: BEIR, TREC topics and qrels, tables whose columns are mapped, public sets.

Whatever it was, it becomes BEIR's two files (``Judgements``), which ``library.queries`` reads and checks. A file that
is not BEIR's is first a ``Table`` with named columns; ``Columns`` says which is what, ``guess`` proposes it.
"""

from ir_core.loaders.judged.columns import FIELDS, Columns, guess, mapped, parse_map
from ir_core.loaders.judged.files import Seen, look, read
from ir_core.loaders.judged.public import available, read_public
from ir_core.loaders.judged.qrels import to_beir
from ir_core.loaders.judged.table import Table

__all__ = [
    "FIELDS",
    "Columns",
    "Seen",
    "Table",
    "available",
    "guess",
    "look",
    "mapped",
    "parse_map",
    "read",
    "read_public",
    "to_beir",
]
