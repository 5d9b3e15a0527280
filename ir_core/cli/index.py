"""``query-prism index``: build a corpus' index, or say what that would take."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._opening import build
from ir_core.cli._options import INDEX_OPTIONS, with_options
from ir_core.cli._settings import IndexOptions, taken
from ir_core.cli._tables import plain, seconds


@click.command("index")
@with_options(*INDEX_OPTIONS)
@click.option("--plan", "plan_only", is_flag=True, help="Only say what there is to do; build nothing.")
@answering
def command(plan_only: bool, **options: Any) -> Answer:
    """Build the index of a corpus; the page then shows this one. What was embedded before is not embedded again."""
    from ir_core.protocols import Timer
    from ir_core.strategies import strategy_to_spec

    prepared = taken(IndexOptions, options).prepare()
    problems = [{"name": item.name, "reason": item.reason} for item in prepared.loaded.problems]
    if plan_only:
        plan = prepared.plan()
        data: dict[str, Any] = {
            "corpus": prepared.name,
            "strategy": strategy_to_spec(prepared.strategy),
            "embedder": prepared.embedder.name,
            "fingerprint": plan.fingerprint,
            "is_current": plan.is_current,
            "n_artifacts": plan.n_artifacts,
            "n_surfaces": plan.n_surfaces,
            "n_to_embed": plan.n_to_embed,
            "over_limit": plan.over_limit,
            "problems": problems,
        }
        state = "current" if plan.is_current else "missing, or made with other documents or settings"
        text = (
            f"{plain(prepared.name)}: the index is {state}.\n{plan.n_surfaces:,} surfaces of {plan.n_artifacts:,} "
            f"documents, {plan.n_to_embed:,} texts to embed; {plan.over_limit:,} surfaces are longer than "
            f"{prepared.embedder.name} reads."
        )
        return Answer(data, text)
    timer = Timer()
    manifest = build(prepared).index.manifest
    data = {"corpus": prepared.name, "seconds": timer.seconds, "index": asdict(manifest), "problems": problems}
    kinds = ", ".join(f"{count:,} {plain(kind)}" for kind, count in manifest.kinds.items())
    text = (
        f"{plain(prepared.name)}: {manifest.n_surfaces:,} surfaces ({kinds}) of {manifest.n_artifacts:,} documents, "
        f"{manifest.strategy['name']}, {manifest.embedder}, in {seconds(timer.seconds)}.\n"
        f"{manifest.over_limit:,} surfaces are longer than the embedder reads. Index {manifest.fingerprint}."
    )
    return Answer(data, text)
