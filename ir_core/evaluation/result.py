"""What an evaluation found: one row per query and transform, and what they add up to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from ir_core.evaluation.answer_scores import Answer
from ir_core.evaluation.evidence import Evidence, evidence
from ir_core.evaluation.intervals import Difference, paired
from ir_core.evaluation.means import mean, percentile
from ir_core.evaluation.rating import Rating, ratings_of, spread_of

if TYPE_CHECKING:
    from ir_core.evaluation.verdicts import Judging


@dataclass(frozen=True, slots=True)
class Row:
    """One query under one transform. ``scores`` is None when the transform skipped the query (no hits are wanted).

    ``retrieved`` are artifact ids down to the largest cut-off. ``latency_s`` is None where it was not measured, a
    text came from a cache, or the column's writer wrote nothing now; ``cost_usd`` and tokens are None when unknown.
    Of its ``calls``, ``kept`` were replies kept from before: ``cost_usd`` has them at the price of then,
    ``cost_now_usd`` at none.
    ``error`` means that the query could not be searched: it scores 0, and the rest goes on.
    ``answer_rank`` is the first hit whose surface holds an answer (0: none does; None: no answer to look for);
    ``unjudged`` the share of ``retrieved`` that nobody judged; ``surface_ids`` the surface that was matched of each
    of ``retrieved``, in the same order (empty in a run of an older release). ``rating`` and ``answer`` are a judge's.
    ``samples`` are the rows of the single texts where several were drawn (``averaging.averaged``); empty for one.
    """

    query_id: str
    text: str
    category: str | None
    scores: Mapping[str, float] | None
    retrieved: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    title: str = ""
    calls: float = 0
    cost_usd: float | None = 0.0
    tokens_in: float | None = 0
    tokens_out: float | None = 0
    latency_s: float | None = None
    kept: float = 0
    cost_now_usd: float | None = 0.0
    fallback_reason: str | None = None
    skip_reason: str | None = None
    error: str | None = None
    answer_rank: int | None = None
    unjudged: float | None = None
    surface_ids: tuple[str, ...] = ()
    rating: Rating | None = None
    answer: Answer | None = None
    samples: tuple[Row, ...] = ()

    @property
    def n_samples(self) -> int:
        """Texts of this query that were measured and averaged."""
        return max(1, len(self.samples))

    @property
    def fallback_share(self) -> float:
        """The share of its texts that could not be made."""
        fell = [row.fallback_reason is not None for row in self.samples or (self,)]
        return sum(fell) / len(fell)


@dataclass(frozen=True, slots=True)
class Summary:
    """Rows of one transform added up. ``difference`` is to the original on the queries both scored.

    Calls (kept ones too), cost and tokens are means per query; seconds are of ``n_timed`` queries. None is unknown.
    ``unmeasured`` counts, by measure, scored queries that have nothing to measure it by; ``p50_s`` and ``p95_s`` are
    percentiles of the seconds (linear between ranks); ``unjudged`` is the mean share of the lists that nobody judged.
    ``samples`` texts were drawn of a query, at most, and averaged.
    """

    n: int
    skipped: int
    failed: int
    fallback_rate: float | None
    means: Mapping[str, float | None]
    difference: Mapping[str, Difference]
    calls: float | None
    cost_usd: float | None
    tokens_in: float | None
    tokens_out: float | None
    latency_s: float | None
    n_timed: int
    kept: float | None
    cost_now_usd: float | None
    p50_s: float | None = None
    p95_s: float | None = None
    unjudged: float | None = None
    unmeasured: Mapping[str, int] = field(default_factory=dict)
    samples: int = 1


@dataclass(frozen=True, slots=True)
class Column:
    """One transform with its settings: a row per judged query, in the order of the queries."""

    transform: str
    label: str
    settings: Mapping[str, Any]
    rows: tuple[Row, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """What was really made, commonest first: feedback passages in place of HyDE are called so."""
        found = [row.title for row in self.rows if row.title]
        return tuple(sorted(set(found), key=lambda title: (-found.count(title), title)))


@dataclass(frozen=True, slots=True)
class Excluded:
    """A query that is measured under no transform, and why."""

    query_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``columns[0]`` is the original. ``missing_gold`` are judged documents that the index does not hold;
    ``config`` is what was searched with in place of the settings given: the places measured (``k``) and ``depth``.
    ``groups`` has the number of each query's group (``groups_of_queries``); a query it does not name stands alone."""

    measures: tuple[str, ...]
    columns: tuple[Column, ...]
    excluded: tuple[Excluded, ...] = ()
    missing_gold: tuple[str, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    groups: Mapping[str, int] = field(default_factory=dict)
    judging: Judging | None = None

    @property
    def n(self) -> int:
        """Judged queries measured."""
        return len(self.columns[0].rows) if self.columns else 0

    def summary(
        self, column: Column, keep: Callable[[Row], bool] = lambda row: True, compared: Sequence[str] | None = None
    ) -> Summary:
        """One column added up over the queries that ``keep`` accepts (a category, a split).

        :param compared: the measures whose differences are wanted, each of which takes a bootstrap; None is all.
        """
        return summarise(column.rows, self.columns[0].rows, self.measures, keep, compared)

    def evidence(self) -> tuple[Evidence | None, ...]:
        """What may be said of each column on the primary measure, ``measures[0]``; None for the original."""
        first, original = self.measures[0], self.columns[0].rows
        base = {row.query_id: row.scores[first] for row in original if row.scores and first in row.scores}
        pairs = {
            str(slot): [
                (row.scores[first] - base[row.query_id], self.groups.get(row.query_id, -1 - number))
                for number, row in enumerate(column.rows)
                if row.scores and first in row.scores and row.query_id in base
            ]
            for slot, column in enumerate(self.columns)
            if slot
        }
        found = evidence(
            {slot: [value for value, _ in rows] for slot, rows in pairs.items()},
            {slot: [group for _, group in rows] for slot, rows in pairs.items()},
        )
        return (None, *(found[str(slot)] for slot in range(1, len(self.columns))))

    def to_json(self) -> dict[str, Any]:
        """Plain values, rows included."""
        return {
            "measures": list(self.measures),
            "n": self.n,
            "seconds": self.seconds,
            "excluded": [asdict(item) for item in self.excluded],
            "missing_gold": list(self.missing_gold),
            "config": dict(self.config),
            "judge": asdict(self.judging) if self.judging else None,
            "transforms": [
                {**self._column(column), "evidence": asdict(proof) if proof else None}
                for column, proof in zip(self.columns, self.evidence(), strict=True)
            ],
        }

    def _column(self, column: Column) -> dict[str, Any]:
        return {
            "transform": column.transform,
            "label": column.label,
            "titles": list(column.titles),
            "settings": dict(column.settings),
            **asdict(self.summary(column)),
            "judge_spread": asdict(spread_of(ratings_of(column.rows))) if self.judging else None,
            "rows": [asdict(row) for row in column.rows],
        }


def summarise(
    rows: Sequence[Row],
    baseline: Sequence[Row],
    measures: Sequence[str],
    keep: Callable[[Row], bool],
    compared: Sequence[str] | None = None,
) -> Summary:
    """Rows are paired with the original's by query id; skipped ones are counted and left out."""
    kept = [row for row in rows if keep(row)]
    scored = [row for row in kept if row.scores is not None]
    written = [row for row in scored if row.error is None]
    original = {row.query_id: row.scores for row in baseline if row.scores is not None}
    timed = [row.latency_s for row in scored if row.latency_s is not None]
    means: dict[str, float | None] = {}
    difference: dict[str, Difference] = {}
    unmeasured: dict[str, int] = {}
    for name in measures:
        measured = [row for row in scored if name in (row.scores or ())]
        unmeasured[name] = len(scored) - len(measured)
        means[name] = mean([row.scores[name] for row in measured if row.scores is not None])
        if compared is not None and name not in compared:
            continue
        pairs = [
            (row.scores[name], original[row.query_id][name])
            for row in measured
            if row.scores is not None and name in original.get(row.query_id, ())
        ]
        difference[name] = paired([own for own, _ in pairs], [base for _, base in pairs])
    return Summary(
        n=len(scored),
        skipped=sum(row.skip_reason is not None for row in kept),
        failed=sum(row.error is not None for row in kept),
        fallback_rate=mean([row.fallback_share for row in scored]),
        means=means,
        difference=difference,
        calls=mean([float(row.calls) for row in written]),
        cost_usd=mean([row.cost_usd for row in written]),
        tokens_in=mean([row.tokens_in for row in written]),
        tokens_out=mean([row.tokens_out for row in written]),
        latency_s=mean(timed),
        n_timed=len(timed),
        kept=mean([float(row.kept) for row in written]),
        cost_now_usd=mean([row.cost_now_usd for row in written]),
        p50_s=percentile(timed, 50),
        p95_s=percentile(timed, 95),
        unjudged=mean([row.unjudged for row in scored if row.unjudged is not None]),
        unmeasured={name: count for name, count in unmeasured.items() if count},
        samples=max((row.n_samples for row in kept), default=1),
    )
