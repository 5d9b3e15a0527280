"""``query-prism find``: where a document is, or where it was lost, under every transform."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli._answers import Answer, answering
from ir_core.cli._comparing import compared, comparing
from ir_core.cli._main import examples
from ir_core.cli._tables import plain
from ir_core.errors import BadInput

if TYPE_CHECKING:
    from ir_core.analysis.find import Document, Whereabouts, Word

MARKS = {True: "ok", False: "lost", None: "-"}
WORDS = 8


@click.command(
    "find",
    epilog=examples(
        "find 'who can see my files' hc-040 --corpus help_center",
        "find 'late fees' 'Payment terms' --corpus contracts.zip --transforms rewrite,hyde --json",
    ),
)
@click.argument("query")
@click.argument("document")
@comparing
@answering
def command(query: str, document: str, **options: Any) -> Answer:
    """Run QUERY through the transforms and say where DOCUMENT (its id or title) is, or at which stage it was lost.

    Ranks are exact and read to the end of each list. A document that is not in the index is an answer, too.
    """
    from ir_core.analysis.find import find

    if not document.strip():
        raise BadInput("DOCUMENT is blank. Give the id or the title of the document to find.")
    made = compared(query, **options)
    opened = made.opened
    found = find(opened.engine, document, made.results, opened.settings, loaded=opened.prepared.loaded)
    return Answer({**made.told, "document": asdict(found)}, as_text(found))


def as_text(found: Document) -> str:
    """The verdicts first, then each transform's stages, best surface and what would have to change."""
    name = f"{plain(found.title)}  [{plain(found.artifact_id)}]" if found.artifact_id else plain(found.asked)
    lines = [name]
    if found.reason:
        lines.append(f"   {plain(found.reason)}")
    lines += [f"   {plain(change)}" for change in found.changes]
    if found.artifact_id is None:
        return "\n".join(lines)
    width = max((len(row.title) for row in found.transforms), default=0)
    lines += [f"   {plain(row.title):<{width}}  {plain(row.verdict)}" for row in found.transforms]
    return "\n\n".join(["\n".join(lines), *map(_transform, found.transforms if found.status == "indexed" else ())])


def _transform(row: Whereabouts) -> str:
    lines = [f"== {plain(row.title)}"]
    lines += [f"   {MARKS[stage.passed]:<4}  {plain(stage.name)}: {plain(stage.said)}" for stage in row.stages]
    for place in row.places:
        at = f"{place.rank:,}" if place.rank is not None else "none"
        lines.append(f"   {plain(place.query_id)}, {place.leg}: {at} of {place.of:,}  {plain(place.text, 60)}")
    best = row.best
    if best is not None and best.surface_id is not None:
        is_text = best.shared or best.lacking
        shares = f"; shares {_words(best.shared)}" if is_text else ""
        lines.append(f"   best surface: {plain(best.surface_id)}{shares}")
        lines += [f"   lacks {_words(best.lacking)}"] if is_text else []
    return "\n".join([*lines, *(f"   > {plain(change)}" for change in row.changes)])


def _words(words: tuple[Word, ...]) -> str:
    said = ", ".join(f"{plain(word.token)} ({word.surfaces:,})" for word in words[:WORDS])
    return (said or "no word") + (f" and {len(words) - WORDS} more" if len(words) > WORDS else "")
