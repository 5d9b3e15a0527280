"""Several texts of one query measured as one: scores, calls, cost and seconds are the means of its samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core.evaluation.means import mean
from ir_core.evaluation.measures import Measure, Qrels
from ir_core.evaluation.result import Row
from ir_core.evaluation.rows import scored


def measured(column: Sequence[Sequence[Row]], measures: Sequence[Measure], qrels: Qrels) -> list[Row]:
    """One column: for each query the row of each sample, not scored yet, becomes one row with scores."""
    most = max(map(len, column), default=0)
    numbered = [scored([rows[n] for rows in column if n < len(rows)], measures, qrels) for n in range(most)]
    by_sample = [{row.query_id: row for row in rows} for rows in numbered]
    return [averaged([by_sample[n][rows[0].query_id] for n in range(len(rows))]) for rows in column]


def averaged(samples: Sequence[Row]) -> Row:
    """One row for the rows of a query's texts, which it keeps as ``samples``; of one text, that text's row.

    A sample that failed scores 0 among the others; one that was skipped is left out of the scores. Lists, queries and
    title are those of the first. What went wrong is named with how many samples it befell. Seconds are those of the
    samples that have some; a sum of which a part is unknown is unknown.

    :param samples: scored, at least one.
    """
    first = samples[0]
    if len(samples) == 1:
        return first
    scored = [row.scores for row in samples if row.scores is not None]
    names = dict.fromkeys(name for scores in scored for name in scores)
    skipped = None if scored else first.skip_reason
    return replace(
        first,
        scores={name: _known([scores[name] for scores in scored if name in scores]) for name in names}
        if scored
        else None,
        calls=_known([row.calls for row in samples]),
        cost_usd=mean([row.cost_usd for row in samples]),
        tokens_in=mean([row.tokens_in for row in samples]),
        tokens_out=mean([row.tokens_out for row in samples]),
        latency_s=mean([row.latency_s for row in samples if row.latency_s is not None]),
        kept=_known([row.kept for row in samples]),
        cost_now_usd=mean([row.cost_now_usd for row in samples]),
        fallback_reason=_said([row.fallback_reason for row in samples]),
        skip_reason=skipped,
        error=_said([row.error for row in samples]),
        unjudged=mean([row.unjudged for row in samples if row.unjudged is not None]),
        samples=tuple(samples),
    )


def _known(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _said(reasons: Sequence[str | None]) -> str | None:
    """The first of them, and in how many samples there is one where it is not in all."""
    given = [reason for reason in reasons if reason]
    if not given or len(given) == len(reasons):
        return given[0] if given else None
    return f"In {len(given)} of {len(reasons)} samples: {given[0]}"
