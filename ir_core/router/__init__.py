"""When to use which: a decider gives a query a label, a table the transform for it, and ``route`` runs that alone.

::

    found = route(engine, query, decider=DECIDERS.make("rules"), table=get_table("ours"), writer=writer,
                  settings=SearchSettings(k=10))
    found.decision.label, found.decision.reasons, found.transform, found.result
"""

from __future__ import annotations

from ir_core.router.deciders import DECIDERS
from ir_core.router.decision import Context, Decider, Decision, Labelled, Reason
from ir_core.router.labels import APART, LABELS, TITLES, label_named, labelled
from ir_core.router.override import Override
from ir_core.router.routing import Routed, route, searches_of
from ir_core.router.saved_labels import forget_labels, own_labels, save_label
from ir_core.router.saved_tables import delete_table, get_table, own_tables, save_table, tables
from ir_core.router.tables import NO_SEARCH, Route, RouteTable, from_line, published, table_of

__all__ = [
    "APART",
    "DECIDERS",
    "LABELS",
    "NO_SEARCH",
    "TITLES",
    "Context",
    "Decider",
    "Decision",
    "Labelled",
    "Override",
    "Reason",
    "Route",
    "RouteTable",
    "Routed",
    "delete_table",
    "forget_labels",
    "from_line",
    "get_table",
    "label_named",
    "labelled",
    "own_labels",
    "own_tables",
    "published",
    "route",
    "save_label",
    "save_table",
    "searches_of",
    "table_of",
    "tables",
]
