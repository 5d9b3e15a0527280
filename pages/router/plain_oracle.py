"""The best of four settings of the plain search, query by query: what choosing among noisy columns gains where
nothing was transformed. An oracle no higher than that shows no headroom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir_core.evaluation import Plan, open_index_of, parse
from ir_core.evaluation.job import asked_of
from ir_core.evaluation.replay import measured
from ir_core.evaluation.replay_job import Replayed
from ir_core.jobs import Job
from ir_core.retrieval import SearchSettings
from ir_core.router import Route
from ir_core.writers import open_writer

SETTINGS: Mapping[str, SearchSettings] = {
    "dense": SearchSettings(mode="dense"),
    "lexical": SearchSettings(mode="lexical"),
    "hybrid": SearchSettings(mode="hybrid"),
    "dense doubled": SearchSettings(mode="hybrid", dense_weight=2.0),
}
PLAIN = Route("identity")


def values(job: Job, plan: Plan, found: Sequence[Replayed]) -> list[float]:
    """Searched now, over the index of then; nobody is asked.

    :raises IndexProblem: when that index is gone.
    """
    engine = open_index_of(plan)
    writer, qrels = open_writer("corpus", index=engine.index), asked_of(job)["qrels"]
    name = parse(plan.measures[0]).name
    return [
        max(
            measured(engine, one.row.query, [PLAIN], qrels, writer, settings, measure=name).cells["identity"].value
            for settings in SETTINGS.values()
        )
        for one in found
    ]
