"""The nouns of Query Prism, as frozen values.

An ``Artifact`` is one document of a corpus. A strategy turns it into an ``IndexPlan``: the ``Surface`` texts that
are embedded and matched, and the fields that are filtered on but never embedded. A transform turns what a person
typed into a ``Formulation``: the ``Query`` objects that are searched, and the ``Call`` records of whoever wrote
them. Each (query, leg) gives a ``Ranking`` of ``Hit`` objects; the lists are fused into one, and the
``SearchResult`` holds everything that happened on the way.

Embeddings are float32 arrays (n, dim) with unit rows. Seconds for time (``started`` is a ``time.perf_counter``
reading of this process), US dollars for cost. None means unknown, and is never shown as 0.
"""

from __future__ import annotations

from ir_core.schema.documents import Artifact, IndexPlan, Raw, Surface, surface_id
from ir_core.schema.formulations import ORIGINS, Formulation, Step, Taken, WrittenBy
from ir_core.schema.hits import Contribution, Hit, Ranking
from ir_core.schema.queries import LEGS, MODE_LEGS, ORIGINAL, Leg, Mode, Query, Turn
from ir_core.schema.results import Searcher, SearchResult, Trace
from ir_core.schema.writing import AUTHORED, NO_LLM, Call, Foreseen, Task, Written

__all__ = [
    "AUTHORED",
    "LEGS",
    "MODE_LEGS",
    "NO_LLM",
    "ORIGINAL",
    "ORIGINS",
    "Artifact",
    "Call",
    "Contribution",
    "Foreseen",
    "Formulation",
    "Hit",
    "IndexPlan",
    "Leg",
    "Mode",
    "Query",
    "Ranking",
    "Raw",
    "SearchResult",
    "Searcher",
    "Step",
    "Surface",
    "Taken",
    "Task",
    "Trace",
    "Turn",
    "Written",
    "WrittenBy",
    "surface_id",
]
