"""``query-prism transforms``: what a query can be made into."""

from __future__ import annotations

from dataclasses import asdict

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._tables import table


@click.command("transforms")
@answering
def command() -> Answer:
    """List the transforms with their settings, for --transforms and --set."""
    from ir_core.params import params_of
    from ir_core.transforms import TRANSFORMS

    found = [
        {
            "name": item.name,
            "label": item.label,
            "summary": item.summary,
            "reference": item.reference,
            "needs_writer": item.needs_writer,
            "settings": [{**asdict(one), "type": one.type.__name__} for one in params_of(item)],
        }
        for item in TRANSFORMS
    ]
    rows = [
        [item.name, ", ".join(f"{one.name}={one.default}" for one in params_of(item)), item.summary]
        for item in TRANSFORMS
    ]
    return Answer({"transforms": found}, table(["name", "settings and their defaults", "what it does"], rows))
