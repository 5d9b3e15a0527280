"""``query-prism index``: build a corpus' index, or say what that would take."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import build
from ir_core.cli._options import INDEX_OPTIONS, with_options
from ir_core.cli._settings import IndexOptions, refuse_transforms, taken
from ir_core.cli._tables import counted, plain, seconds


@click.command(
    "index",
    epilog=examples(
        "index --corpus help_center --strategy Chunked --set max_tokens=200 --set overlap=20",
        "index --corpus notes.csv --text-column body --plan",
    ),
)
@with_options(*INDEX_OPTIONS)
@click.option("--plan", "plan_only", is_flag=True, help="Only say what there is to do; build nothing.")
@answering
def command(plan_only: bool, **options: Any) -> Answer:
    """Build the index of a corpus; where the page lists it, that shows this one.

    What was embedded before is not embedded again.
    """
    from ir_core.protocols import Timer
    from ir_core.strategies import strategy_to_spec

    chosen = taken(IndexOptions, options)
    refuse_transforms(chosen.pairs)
    prepared = chosen.prepare()
    problems = [{"name": item.name, "reason": item.reason, "lost": item.lost} for item in prepared.loaded.problems]
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
        state = "current" if plan.is_current else "missing, damaged, or made with other documents or settings"
        text = (
            f"{plain(prepared.name)}: the index is {state}.\n{counted(plan.n_surfaces, 'surface')} of "
            f"{counted(plan.n_artifacts, 'document')}, {counted(plan.n_to_embed, 'text')} to embed; "
            f"{_longer(plan.over_limit)} than {prepared.embedder.name} reads."
        )
        return Answer(data, text)
    timer = Timer()
    manifest = build(prepared, make_current=True).index.manifest
    data = {"corpus": prepared.name, "seconds": timer.seconds, "index": asdict(manifest), "problems": problems}
    kinds = ", ".join(f"{count:,} {plain(kind)}" for kind, count in manifest.kinds.items())
    text = (
        f"{plain(prepared.name)}: {counted(manifest.n_surfaces, 'surface')} ({kinds}) of "
        f"{counted(manifest.n_artifacts, 'document')}, {manifest.strategy['name']}, {manifest.embedder}, "
        f"in {seconds(timer.seconds)}.\n"
        f"{_longer(manifest.over_limit)} than the embedder reads. Index {manifest.fingerprint}."
    )
    return Answer(data, text)


def _longer(count: int) -> str:
    return f"{counted(count, 'surface')} {'is' if count == 1 else 'are'} longer"
