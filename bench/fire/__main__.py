"""``python -m bench.fire kills [--kills 20] [--seed N] [indexing evaluating recording]``;
``python -m bench.fire visitors [--minutes 10] [--visitors 20]``."""

from __future__ import annotations

import os
import random
import signal
import sys
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
        click.echo(f"{name}: nothing lost, nothing kept was done again, every run ended as an undisturbed one")
        for what, value in figures.items():
            click.echo(f"  {what}: {value}")


@group.command()
@click.option("--minutes", default=10.0, show_default=True)
@click.option("--visitors", default=20, show_default=True)
@click.option(
    "--think", "think_s", default=15.0, show_default=True, help="Seconds an answer is read for, on average."
)
@click.option("--uploads", default=5, show_default=True, help="How many of them have documents of their own.")
@click.option("--embedder", default="all-MiniLM-L6-v2", show_default=True)
@click.option("--seed", default=0, show_default=True)
def visitors(minutes: float, visitors: int, think_s: float, uploads: int, embedder: str, seed: int) -> None:
    """Many visitors of one shared server. Exit code 1 where something does not hold."""
    from bench.fire.visitors import run

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the server ends with it
    with tempfile.TemporaryDirectory() as home:
        os.environ["QUERY_PRISM_HOME"] = home
        figures = run(Path(home), visitors, minutes, think_s, uploads, embedder, seed)
    for what, value in figures.items():
        click.echo(f"{what}: {value}")
    sys.exit(figures["verdict"] != "HOLDS")


if __name__ == "__main__":
    group()
