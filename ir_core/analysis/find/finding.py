"""Where a document is or was lost, under every transform of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ir_core.analysis.find import document as documents
from ir_core.analysis.find.changes import Tail, changes
from ir_core.analysis.find.joins import Deeper, Rejoined, members_of, queries_of
from ir_core.analysis.find.ranks import Deep, Searched, deep_ranks
from ir_core.analysis.find.stages import Under
from ir_core.analysis.find.types import Document, Outcome, OwnSurface, Place, Stage, Whereabouts
from ir_core.analysis.find.words import split
from ir_core.loaders import Loaded
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.retrieval.engine import vector_key
from ir_core.retrieval.lists import bag_of
from ir_core.schema import Query, Ranking, SearchResult

PIECES = 40
"""Chunks of a document over the limit that are embedded to see whether they would match: about a second's work."""


def find(
    engine: Engine,
    document: str,
    results: Sequence[SearchResult],
    settings: SearchSettings,
    *,
    loaded: Loaded | None = None,
) -> Document:
    """Follows one document through every stage of finished searches. Asks no writer.

    :param document: its id, or a title that only one document has; a name nobody has is an answer, not an error.
    :param settings: what the results were searched with.
    :param loaded: the corpus as it is read now, for what never came into the index.
    """
    found = documents.identified(engine.index, document, loaded)
    if found.status != "indexed" or found.artifact_id is None:
        return replace(found, transforms=tuple(_absent(found, result) for result in results))
    artifact = engine.index.artifact_ids.index(found.artifact_id)
    surfaces = documents.own_surfaces(engine.index, engine.embedder, artifact, settings)
    found = replace(found, surfaces=surfaces)
    excluded = documents.excluded_by(engine.index, artifact, settings)
    if excluded or not any(surface.searched for surface in surfaces):
        return _excluded(engine, artifact, found, results, settings, excluded)
    return _searched(engine, artifact, found, results, settings)


def _absent(found: Document, result: SearchResult) -> Whereabouts:
    made = result.formulation
    loaded = found.status in ("empty", "not indexed")
    stages = [Stage("loaded", "yes" if loaded else "no", loaded)]
    if loaded:
        stages.append(Stage("indexed", "no surface" if found.status == "empty" else "not in this build", False))
    said = "not in the index" if found.status != "empty" else "in the index without a surface"
    return Whereabouts(made.transform, made.title, "absent", said, stages=tuple(stages))


def _through(surfaces: Sequence[OwnSurface], settings: SearchSettings) -> tuple[Stage, ...]:
    kinds = Counter(surface.kind for surface in surfaces)
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    stages = [Stage("loaded", "yes", True), Stage("indexed", listed, True)]
    if settings.filter:
        stages.append(Stage("filter", "passes", True))
    if settings.surfaces:
        kept = sum(surface.searched for surface in surfaces)
        stages.append(Stage("kinds", f"{kept} of {len(surfaces)} surfaces searched", True))
    return tuple(stages)


def _excluded(
    engine: Engine,
    artifact: int,
    found: Document,
    results: Sequence[SearchResult],
    settings: SearchSettings,
    excluded: Sequence[str],
) -> Document:
    """By the filter or the kinds: says which, and where it would be without."""
    stages = list(_through(found.surfaces, replace(settings, filter=None, surfaces=None)))
    kinds = sorted({surface.kind for surface in found.surfaces})
    by_kinds = not any(surface.searched for surface in found.surfaces)
    reasons, without = [], settings
    if excluded:
        reasons.append(f"the filter excludes it: {'; '.join(excluded)}")
        stages.append(Stage("filter", "excluded", False))
        without = replace(without, filter=None)
    if by_kinds:
        asked = ", ".join(settings.surfaces or ())
        reasons.append(f"only surfaces of kind {', '.join(kinds)} would match, and {asked} is searched")
        stages.append(Stage("kinds", f"none of {asked}", False))
        without = replace(without, surfaces=None)
    outcome: Outcome = "filter" if excluded else "kinds"
    what = " and ".join([*(["the filter"] if excluded else []), *(["the choice of kinds"] if by_kinds else [])])
    alone = replace(engine, reranker=None)
    again = search_many(alone, [result.formulation for result in results], without)
    transforms = []
    for result in again:
        place = result.place(found.artifact_id or "")
        said = f"it would be at {place} after fusion" if place else "it would not be in the list either"
        made = result.formulation
        verdict = "excluded by " + what
        change = f"Search without {what}: {said}."
        row = Whereabouts(made.transform, made.title, outcome, verdict, stages=tuple(stages), changes=(change,))
        transforms.append(row)
    reason = "; ".join(reasons)
    return replace(found, reason=reason, transforms=tuple(transforms))


