"""What a comparison puts on the map: the original, every made query, means of them, and what is looked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ir_core import language
from ir_core.analysis.projection import Ground
from ir_core.fusion.centroid import Centroid
from ir_core.retrieval import Engine
from ir_core.retrieval.engine import vector_key
from ir_core.schema import Formulation, Query, SearchResult


@dataclass(frozen=True, slots=True)
class Placed:
    """One query's vector. ``column`` is its transform's place in the comparison (0, the original's). Cosines are
    of the full vectors, not of the map: to the original, to the surface nearest of all (of document ``nearest``),
    and to the best surface of a document that is looked for (None without one)."""

    column: int
    title: str
    query_id: str
    role: str
    text: str
    x: float
    y: float
    to_original: float
    nearest: str
    to_nearest: float
    to_gold: float | None


@dataclass(frozen=True, slots=True)
class Gold:
    """One surface of a document that is looked for: the ``expected`` one, or one that is judged relevant."""

    artifact_id: str
    title: str
    expected: bool
    x: float
    y: float
    to_original: float


@dataclass(frozen=True, slots=True)
class QueryMap:
    """``placed`` begins with the original. ``words_only`` counts queries that no vector is searched for. ``unread``
    is the language of the query where the embedder does not read it: its places are then close to noise."""

    placed: tuple[Placed, ...]
    gold: tuple[Gold, ...]
    words_only: int
    unread: str | None


def query_map(
    engine: Engine,
    ground: Ground,
    results: Sequence[SearchResult],
    expected: str | None = None,
    relevant: Collection[str] = (),
) -> QueryMap:
    """:param expected: and ``relevant``: artifact ids of what is looked for; those the index lacks are left out."""
    formulations = [result.formulation for result in results]
    if not formulations:
        return QueryMap((), (), 0, None)
    original = formulations[0].original
    made = [(column, f.title, q) for column, f in enumerate(formulations) for q in f.queries if q.id != f.original.id]
    dense = [entry for entry in made if "dense" in entry[2].legs]
    vectors = engine.encode([original, *(query for _, _, query in dense), *_members(formulations)]).vectors
    entries = [(0, formulations[0].title, original, vectors[vector_key(original)])]
    entries += [(column, title, query, vectors[vector_key(query)]) for column, title, query in dense]
    for column, result in enumerate(results):
        for derived in result.derived:
            members = _dense(result.formulation)
            mean = Centroid().mean([vectors[vector_key(q)] for q in members], [q.weight for q in members])
            entries.append((column, result.formulation.title, derived, mean))
    stacked = np.stack([vector for *_, vector in entries])
    gold_rows, gold = _gold(engine, ground, expected, relevant, stacked[0])
    to_gold = (stacked @ engine.index.vectors(gold_rows).T).max(axis=1) if gold_rows else None
    nearest = engine.index.dense(stacked, 1)
    places = ground.place(stacked)
    placed = []
    for number, (column, title, query, vector) in enumerate(entries):
        rows, scores = nearest[number]
        placed.append(
            Placed(
                column=column,
                title=title,
                query_id=query.id,
                role=query.role,
                text=query.text,
                x=float(places[number, 0]),
                y=float(places[number, 1]),
                to_original=float(stacked[0] @ vector),
                nearest=_title(engine, int(rows[0])) if len(rows) else "",
                to_nearest=float(scores[0]) if len(rows) else 0.0,
                to_gold=None if to_gold is None else float(to_gold[number]),
            )
        )
    return QueryMap(tuple(placed), gold, len(made) - len(dense), _unread(engine, original))


def _dense(made: Formulation) -> list[Query]:
    return [query for query in made.queries if "dense" in query.legs and query.weight > 0]


def _members(formulations: Sequence[Formulation]) -> list[Query]:
    return [query for made in formulations if made.combine.get("dense") == "centroid" for query in _dense(made)]


def _gold(
    engine: Engine,
    ground: Ground,
    expected: str | None,
    relevant: Collection[str],
    original: NDArray[np.float32],
) -> tuple[list[int], tuple[Gold, ...]]:
    index = engine.index
    number_of = {
        name: number for number, name in enumerate(index.artifact_ids) if name == expected or name in relevant
    }
    rows = [int(row) for number in number_of.values() for row in np.flatnonzero(index.artifact_of == number)]
    if not rows:
        return [], ()
    vectors = index.vectors(rows)
    found = []
    for row, place, cosine in zip(rows, ground.place(vectors), vectors @ original, strict=True):
        name = index.artifact_ids[int(index.artifact_of[row])]
        found.append(
            Gold(name, _title(engine, row), name == expected, float(place[0]), float(place[1]), float(cosine))
        )
    return rows, tuple(found)


def _title(engine: Engine, row: int) -> str:
    return engine.index.titles[int(engine.index.artifact_of[row])]


def _unread(engine: Engine, original: Query) -> str | None:
    read = engine.embedder.languages
    code = language.of_query(original.text, engine.index.manifest.language)
    return language.name_of(code) if code and read is not None and code not in read else None
