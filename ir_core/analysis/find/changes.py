"""What would have to change for the document to be found. Whatever names a rank was tried out on the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core import config
from ir_core.analysis.find.joins import DEEPEST, METHODS, members_of
from ir_core.analysis.find.ranks import Searched, dense_ranks
from ir_core.analysis.find.stages import Under
from ir_core.analysis.find.types import OwnSurface, Whereabouts
from ir_core.analysis.find.words import best_sentence
from ir_core.protocols import Vectors
from ir_core.retrieval.joining import RERANK_DEPTH

TRIES = 3
QUOTED = 160
BRINGERS = {"rewrite": "a rewrite", "query2doc": "an expansion", "hyde": "HyDE"}
"""Transforms that put words into a query which it did not have."""
WORDS = 6


def changes(under: Under, found: Whereabouts, tail: Tail | None) -> tuple[str, ...]:
    """Sentences for one transform; none where it is found or was not searched."""
    if found.outcome in ("found", "skipped"):
        return ()
    said = [*_cut(under, found), *_joins(under, found), *_words(under, found)]
    said += tail.said(under) if tail else []
    reason = under.result.formulation.fallback_reason
    if reason:
        said.append(f"The transform fell back to the original ({reason}) Mend that first.")
    return tuple(dict.fromkeys(said)) or ("Nothing that was tried brings it among the first places.",)


def _cut(under: Under, found: Whereabouts) -> list[str]:
    if found.outcome == "rerank":
        return [f"Leave the reranker out: it would be at {found.fused}."]
    if found.outcome == "missed":
        return ["Search exactly: the graph of the dense leg is approximate and left it out."]
    rank = found.rank or found.fused
    if rank is None:
        return _deeper(under, found)
    enough = _enough(under, rank)
    said = [f"Raise k from {under.k} to {enough}: it is there, below the cut."] if enough else []
    if under.rejoined.engine.reranker is not None and (found.fused or 0) > RERANK_DEPTH:
        said.append(f"It is at {found.fused} after fusion, and the reranker reads only the first {RERANK_DEPTH}.")
    return said


def _enough(under: Under, rank: int) -> int | None:
    """The k that shows it: beyond 10 a larger k also reads the lists deeper, which may move it."""
    rejoined = under.rejoined
    settings = rejoined.settings
    for _ in range(TRIES):
        if rank > config.MAX_K or (settings.depth is not None and rank > settings.depth):
            return None
        if settings.depth is not None or config.depth_for(rank) == under.depth:
            return rank
        place, _ = rejoined.place(depth=config.depth_for(rank))
        if place is None or place <= rank:
            return rank if place else None
        rank = place
    return None


def _deeper(under: Under, found: Whereabouts) -> list[str]:
    """Whether reading the lists as deep as its best place would be enough."""
    best = found.best.rank if found.best else None
    if best is None or not under.depth < best <= DEEPEST:
        return []
    rank, _ = under.rejoined.place(depth=best)
    if rank is None or rank > config.MAX_K:
        return []
    return [f"Read every list {best} deep, not {under.depth}, and it would come in at {rank} after fusion."]


def _joins(under: Under, found: Whereabouts) -> list[str]:
    """One leg or one query alone, or the same lists joined by another method; ranks before any reranker."""
    if found.fused is not None and found.fused <= under.k:
        return []
    said = []
    after = " after fusion" if under.rejoined.engine.reranker is not None else ""
    legs = list(dict.fromkeys(place.leg for place in found.places))
    for leg in legs if len(legs) > 1 else ():
        rank, _ = under.rejoined.place(lambda one, leg=leg: one.leg == leg)  # type: ignore[misc]
        if rank is not None and rank <= under.k:
            name = "lexical leg (words)" if leg == "lexical" else "dense leg"
            said.append(f"The {name} alone would put it at {rank}{after}: mode {leg}.")
    queries = under.rejoined.alone() if len(under.result.formulation.queries) > 1 else []
    for query, rank in queries if len(queries) > 1 else ():
        if rank is not None and rank <= under.k:
            said.append(f"The query {query} alone would put it at {rank}{after}.")
    several = {leg for leg in legs if sum(place.leg == leg for place in found.places) > 1}
    for method, name in METHODS.items() if several else ():
        if all(under.result.formulation.combine.get(leg, "rrf") == method for leg in several):
            continue
        rank, _ = under.rejoined.place(combine=method)
        if rank is not None and rank <= under.k:
            said.append(f"Joining the lists by {name} would put it at {rank}{after}.")
    return said


def _words(under: Under, found: Whereabouts) -> list[str]:
    by_words = any(place.leg == "lexical" and (place.listed or under.k + 1) <= under.k for place in under.places)
    if under.asked_words and all(word.common for word in under.shared):
        if by_words:  # common or not, they are enough for the words' own list
            return []
        common = " except common ones" if under.shared else ""
        others = [what for name, what in BRINGERS.items() if name != under.result.formulation.transform]
        return [f"No query holds one of its words{common}: {' or '.join(others)} would have to bring them in."]
    if found.outcome not in ("depth", "unasked"):
        return []
    lacking = [word for word in under.asked_words if not word.common and word.token not in under.tokens]
    absent = [word.token for word in lacking if not word.surfaces]
    said = []
    if absent:
        said.append(f"No document at all holds {quoted(absent)}: say it in the words of the corpus.")
    held = sorted((word for word in lacking if word.surfaces), key=lambda word: word.surfaces)
    if held:
        said.append(
            f"The queries also ask for {quoted([word.token for word in held])}, which others hold and it lacks."
        )
    return said


def quoted(tokens: Sequence[str]) -> str:
    more = f" and {len(tokens) - WORDS} more" if len(tokens) > WORDS else ""
    return ", ".join(f"“{token}”" for token in tokens[:WORDS]) + more


@dataclass(frozen=True)
class Tail:
    """A surface of which the embedder reads ``max_tokens``: the ``text`` that it does not read, and the ``vectors``
    (chunks, dim) of the whole surface in chunks of ``chunk_tokens``."""

    surface: OwnSurface
    max_tokens: int
    text: str
    vectors: Vectors
    chunk_tokens: int

    def said(self, under: Under) -> list[str]:
        """Where its chunks would stand in the dense leg; nothing where that would not help."""
        places = [place for place in under.places if place.leg == "dense" and place.rank is not None]
        if not places:
            return []
        engine, settings, artifact = under.rejoined.engine, under.rejoined.settings, under.rejoined.artifact
        allowed = engine.index.allowed(settings.filter, settings.surfaces)
        searched = [_searched_as(under, place.query_id) for place in places]
        ranks = dense_ranks(engine, artifact, searched, allowed, instead=self.vectors)
        better = [
            (deep.rank, place)
            for deep, place in zip(ranks, places, strict=True)
            if deep.rank is not None and place.rank is not None and deep.rank < place.rank
        ]
        if not better:
            return []
        rank, place = min(better, key=lambda pair: pair[0])
        span = best_sentence(self.text, under.asked_words, engine.index)
        which = f"“{self.text[slice(*span)][:QUOTED]}”" if span else "The rest"
        read = f"{self.surface.read:,} of {self.surface.chars:,} characters"
        return [
            f"Its surface {self.surface.id} is cut off at {self.max_tokens} tokens ({read}). {which} stands in the "
            f"part that is not embedded: in chunks of {self.chunk_tokens} tokens it would be at {rank} in dense for "
            f"{place.query_id}, now {place.rank:,}."
        ]


def _searched_as(under: Under, query_id: str) -> Searched:
    query = under.rejoined.queries[query_id]
    return Searched("dense", query, members_of(under.result, query))
