"""``python -m bench.fire kills [--kills 20] [--seed N] [indexing evaluating recording]``;
``python -m bench.fire visitors [--minutes 10] [--visitors 20]``."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import click


@click.group()
def group() -> None:
    """What holds when processes are killed and when many come at once."""


@group.command()
@click.argument("works", nargs=-1)
@click.option("--kills", default=20, show_default=True)
@click.option("--seed", type=int, help="Drawn anew, and printed, where none is given.")
def kills(works: tuple[str, ...], kills: int, seed: int | None) -> None:
    """kill -9 at random moments. Stops at the first thing that is not as it should be."""
    from bench.fire.kills import WORKS

    seed = random.randrange(10**6) if seed is None else seed
    click.echo(f"seed {seed}")
    for name in works or WORKS:
        with tempfile.TemporaryDirectory() as home:
            figures = WORKS[name](Path(home), kills, random.Random(f"{seed}:{name}"))
        click.echo(f"{name}: nothing lost, every run ended as an undisturbed one")
        for what, value in figures.items():
            click.echo(f"  {what}: {value}")


if __name__ == "__main__":
    group()
