"""``query-prism corpora``: what there is to search."""

from __future__ import annotations

from typing import Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._tables import table


@click.command("corpora")
@answering
def command() -> Answer:
    """List the corpora: the bundled ones and those that were added."""
    from ir_core import build, library
    from ir_core.errors import IndexProblem
    from ir_core.session import default_strategy

    rows: list[dict[str, Any]] = []
    for info in library.corpora():
        try:
            index = build.current(info.name)
        except IndexProblem:
            index = None
        rows.append(
            {
                "name": info.name,
                "title": info.title,
                "description": info.description,
                "kind": info.kind,
                "language": info.language,
                "n_documents": info.n_documents,
                "bytes": info.bytes,
                "strategy": dict(default_strategy(info)),
                "index": index.manifest.fingerprint if index else None,
                "n_surfaces": index.manifest.n_surfaces if index else None,
            }
        )
    text = table(
        ["name", "kind", "documents", "surfaces", "language", "title"],
        [
            [
                row["name"],
                row["kind"],
                row["n_documents"],
                row["n_surfaces"] or "not built",
                row["language"] or "",
                row["title"],
            ]
            for row in rows
        ],
    )
    return Answer({"corpora": rows}, text)
