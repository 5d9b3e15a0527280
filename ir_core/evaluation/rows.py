"""From what was found to rows with scores: the one way in which an evaluation is measured, headless or as a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ir_core.evaluation import measures as measuring
from ir_core.evaluation.answers import answer_rank, score_of
from ir_core.evaluation.means import total
from ir_core.evaluation.measures import ANSWER, Measure, Qrels, unjudged_share
from ir_core.evaluation.result import Row
from ir_core.library import JudgedQuery
from ir_core.schema import SearchResult


def row_of(query: JudgedQuery, found: SearchResult | str) -> Row:
    """Not scored and not timed yet; ``found`` is the sentence that says why nothing was, where nothing was."""
    if isinstance(found, str):
        lost = answer_rank(query, ())
        return Row(query.id, query.text, query.category, None, error=found, answer_rank=lost)
    made = found.formulation
    return Row(
        query_id=query.id,
        text=query.text,
        category=query.category,
        scores=None,
        retrieved=tuple(hit.artifact_id for hit in found.fused.hits),
        queries=tuple(item.text for item in made.queries),
        title=made.title,
        calls=len(made.calls),
        cost_usd=total([call.cost_usd for call in made.calls]),
        tokens_in=total([call.tokens_in for call in made.calls]),
        tokens_out=total([call.tokens_out for call in made.calls]),
        kept=sum(call.cached and not call.recorded for call in made.calls),
        cost_now_usd=total([call.cost_usd for call in made.calls if not call.cached]),
        fallback_reason=made.fallback_reason,
        skip_reason=made.skip_reason,
        answer_rank=answer_rank(query, [hit.text for hit in found.fused.hits]),
        surface_ids=tuple(hit.surface_id for hit in found.fused.hits),
    )


def scored(rows: Sequence[Row], measures: Sequence[Measure], qrels: Qrels) -> list[Row]:
    """One column's rows with their scores: 0 for one that failed or found nothing, None for one that was skipped.

    A measure that a query has nothing to be measured by (no usable answer) is not among its scores."""
    answers = [measure for measure in measures if measure.family == ANSWER]
    wanted: Mapping[str, Sequence[str]] = {row.query_id: row.retrieved for row in rows if not row.skip_reason}
    values = measuring.score(measures, qrels, wanted)
    done = []
    for row in rows:
        own = values.get(row.query_id)
        for measure in answers:
            if own is not None and (value := score_of(row.answer_rank, measure.cutoff)) is not None:
                own[measure.name] = value
        unjudged = unjudged_share(row.retrieved, qrels[row.query_id]) if own is not None else None
        done.append(replace(row, scores=own, unjudged=unjudged))
    return done
