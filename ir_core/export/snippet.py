"""Python that ranks the same: the queries stand in it, so that nobody writes and nobody is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ir_core.export.comparison import Comparison
from ir_core.schema import Formulation, Query

_HEAD = '''"""Prints the ranking of each transform of a comparison as it was.

Needs Query Prism and the corpus that are named below.
"""

from ir_core import session
from ir_core.index import IndexSettings
from ir_core.retrieval import SearchSettings, search_many
from ir_core.schema import Formulation, Query

'''

_TAIL = """
prepared = session.prepare(CORPUS, strategy=STRATEGY, embedder=EMBEDDER, settings=INDEX_SETTINGS)
engine = session.open_engine(prepared, reranker=RERANKER, make_current=False)
if engine.index.manifest.fingerprint != INDEX:
    raise SystemExit("The corpus is not the same any more: its index was " + INDEX + ". The ranking would differ.")
for name, found in zip(NAMES, search_many(engine, FORMULATIONS, SETTINGS)):
    for hit in found.fused.hits:
        print(name, hit.rank, hit.artifact_id, f"{hit.score:.6f}", sep="\\t")
"""


def to_python(comparison: Comparison) -> str:
    """A script whose output is one line per hit: transform, rank, document, score, with tabs between.

    Whatever comes from the comparison stands in it as a Python literal, so nothing of a query, a document, a reply or
    a bundle's own facts is ever code.
    """
    config = comparison.config
    index = {name: config[name] for name in ("k1", "b", "tokeniser", "idf", "filter_fields")}
    search = {name: config[name] for name in ("mode", "k", "depth", "filter", "surfaces")}
    weights = {name: config[name] for name in ("dense_weight", "lexical_weight")}
    parts = [
        _HEAD,
        f"MADE = {comparison.made!r}\n",
        f"VERSION = {comparison.version!r}\n",
        f"CORPUS = {config['corpus']!r}\n",
        f"INDEX = {config['index']!r}\n",
        f"STRATEGY = {_plain(config['strategy'])!r}\n",
        f"EMBEDDER = {config['embedder']!r}\n",
        f"RERANKER = {config['reranker']!r}\n",
        f"INDEX_SETTINGS = IndexSettings({_arguments(index)})\n",
        f"SETTINGS = SearchSettings({_arguments({**search, **weights})})\n",
        f"NAMES = {comparison.names!r}\n",
        "FORMULATIONS = [\n",
        *(_formulation(result.formulation) for result in comparison.results),
        "]\n",
        _TAIL,
    ]
    return "".join(parts)


def _formulation(made: Formulation) -> str:
    queries = "".join(f"            {_query(query)},\n" for query in made.queries)
    skip = f"        skip_reason={made.skip_reason!r},\n" if made.skip_reason else ""
    return (
        f"    Formulation(\n        {made.transform!r}, {made.title!r},\n        {_query(made.original)},\n"
        f"        (\n{queries}        ),\n        combine={_plain(made.combine)!r},\n{skip}    ),\n"
    )


def _query(query: Query) -> str:
    """Only what is not as usual is written."""
    usual = {item.name: item.default for item in fields(Query)}
    said = {item: getattr(query, item) for item in usual if item not in {"id", "text"}}
    changed = {name: value for name, value in said.items() if value != usual[name]}
    more = f", {_arguments(changed)}" if changed else ""
    return f"Query({query.id!r}, {query.text!r}{more})"


def _arguments(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_plain(value)!r}" for name, value in values.items())


def _plain(value: Any) -> Any:
    """Mappings as dicts and lists as tuples, whose ``repr`` is Python."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value
