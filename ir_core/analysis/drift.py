"""Drift: how far each written query is from what was typed, in meaning, in words, in language and in form.

The idea is query drift of Mitra, Singhal and Buckley, Improving Automatic Query Expansion (SIGIR 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ir_core import language
from ir_core.analysis.template_text import template_text
from ir_core.retrieval import Engine
from ir_core.retrieval.engine import vector_key
from ir_core.retrieval.lists import bag_of
from ir_core.schema import Formulation, Query
from ir_core.text import normalise, stopwords

SAME, CLOSE, FAR = 0.98, 0.75, 0.4
"""Cosines at which the words for it change: rules of thumb for sentence embedders, not measured bounds."""
NEAR_DUPLICATE = 0.97
"""Two texts of one transform at least this alike find nearly the same documents: a rule of thumb."""
LONGER = 4
"""A rewrite so many times as long as the query is no rewrite any more."""
PASSAGES = frozenset({"hypothetical", "feedback", "expansion"})
"""Roles that are meant to be longer than a query."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One made query against the original. ``similarity`` is a cosine; None where the embedder reads one of the two
    languages not at all, with the reason in ``unread``. Terms are the index's own, the most telling (rarest) first;
    stop words stand apart. ``language`` is None where there is too little text to tell. ``duplicate_of`` is the id of
    the original or of an earlier query of the same transform. ``verdicts`` are words for all of it."""

    title: str
    query_id: str
    role: str
    text: str
    similarity: float | None
    unread: str | None
    lost: tuple[str, ...]
    added: tuple[str, ...]
    stop_lost: tuple[str, ...]
    stop_added: tuple[str, ...]
    language: str | None
    changed_language: bool
    duplicate_of: str | None
    template: tuple[str, ...]
    words: int
    original_words: int
    verdicts: tuple[str, ...]


def drift(engine: Engine, made: Formulation) -> list[Drift]:
    """One per query of ``made`` that is not the original, in order; vectors made before are reused.

    :raises ModelUnavailable: as the embedder's ``encode_query``.
    """
    new = [query for query in made.queries if query.id != made.original.id]
    if not new:
        return []
    vectors = engine.encode([made.original, *new]).vectors
    base = vectors[vector_key(made.original)]
    found: list[Drift] = []
    for number, query in enumerate(new):
        own = vectors[vector_key(query)]
        earlier = [made.original, *new[:number]]
        alike = [float(vectors[vector_key(one)] @ own) for one in earlier]
        found.append(_one(engine, made, query, float(np.clip(base @ own, -1.0, 1.0)), earlier, alike))
    return found


def _one(
    engine: Engine, made: Formulation, query: Query, cosine: float, earlier: Sequence[Query], alike: Sequence[float]
) -> Drift:
    index, original = engine.index, made.original
    was = language.of_query(original.text, index.manifest.language)
    now = index.manifest.language if query.surface_ids else language.other_language(query.text, was or "en") or was
    unread = _unread(engine, was) or _unread(engine, now)
    stop = stopwords("en") | stopwords(index.manifest.language or "en") | stopwords(was or "en")
    before, after = bag_of(index, original), bag_of(index, query)
    rarest = sorted(before.keys() | after.keys(), key=lambda term: (index.document_frequency(term) or 1, term))
    lost = [term for term in rarest if term not in after]
    added = [term for term in rarest if term not in before]
    if query.term_weights is not None:
        added.sort(key=lambda term: -after[term])
    words, original_words = len(query.text.split()), len(original.text.split())
    duplicate = _duplicate(query, earlier, alike if unread is None else [0.0] * len(alike))
    template = () if query.surface_ids else template_text(query.text)
    found = Drift(
        title=made.title,
        query_id=query.id,
        role=query.role,
        text=query.text,
        similarity=None if unread else cosine,
        unread=unread,
        lost=tuple(term for term in lost if term not in stop),
        added=tuple(term for term in added if term not in stop),
        stop_lost=tuple(term for term in lost if term in stop),
        stop_added=tuple(term for term in added if term in stop),
        language=now,
        changed_language=bool(was and now and was != now),
        duplicate_of=duplicate,
        template=template,
        words=words,
        original_words=original_words,
        verdicts=(),
    )
    by_words = "dense" not in query.legs
    return _with_verdicts(found, original.id, by_words=by_words, n_terms=len(before.keys() - stop))


def _unread(engine: Engine, code: str | None) -> str | None:
    read = engine.embedder.languages
    if code is None or read is None or code in read:
        return None
    return f"{engine.embedder.name} does not read {language.name_of(code)}"


def _duplicate(query: Query, earlier: Sequence[Query], alike: Sequence[float]) -> str | None:
    for other, cosine in zip(earlier, alike, strict=True):
        same = normalise(query.text).split() == normalise(other.text).split() and not query.surface_ids
        stored = bool(query.surface_ids) and query.surface_ids == other.surface_ids
        if same or stored or (cosine >= NEAR_DUPLICATE and other.role == query.role):
            return other.id
    return None


def _with_verdicts(found: Drift, original: str, *, by_words: bool, n_terms: int) -> Drift:
    said: list[str] = []
    if found.template:
        said.append("template text")
    if found.changed_language and found.language:
        said.append(f"now {language.name_of(found.language)}")
    if found.duplicate_of:
        said.append("repeats the original" if found.duplicate_of == original else f"repeats {found.duplicate_of}")
    said.append("searched by words only" if by_words else _meaning(found.similarity))
    if n_terms and found.role not in PASSAGES:
        if not found.lost:
            said.append("keeps every content word" if found.added else "same content words")
        else:
            which = (
                "every content word"
                if len(found.lost) == n_terms
                else f"{len(found.lost)} of {n_terms} content words"
            )
            said.append(f"{'replaces' if found.added else 'drops'} {which}")
    if found.role not in PASSAGES and found.words > LONGER * max(1, found.original_words):
        said.append(f"{found.words / max(1, found.original_words):.0f} times as long")
    return replace(found, verdicts=tuple(said))


def _meaning(similarity: float | None) -> str:
    if similarity is None:
        return "meaning not compared"
    if similarity >= SAME:
        return "the same to the embedder"
    return "close in meaning" if similarity >= CLOSE else "moved in meaning" if similarity >= FAR else "far away"
