"""What a run will take, told before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ir_core.budget import Estimate, Spent, estimate
from ir_core.compare import Choice
from ir_core.evaluation.writing import LLM_WORKERS
from ir_core.library import JudgedQuery
from ir_core.protocols import Writer

LOOKED_AT = 20
"""Queries whose prompts are counted; the others take what these take on average."""


def estimate_run(
    transforms: Sequence[Choice],
    writer: Writer,
    queries: Sequence[JudgedQuery],
    *,
    corpus_language: str | None = None,
    spent: Spent | None = None,
) -> Estimate:
    """Calls, tokens, seconds and dollars of all queries, and what leaves the machine; see ``budget.estimate``.

    Texts are written once for all retrieval modes. None is unknown.

    :param queries: at least one.
    :raises UnknownName, BadSetting: for a transform or a setting there is not.
    """
    step = max(1, len(queries) // LOOKED_AT)
    looked_at = queries[::step]
    found = [
        estimate(transforms, writer, one.text, one.history, corpus_language=corpus_language, spent=spent)
        for one in looked_at
    ]
    times = len(queries) / len(found)
    calls, kept = round(sum(one.calls for one in found) * times), round(sum(one.kept for one in found) * times)
    each = spent.seconds_each if spent else None
    longest = max(found, key=lambda one: sum(map(len, one.leaves)))
    return replace(
        longest,
        calls=calls,
        kept=kept,
        tokens_in=_scaled([one.tokens_in for one in found], times),
        tokens_out=_scaled([one.tokens_out for one in found], times),
        seconds=0.0 if calls == kept else None if each is None else each * (calls - kept) / LLM_WORKERS,
        cost_usd=None
        if any(one.cost_usd is None for one in found)
        else sum(one.cost_usd or 0.0 for one in found) * times,
    )


def _scaled(values: Sequence[int | None], times: float) -> int | None:
    known = [value for value in values if value is not None]
    return round(sum(known) * times) if len(known) == len(values) else None