def _searched(
    engine: Engine, artifact: int, found: Document, results: Sequence[SearchResult], settings: SearchSettings
) -> Document:
    index = engine.index
    allowed = index.allowed(settings.filter, settings.surfaces)
    keys: dict[tuple[str, ...], Searched] = {}
    asked: list[list[tuple[Ranking, Searched]]] = []
    for result in results:
        queries = queries_of(result)
        rows = []
        for ranking in result.rankings:
            query = queries[ranking.query_id]
            one = Searched(ranking.leg, query, members_of(result, query) if ranking.leg == "dense" else ())
            rows.append((ranking, keys.setdefault(_key(one), one)))
        asked.append(rows)
    distinct = list(keys.values())
    ranks = dict(zip(map(id, distinct), deep_ranks(engine, artifact, distinct, allowed), strict=True))
    deeper = Deeper(engine, settings, distinct)
    own = [index.row_of[surface.id] for surface in found.surfaces if surface.searched]
    tokens = frozenset(token for counts in index.term_counts(own) for token in counts)
    unders = [
        Under(
            result,
            tuple(_place(engine, found.artifact_id or "", r, one, ranks[id(one)]) for r, one in rows),
            Rejoined(engine, result, settings, artifact, [one for _, one in rows], deeper),
            tokens,
        )
        for result, rows in zip(results, asked, strict=True)
    ]
    before = _through(found.surfaces, settings)
    rows_ = [(under, under.whereabouts()) for under in unders]
    lost = any(row.outcome not in ("found", "skipped") for _, row in rows_)
    tail = _tail(engine, found.surfaces) if lost and "dense" in settings.legs else None
    more = _other_kinds(engine, found, [under.result for under in unders], settings) if lost else {}
    transforms = tuple(
        replace(
            row,
            stages=(*before, *row.stages),
            changes=(*(more.get(id(under.result), ()) if row.outcome != "found" else ()), *changes(under, row, tail)),
        )
        for under, row in rows_
    )
    finders = [f"{row.title} finds it at {row.rank}" for row in transforms if row.outcome == "found"]
    said = (f"{'; '.join(finders)}.",) if finders and len(finders) < len(transforms) else ()
    return replace(found, transforms=transforms, changes=said)


def _other_kinds(
    engine: Engine, found: Document, results: Sequence[SearchResult], settings: SearchSettings
) -> dict[int, tuple[str, ...]]:
    """Where the document would be by its surfaces of kinds that are not searched, by the ``id`` of each result."""
    if all(surface.searched for surface in found.surfaces):
        return {}
    alone = replace(engine, reranker=None)
    again = search_many(alone, [result.formulation for result in results], replace(settings, surfaces=None))
    said: dict[int, tuple[str, ...]] = {}
    for result, other in zip(results, again, strict=True):
        hit = next((hit for hit in other.fused.hits if hit.artifact_id == found.artifact_id), None)
        if hit:
            said[id(result)] = (f"Search all kinds: it would be at {hit.rank}, by its surface of kind {hit.kind}.",)
    return said


def _key(one: Searched) -> tuple[str, ...]:
    """Equal for what is searched alike."""
    of_each = [
        repr((q.text, q.role == "hypothetical", q.surface_ids, q.term_weights, q.weight if one.members else 1))
        for q in (one.members or (one.query,))
    ]
    return (one.leg, *of_each)


def _place(engine: Engine, name: str, ranking: Ranking, one: Searched, deep: Deep) -> Place:
    index, query = engine.index, one.query
    surface = index.surfaces[deep.row] if deep.row is not None else None
    listed = next((hit.rank for hit in ranking.hits if hit.artifact_id == name), None)
    texts = [each for each in one.members or (query,) if not (one.leg == "dense" and each.surface_ids)]
    bag = Counter[str]()
    for each in texts:
        bag.update(bag_of(index, each))
    held = set(index.tokenise(surface.text)) if surface else set()
    shared, lacking = split(index, bag, held)
    return Place(
        query.id, query.role, query.text, ranking.leg, deep.rank, deep.of, deep.score,
        surface.id if surface else None, listed, shared, lacking,
    )  # fmt: skip


def _tail(engine: Engine, surfaces: Sequence[OwnSurface]) -> Tail | None:
    """Of the first surface that is searched and longer than the embedder reads."""
    over = [surface for surface in surfaces if surface.searched and surface.read < surface.chars]
    if not over:
        return None
    text = engine.index.surfaces[engine.index.row_of[over[0].id]].text
    pieces, tokens = documents.chunks(text, engine.embedder)
    as_documents = [Query("chunk", piece, "hypothetical") for piece in pieces[:PIECES]]
    encoded = engine.encode(as_documents).vectors  # which keeps them for the next look
    vectors = np.stack([encoded[vector_key(one)] for one in as_documents])
    return Tail(over[0], engine.embedder.max_tokens, text[over[0].read :], vectors, tokens)
