"""From a judge's replies to what each row says of them, and to what the judging took, apart from the transforms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ir_core.evaluation.answer_scores import Answer, answer_of, gold_of
from ir_core.evaluation.averaging import averaged
from ir_core.evaluation.judge_plan import JudgePlan
from ir_core.evaluation.judge_replies import Replies, list_key
from ir_core.evaluation.judging import ANSWER_TASK, JUDGE_TASK
from ir_core.evaluation.measures import ANSWER_F1, JUDGE, Measure, parse
from ir_core.evaluation.rating import LARGEST, Rating, Spread, rating_of, spread_of
from ir_core.evaluation.result import Row
from ir_core.library import JudgedQuery


@dataclass(frozen=True, slots=True)
class Judging:
    """``lists`` different ones were read. The whole run's judging took ``calls`` and ``cost_usd`` (None is unknown),
    beside what the transforms cost. ``no_gold`` queries have no answer to compare with, None without an answerer.
    ``why`` says why nothing, or not all, was measured."""

    writer: str
    k: int
    repeats: int
    answerer: bool
    reference: bool
    lists: int
    calls: int
    cost_usd: float | None
    tokens_in: int
    tokens_out: int
    spread: Spread
    no_gold: int | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What was replied about the lists of one index, ready to be put into rows."""

    index: str
    queries: Mapping[str, JudgedQuery]
    plan: JudgePlan
    replies: Replies

    def into(self, rows: Iterable[Row]) -> tuple[Row, ...]:
        """The rows, scored before, with what was said of their lists and its scores. Where nobody could be asked they
        stay as they are; a row that found nothing is 0, as in every other measure."""
        return tuple(self._row(row) for row in rows) if len(self.replies) else tuple(rows)

    def _row(self, row: Row) -> Row:
        if row.samples:
            return averaged([self._row(one) for one in row.samples])
        judged = self._judged(row)
        if judged.scores is None:
            return judged
        found = {name: verdict_of(judged, parse(name)) for name in self.plan.measures}
        known = {name: value for name, value in found.items() if value is not None}
        return replace(judged, scores={**judged.scores, **known})

    def _judged(self, row: Row) -> Row:
        plan, query = self.plan, self.queries[row.query_id]
        wants_answer = plan.answerer and bool(gold_of(query.answers))
        if row.error or (not row.retrieved and not row.skip_reason):
            return replace(row, rating=Rating(plan.k, empty=True), answer=Answer(plan.k) if wants_answer else None)
        if not row.surface_ids:  # of a release that did not keep them
            return row
        key = list_key(self.index, row.query_id, row.surface_ids[: plan.k])
        found = [self.replies.get(key, JUDGE_TASK, repeat) for repeat in range(plan.repeats)]
        said = [one.text for one in found if one is not None and one.text is not None]
        values = [value for text in said if (value := rating_of(text)) is not None]
        asked = sum(one is not None for one in found)
        rating = Rating(plan.k, tuple(values), len(said) - len(values), asked - len(said)) if asked else None
        reply = self.replies.get(key, ANSWER_TASK, 0) if wants_answer else None
        answer = None if reply is None or reply.text is None else answer_of(reply.text, query.answers, plan.k)
        return replace(row, rating=rating, answer=answer)

    def judging(self, writer: str, rows: Iterable[Row]) -> Judging:
        """:param writer: its label.
        :param rows: of all columns; an equal list counts once."""
        singles = [one for row in rows for one in row.samples or (row,) if one.rating and not one.rating.empty]
        different = {(row.query_id, row.surface_ids[: self.plan.k]): row.rating for row in singles}
        spent, plan = self.replies.spent, self.plan
        no_gold = sum(not gold_of(query.answers) for query in self.queries.values())
        return Judging(
            writer=writer,
            k=plan.k,
            repeats=plan.repeats,
            answerer=plan.answerer,
            reference=plan.reference,
            lists=len(different),
            calls=spent.calls,
            cost_usd=None if spent.unpriced else spent.cost_usd,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            spread=spread_of(different.values()),
            no_gold=no_gold if plan.answerer else None,
            why=None if len(self.replies) else self.replies.why,
        )


def verdict_of(row: Row, measure: Measure) -> float | None:
    """A row's value in [0, 1] by a measure of ``measures.JUDGED``; None where it was not measured at that cut-off."""
    if measure.family == JUDGE:
        mean = row.rating.mean if row.rating and row.rating.k == measure.cutoff else None
        return None if mean is None else mean / LARGEST
    if row.answer is None or row.answer.k != measure.cutoff:
        return None
    return row.answer.f1 if measure.family == ANSWER_F1 else float(row.answer.exact or row.answer.holds)
