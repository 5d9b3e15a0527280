"""A run as one JSON document, with all that reproduces it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ir_core.cli._evaluate_plan import COMMAND
from ir_core.cli._evaluate_run import page_of
from ir_core.cli._evaluate_text import replies_of
from ir_core.config import version

if TYPE_CHECKING:
    from ir_core.evaluation import Evaluation, Plan
    from ir_core.evaluation.overview import Line, Place
    from ir_core.jobs import Job


def json_of(job: Job, plan: Plan, found: Mapping[Place, Evaluation], lines: Sequence[Line]) -> dict[str, Any]:
    """Of one part in one mode its figures stand at the top; of several each is an item of "parts"."""
    from ir_core.evaluation import cut_off, part_states

    command, states, parts = command_of(job), part_states(job), plan.parts()
    told = {
        "job": job.id, "page": page_of(job), "state": job.state().to_json(), "notes": command.get("notes", []),
        "cut_off": cut_off(job),
    }  # fmt: skip
    each = [
        {
            **one.to_json(), "replies": replies_of(one),
            "config": {**_config(parts[number], command), **one.config, "mode": mode},
        }
        for (number, mode), one in found.items()
    ]  # fmt: skip
    if len(each) == 1:
        return {**each[0], **told}
    named = [
        {
            "part": number, "name": parts[number].part_name, "strategy": parts[number].strategy,
            "index": parts[number].index, "writer": parts[number].writer.name, "mode": mode,
            "why": states[number].why if states else "", **one,
        }
        for (number, mode), one in zip(found, each, strict=True)
    ]  # fmt: skip
    return {**told, "measures": list(plan.measures), "overview": [_line(one) for one in lines], "parts": named}


def command_of(job: Job) -> dict[str, Any]:
    """What the command said that the plan does not; empty for a run that the page began."""
    try:
        found: dict[str, Any] = json.loads((job.folder / COMMAND).read_bytes())
    except (OSError, ValueError):
        return {}
    return found


def _line(one: Line) -> dict[str, Any]:
    return {
        "part": one.part, "mode": one.mode, "transform": one.title, "column": one.slot, "value": one.value,
        "to_original": asdict(one.proof) if one.proof else None,
        "to_first": asdict(one.apart) if one.apart else None,
        "latency_s": one.total.latency_s, "cost_usd": one.total.cost_usd,
    }  # fmt: skip


def _config(part: Plan, command: Mapping[str, Any]) -> dict[str, Any]:
    """All that reproduces one part."""
    from ir_core.errors import IndexProblem
    from ir_core.index import IndexSettings
    from ir_core.index.folders import corpus_folder
    from ir_core.index.manifest import Manifest
    from ir_core.params import params_of

    try:
        made = Manifest.read(corpus_folder(part.corpus) / part.index)
        index = {name: getattr(made, name) for name in (item.name for item in params_of(IndexSettings))}
        index |= {"strategy": dict(made.strategy), "embedder": made.embedder, "filter_fields": made.filter_fields}
    except IndexProblem:
        index = {}  # gone since
    writer, judge = part.writer, part.judge
    return {
        "version": version(),
        "corpus": command.get("corpus", part.corpus),
        "index": part.index,
        **index,
        "reranker": part.reranker,
        "text_column": command.get("text_column"),
        "filter": part.filter,
        "surfaces": part.surfaces,
        "weights": {"dense": part.dense_weight, "lexical": part.lexical_weight},
        "transforms": [{"name": name, "settings": dict(settings)} for name, settings in part.transforms],
        "writer": writer.name,
        "base_url": writer.base_url,
        "price": _price(writer.price),
        "deadline_s": writer.deadline_s,
        "use_cache": part.use_cache,
        "samples": part.samples,
        "controls": list(part.controls),
        "queries": command.get("queries", {"split": part.split, "set": part.query_set, "measures": part.measures}),
        "judge": {**asdict(judge), "writer": (judge.writer or writer).name} if judge else None,
    }


def _price(price: tuple[float, float] | None) -> dict[str, float] | None:
    return {"input_per_million": price[0], "output_per_million": price[1]} if price else None
