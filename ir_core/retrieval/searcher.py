"""Hits for whoever needs them before writing: the comparison's own filters, counted, timed, at most four rounds."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ir_core.errors import TooManyRounds
from ir_core.protocols import Timer
from ir_core.retrieval.engine import Engine
from ir_core.retrieval.searching import search_many
from ir_core.retrieval.settings import SearchSettings, default_mode
from ir_core.schema import Formulation, Mode, Query, Ranking, Step

MAX_ROUNDS = 4


class SearchMemo:
    """Feedback searches of one comparison: several transforms ask for the same first hits."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.rankings: dict[tuple[Any, ...], tuple[list[Ranking], float]] = {}


@dataclass
class _Times:
    """Of one transform's run, under the memo's lock; ``paid`` are the searches that are counted already."""

    borrowed_s: float = 0.0
    queued_s: float = 0.0
    paid: set[tuple[Any, ...]] = field(default_factory=set)


class IndexSearcher:
    """Implements ``schema.Searcher`` for one transform's run. A search that it made before is no further round.

    ``borrowed_s`` is time that another transform of the same comparison spent on the same search: it belongs to this
    one's latency all the same. ``queued_s`` is the wait for another's search. Both are those of the whole run, whose
    parts share them.
    """

    def __init__(
        self,
        engine: Engine,
        settings: SearchSettings,
        memo: SearchMemo | None = None,
        times: _Times | None = None,
    ) -> None:
        self.engine = engine
        self.settings = settings
        self.memo = memo or SearchMemo()
        self._times = times or _Times()
        self._asked: set[tuple[Any, ...]] = set()
        self._steps: list[Step] = []

    @property
    def borrowed_s(self) -> float:
        return self._times.borrowed_s

    @property
    def queued_s(self) -> float:
        return self._times.queued_s

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    def for_part(self) -> IndexSearcher:
        """See ``schema.Searcher``."""
        return IndexSearcher(self.engine, self.settings, self.memo, self._times)

    def tokenise(self, text: str) -> list[str]:
        """See ``schema.Searcher``."""
        return self.engine.index.tokenise(text)

    def search(
        self,
        queries: Sequence[Query],
        *,
        mode: Mode = "hybrid",
        depth: int = 10,
        filter: Mapping[str, Any] | None = None,
        surfaces: Sequence[str] | None = None,
        label: str = "feedback",
    ) -> list[Ranking]:
        """See ``schema.Searcher``. The comparison's own filter and kinds hold unless others are given.

        :raises TooManyRounds: on the fifth round.
        """
        if mode == "hybrid" and queries:  # vectors of a language the embedder does not read would be noise
            mode, _ = default_mode(self.engine.index.manifest, self.engine.embedder, queries[0].text)
        settings = replace(
            self.settings,
            mode=mode,
            k=depth,
            depth=None,
            filter=filter if filter is not None else self.settings.filter,
            surfaces=tuple(surfaces) if surfaces is not None else self.settings.surfaces,
        )
        key = (tuple(_content(query) for query in queries), mode, depth, str(settings.filter), settings.surfaces)
        if key not in self._asked and len(self._asked) >= MAX_ROUNDS:
            raise TooManyRounds(f"A transform may search {MAX_ROUNDS} times before writing; this one asked again.")
        self._asked.add(key)
        timer = Timer()
        with self.memo.lock:
            self._times.queued_s += timer.seconds
            own = Timer()
            known = self.memo.rankings.get(key)
            if known:
                rankings, seconds = known
                self._times.borrowed_s += 0.0 if key in self._times.paid else seconds
            else:
                found = search_many(self.engine, [_alone(query) for query in queries], settings)
                rankings = [
                    replace(result.fused, query_id=query.id) for query, result in zip(queries, found, strict=True)
                ]
                seconds = own.seconds
                self.memo.rankings[key] = rankings, seconds
            self._times.paid.add(key)
        self._steps.append(Step(label, tuple(queries), tuple(rankings), timer.started, seconds))
        return rankings


def _alone(query: Query) -> Formulation:
    return Formulation(transform="feedback", title="feedback", original=query, queries=(query,))


def _content(query: Query) -> tuple[Any, ...]:
    terms = frozenset(query.term_weights.items()) if query.term_weights else None
    return query.text, query.role, query.legs, terms, query.surface_ids
