"""Formulations in, results out, with everything that can be shared between them done once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ir_core.fusion import RankedList, list_weights
from ir_core.fusion.centroid import Centroid
from ir_core.protocols import Timer
from ir_core.retrieval.engine import Encoded, Engine, vector_key
from ir_core.retrieval.hits import fused_hits, ranking_of
from ir_core.retrieval.joining import join
from ir_core.retrieval.lists import Found, bag_of, dense_lists, lexical_lists
from ir_core.retrieval.settings import SearchSettings
from ir_core.schema import Formulation, Leg, Query, Ranking, SearchResult, Trace


def search(engine: Engine, formulation: Formulation, settings: SearchSettings) -> SearchResult:
    """One formulation: see :func:`search_many`."""
    return search_many(engine, [formulation], settings)[0]


def search_many(
    engine: Engine, formulations: Sequence[Formulation], settings: SearchSettings, *, fused_only: bool = False
) -> list[SearchResult]:
    """A result per formulation, in order.

    Each distinct text is encoded once and each distinct (text, leg) searched once, in one call per leg; a result's
    ``trace`` holds its own share of that.

    :param fused_only: without the lists behind the fused one, what lies below k, and the fingerprint, for whoever
        measures thousands: they are most of the work.
    :raises BadFilter, UnknownName: for a field or a surface kind the index does not have.
    """
    settings.check_kinds(engine.index.manifest.kinds)
    allowed = engine.index.allowed(settings.filter, settings.surfaces)
    plans = [_plan(formulation, settings) for formulation in formulations]
    encoded = engine.encode([q for plan in plans for q in plan.embedded])
    return _Batch(engine, settings, allowed, plans, encoded, fused_only).results()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is searched for one formulation: queries by leg; ``members`` are averaged into ``derived`` first."""

    formulation: Formulation
    by_leg: Mapping[Leg, tuple[Query, ...]]
    members: tuple[Query, ...] = ()
    derived: Query | None = None

    @property
    def embedded(self) -> tuple[Query, ...]:
        own = [query for query in self.by_leg.get("dense", ()) if query is not self.derived]
        return (*own, *self.members)


def _plan(formulation: Formulation, settings: SearchSettings) -> _Plan:
    if formulation.skip_reason:
        return _Plan(formulation, {})
    by_leg: dict[Leg, tuple[Query, ...]] = {
        leg: tuple(q for q in formulation.queries if leg in q.legs and q.weight > 0) for leg in settings.legs
    }
    members = by_leg.get("dense", ())
    if formulation.combine.get("dense") != "centroid" or len(members) < 2:
        return _Plan(formulation, by_leg)
    text = "mean of " + ", ".join(query.id for query in members)
    derived = Query("centroid", text, "centroid", sum(query.weight for query in members), ("dense",))
    return _Plan(formulation, {**by_leg, "dense": (derived,)}, members, derived)


class _Batch:
    """One batch of plans on its way through the index."""

    def __init__(
        self,
        engine: Engine,
        settings: SearchSettings,
        allowed: NDArray[np.bool_] | None,
        plans: Sequence[_Plan],
        encoded: Encoded,
        fused_only: bool,
    ) -> None:
        self.engine, self.settings, self.plans, self.encoded = engine, settings, plans, encoded
        self.fused_only = fused_only
        timer = Timer()
        depth = settings.read_depth
        index = engine.index
        dense = {self._key(p, "dense", q): self._vector(p, q) for p in plans for q in p.by_leg.get("dense", ())}
        words = {self._key(p, "lexical", q): q for p in plans for q in p.by_leg.get("lexical", ())}
        self.found: dict[tuple[object, ...], Found] = {}
        if dense:
            stacked = np.stack(list(dense.values()))
            self.found.update(zip(dense, dense_lists(index, stacked, depth, allowed), strict=True))
        if words:
            self.found.update(zip(words, lexical_lists(index, list(words.values()), depth, allowed), strict=True))
        self.seconds_each = timer.seconds / max(1, len(self.found))

    def results(self) -> list[SearchResult]:
        return [self._result(plan) for plan in self.plans]

    def _key(self, plan: _Plan, leg: Leg, query: Query) -> tuple[object, ...]:
        if leg == "lexical":
            return ("lexical", frozenset(bag_of(self.engine.index, query).items()))
        if query is plan.derived:
            return ("mean", *((vector_key(member), member.weight) for member in plan.members))
        return ("dense", vector_key(query))

    def _vector(self, plan: _Plan, query: Query) -> NDArray[np.float32]:
        if query is not plan.derived:
            return self.encoded.vectors[vector_key(query)]
        members = [self.encoded.vectors[vector_key(member)] for member in plan.members]
        return Centroid().mean(members, [member.weight for member in plan.members])

    def _result(self, plan: _Plan) -> SearchResult:
        timer = Timer()
        formulation, settings = plan.formulation, self.settings
        weights = list_weights(
            ((q.id, leg, q.weight) for leg, queries in plan.by_leg.items() for q in queries), settings.leg_weights
        )
        lists = []
        for leg, queries in plan.by_leg.items():
            for query in queries:
                found = self.found[self._key(plan, leg, query)]
                lists.append(
                    RankedList(query.id, leg, weights[query.id, leg], found.artifacts, found.surfaces, found.scores)
                )
        index = self.engine.index
        joined = join(self.engine, formulation, lists, settings.leg_weights, settings.read_depth)
        slim = self.fused_only
        hits = fused_hits(index, joined.fused[: settings.k if slim else None], lists, joined.rerank_scores)
        evidence = {name: fused_hits(index, top, lists) for name, top in joined.evidence.items() if not slim}
        keys = {vector_key(query) for query in plan.embedded}
        trace = Trace(
            writer_s=formulation.seconds,
            encode_s=sum(self.encoded.seconds[key] for key in keys),
            search_s=self.seconds_each * len(lists),
            fuse_s=timer.seconds,
            queued_s=formulation.queued + (self.encoded.queued if keys else 0.0),
            started=formulation.started,
            n_searches=len(lists),
            reused_vectors=len(keys & self.encoded.reused),
        )
        return SearchResult(
            formulation=formulation,
            rankings=() if slim else tuple(ranking_of(index, one) for one in lists),
            fused=Ranking("fused", "fused", hits[: settings.k]),
            trace=trace,
            fingerprint="" if slim else fingerprint(self.engine, formulation, settings),
            below=hits[settings.k :],
            derived=(plan.derived,) if plan.derived else (),
            evidence=evidence,
        )


def fingerprint(engine: Engine, formulation: Formulation, settings: SearchSettings) -> str:
    """Covers the index, the formulation's texts and weights, and every search setting: equal ones rank equally."""
    texts = [asdict(replace(query, weight=round(query.weight, 9))) for query in formulation.queries]
    covered = {
        "index": engine.index.manifest.fingerprint,
        "reranker": engine.reranker.name if engine.reranker else None,
        "original": formulation.original.text,
        "queries": texts,
        "combine": dict(formulation.combine),
        "skip": bool(formulation.skip_reason),
        "settings": asdict(settings),
    }
    written = json.dumps(covered, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]
