"""The document under one transform: every stage, what became of it there, and one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.analysis.find.joins import Rejoined
from ir_core.analysis.find.types import Outcome, Place, Stage, Whereabouts, Word
from ir_core.retrieval.joining import RERANK_DEPTH
from ir_core.schema import Hit, SearchResult

LEG_WORDS = {"dense": "dense", "lexical": "words"}


def of(rank: int, total: int) -> str:
    return f"{rank:,} of {total:,}"


def best_of(places: Sequence[Place]) -> Place | None:
    ranked = [(place.rank, place) for place in places if place.rank is not None]
    return min(ranked, key=lambda pair: pair[0])[1] if ranked else None


@dataclass(frozen=True)
class Under:
    """One transform's result with the exact places in its lists and the lists joined to their end. ``tokens`` are
    the words of all the document's surfaces that are searched."""

    result: SearchResult
    places: tuple[Place, ...]
    rejoined: Rejoined
    tokens: frozenset[str]

    @property
    def asked_words(self) -> list[Word]:
        """Every word of every query that is a text, once."""
        return list(dict.fromkeys(word for place in self.places for word in (*place.shared, *place.lacking)))

    @property
    def shared(self) -> list[Word]:
        """Those that some surface of the document holds, common ones too."""
        return [word for word in self.asked_words if word.token in self.tokens]

    @property
    def k(self) -> int:
        return self.rejoined.settings.k

    @property
    def depth(self) -> int:
        return self.rejoined.settings.read_depth

    def where(self, place: Place) -> str:
        """``312 of 1,890 in dense for variant-2``, the query named where there are several."""
        said = f"{of(place.rank or 0, place.of)} in {LEG_WORDS[place.leg]}"
        return f"{said} for {place.query_id}" if len({one.query_id for one in self.places}) > 1 else said

    @property
    def hit(self) -> Hit | None:
        name = self.rejoined.engine.index.artifact_ids[self.rejoined.artifact]
        hits = (*self.result.fused.hits, *self.result.below)
        return next((hit for hit in hits if hit.artifact_id == name), None)

    def whereabouts(self) -> Whereabouts:
        """Without ``changes``."""
        made = self.result.formulation
        best = best_of(self.places)
        if made.skip_reason:
            said = f"not searched: {made.skip_reason}"
            stages = (Stage("searched", said, False),)
            return Whereabouts(made.transform, made.title, "skipped", said, stages=stages)
        fused, fused_of = self.rejoined.place()
        hit = self.hit
        rank = hit.rank if hit else None
        outcome = self._outcome(rank, fused, best)
        return Whereabouts(
            made.transform,
            made.title,
            outcome,
            self._verdict(outcome, rank, fused, fused_of, best),
            rank,
            fused,
            fused_of,
            self._stages(hit, fused, fused_of),
            self.places,
            best,
        )

    def _outcome(self, rank: int | None, fused: int | None, best: Place | None) -> Outcome:
        if rank is not None and rank <= self.k:
            return "found"
        if fused is not None:
            if fused <= self.k:
                return "rerank"
            high = any(place.listed is not None and place.listed <= self.k for place in self.places)
            return "fusion" if high and len(self.places) > 1 else "cut"
        if any(place.rank is not None and place.rank <= self.depth for place in self.places):
            return "missed"
        asked_for = any(not word.common for word in self.shared)
        return "depth" if asked_for or (best is not None and not self.asked_words) else "unasked"

    def _verdict(
        self, outcome: Outcome, rank: int | None, fused: int | None, fused_of: int, best: Place | None
    ) -> str:
        deepest = f"its best place is {self.where(best)}" if best else "it is in no list"
        if outcome == "found":
            return f"found at {rank}"
        if outcome == "rerank":
            return f"lost at reranking: {fused} after fusion, {rank} after the reranker"
        if outcome == "fusion":
            assert best is not None
            return f"lost at fusion: {self.where(best)}, but {of(fused or 0, fused_of)} once the lists are joined"
        if outcome == "cut":
            return f"below the cut: {of(rank or fused or 0, fused_of)} after fusion, and k is {self.k}"
        if outcome == "missed":
            return f"missed by the approximate graph: {deepest}, which an exact search would have read"
        if outcome == "depth":
            return f"too deep: {deepest}, and lists are read to {self.depth}"
        common = self.shared
        listed = ", ".join(f"“{word.token}”" for word in common[:3])
        words = f"it shares only common words ({listed})" if common else "no query holds one of its words"
        return f"never asked for: {words}, and {deepest}"

    def _stages(self, hit: Hit | None, fused: int | None, fused_of: int) -> tuple[Stage, ...]:
        found = [self._leg(leg) for leg in dict.fromkeys(place.leg for place in self.places)]
        if fused is None:
            found.append(Stage("fusion", "in no list that was read", False))
        else:
            said = of(fused, fused_of)
            kept = fused <= self.depth
            found.append(Stage("fusion", said if kept else f"{said}, cut at {self.depth}", kept))
        if self.rejoined.engine.reranker is not None:
            found.append(self._rerank(hit, fused))
        if hit is None:
            found.append(Stage(f"first {self.k}", "not reached", None))
        elif hit.rank <= self.k:
            found.append(Stage(f"first {self.k}", f"rank {hit.rank}", True))
        else:
            found.append(Stage(f"first {self.k}", f"cut off at rank {hit.rank}", False))
        return tuple(found)

    def _leg(self, leg: str) -> Stage:
        places = [place for place in self.places if place.leg == leg]
        best = best_of(places)
        name = LEG_WORDS[leg]
        if best is None or best.rank is None:
            return Stage(name, "no word of the query" if len(places) == 1 else "no word of any query", False)
        said = of(best.rank, best.of)
        if len(places) > 1:
            said += f" for {best.query_id}"
        return Stage(name, said, any(place.listed is not None for place in places))

    def _rerank(self, hit: Hit | None, fused: int | None) -> Stage:
        if hit is None or fused is None:
            return Stage("reranker", "not reached", None)
        if hit.rerank_score is None:
            return Stage("reranker", f"not read: it reads the first {RERANK_DEPTH}", None)
        return Stage("reranker", f"{fused} → {hit.rank}", hit.rank <= self.k)
