"""``query-prism health``: what is wrong with an index before anybody asks it anything."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _query_sets
from ir_core.cli._answers import Answer, answering
from ir_core.cli._main import examples
from ir_core.cli._opening import build
from ir_core.cli._options import INDEX_OPTIONS, with_options
from ir_core.cli._progress import Reporter
from ir_core.cli._settings import IndexOptions, refuse_transforms, taken
from ir_core.cli._tables import counted, plain, seconds

if TYPE_CHECKING:
    from ir_core.analysis.health import Finding, Health

SHOWN = 5
"""Examples of each finding; ``--json`` has them all."""


@click.command(
    "health",
    epilog=examples(
        "health --corpus help_center", "health --corpus ./manuals --strategy Chunked --queries asked.csv --json"
    ),
)
@with_options(*INDEX_OPTIONS, *_query_sets.SET_OPTIONS)
@answering
def command(**options: Any) -> Answer:
    """Look an index over: texts too long, blank, repeated or broken, languages, hubs, and what no query finds.

    Each finding says what it does to retrieval and what to change. Hubs and what is never reached
    need queries: those that come with the corpus, or others by --query-set or --queries.
    """
    from ir_core.analysis.health import examine, examine_prepared

    chosen = taken(IndexOptions, options)
    refuse_transforms(chosen.pairs)
    _query_sets.check(options)
    prepared = chosen.prepare()
    named = options["query_set"] or options["queries_file"]
    judged = _query_sets.chosen(prepared.corpus, options) if named else None
    index = build(prepared, make_current=False).index
    report = Reporter()
    try:
        if judged is None:
            health = examine_prepared(prepared, index, report)
        else:
            health = examine(
                index, prepared.embedder, loaded=prepared.loaded, queries=judged.queries, qrels=judged.qrels,
                on_progress=report,
            )  # fmt: skip
    finally:
        report.close()
    data = asdict(health)
    for finding in data["findings"]:
        finding.pop("rows")
    about = {"strategy": dict(index.manifest.strategy), "embedder": index.manifest.embedder}
    return Answer({**data, **about, "queries": dict(judged.config) if judged else {}}, text(health))


def text(health: Health) -> str:
    """What was found first, with examples; what could not be measured, and what is well, in one line each."""
    lengths = health.lengths
    read = f"{lengths.limit:,} are read" if lengths.limit else "all are read"
    lines = [
        f"{plain(health.corpus)}: {counted(health.n_surfaces, 'surface')} of "
        f"{counted(health.n_documents, 'document')}, {lengths.median:,} tokens in the middle, {lengths.longest:,} at "
        f"most; {read}. Looked over in {seconds(health.seconds)}."
    ]
    lines += [_found(finding) for finding in health.of("found")]
    lines += [f"?  {plain(finding.label)}: {plain(finding.said)}" for finding in health.of("unmeasured")]
    if well := health.of("clear"):
        lines.append(f"ok {', '.join(plain(finding.label) for finding in well)}")
    return "\n".join(lines)


def _found(finding: Finding) -> str:
    lines = [
        f"!  {plain(finding.label)} ({finding.severity}): {plain(f'{finding.said} {finding.note}')}",
        f"   {plain(finding.effect)}",
        f"   > {plain(finding.change)}",
    ]
    for example in finding.examples[:SHOWN]:
        ids = ", ".join(plain(name, 60) for name in example.ids[:3]) + (" …" if len(example.ids) > 3 else "")
        lines.append(f"   - {ids}: {plain(example.said)}" + (f"  {plain(example.text, 60)}" if example.text else ""))
    if len(finding.examples) > SHOWN:
        lines.append(f"   - and {len(finding.examples) - SHOWN} more")
    return "\n".join(lines)
