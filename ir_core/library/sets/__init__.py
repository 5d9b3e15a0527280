"""Query sets of a corpus: its own, which comes with it and is the default, and those that people added.

Added ones are kept under HOME/query_sets/<corpus>/<name>/ in BEIR's layout (queries.jsonl, qrels/test.tsv) with a
set.json beside them; nothing is ever written into a corpus. A bounded number of each corpus, of a bounded size.
"""

from ir_core.library.sets.importing import imported_set, public_set, read_set
from ir_core.library.sets.kept import (
    MOST_SETS,
    add_query_set,
    delete_query_set,
    delete_query_sets,
    query_set,
    query_sets,
)
from ir_core.library.sets.marks import MARKS, Marked, hand_made, mark, mark_category, marked, unmark
from ir_core.library.sets.types import KINDS, OWN, QuerySet, SetKind

__all__ = [
    "KINDS",
    "MARKS",
    "MOST_SETS",
    "OWN",
    "Marked",
    "QuerySet",
    "SetKind",
    "add_query_set",
    "delete_query_set",
    "delete_query_sets",
    "hand_made",
    "imported_set",
    "mark",
    "mark_category",
    "marked",
    "public_set",
    "query_set",
    "query_sets",
    "read_set",
    "unmark",
]
