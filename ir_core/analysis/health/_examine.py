"""All checks, one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ir_core.analysis.health._lengths import lengths_of
from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import SEVERITIES, Check, Finding, Found, Health, Status, Unmeasured
from ir_core.errors import BadSource, Cancelled, QueryPrismError
from ir_core.index import Index
from ir_core.index.progress import Job
from ir_core.loaders import Loaded
from ir_core.protocols import Embedder, OnProgress, Progress, Timer
from ir_core.registry import Registry

if TYPE_CHECKING:
    from ir_core.library import JudgedQuery
    from ir_core.session import Prepared

CHECKS: Registry[Check] = Registry("ir_core.analysis.health", "health check")
_STATUSES: tuple[Status, ...] = ("found", "unmeasured", "clear")


def examine(
    index: Index,
    embedder: Embedder,
    *,
    loaded: Loaded | None = None,
    queries: Sequence[JudgedQuery] = (),
    qrels: Mapping[str, Mapping[str, int]] | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
) -> Health:
    """Every check of :data:`CHECKS` on one index.

    :param embedder: the one the index was made by.
    :param loaded: the documents as they were read, and what the loader said; without it checks of the source are
        not measured.
    :param queries: a set for the checks that need one; follow-ups (those with a history) are left out, since alone
        they ask for nothing.
    :raises Cancelled: once ``cancel`` is set.
    """
    timer, job = Timer(), Job(on_progress, cancel)
    material = Material(
        index,
        embedder,
        {artifact.id: artifact for artifact in loaded.artifacts} if loaded else {},
        loaded.problems if loaded else (),
        [(query.id, query.text) for query in queries if not query.history],
        qrels or {},
        job,
    )
    names = CHECKS.names()
    findings = []
    for number, name in enumerate(names):
        check = CHECKS.get(name)
        job.check()
        job.tell(Progress(check.label, number, len(names)))
        findings.append(_finding(check(), material))
    manifest = index.manifest
    return Health(
        manifest.corpus,
        manifest.fingerprint,
        manifest.n_artifacts,
        manifest.n_surfaces,
        lengths_of(material.tokens, material.limit),
        tuple(sorted(findings, key=_order)),
        timer.seconds,
    )


def examine_prepared(
    prepared: Prepared, index: Index, on_progress: OnProgress | None = None, cancel: threading.Event | None = None
) -> Health:
    """The index of a corpus that was read, with the queries that come with it.

    :raises Cancelled: once ``cancel`` is set.
    """
    try:
        queries, qrels = prepared.corpus.queries(), prepared.corpus.qrels()
    except BadSource:
        queries, qrels = [], {}
    return examine(
        index, prepared.embedder, loaded=prepared.loaded, queries=queries, qrels=qrels,
        on_progress=on_progress, cancel=cancel,
    )  # fmt: skip


def _finding(check: Check, material: Material) -> Finding:
    about: dict[str, Any] = {
        key: getattr(check, key) for key in ("name", "label", "summary", "reference", "effect", "setting")
    }
    try:
        found = check.look(material)
    except Cancelled:
        raise
    except (Unmeasured, QueryPrismError) as error:
        return Finding(**about, status="unmeasured", severity=None, count=None, said=str(error), change=check.change)
    if found is None or isinstance(found, str):
        said = found or "None found."
        return Finding(**about, status="clear", severity=None, count=None, said=said, change=check.change)
    return _with(found, about, check.change)


def _with(found: Found, about: Mapping[str, Any], change: str) -> Finding:
    return Finding(
        **about,
        status="found",
        severity=found.severity,
        count=found.count,
        said=found.said,
        change=found.change or change,
        note=found.note,
        examples=found.examples,
        rows=found.rows,
        documents=found.documents,
    )


def _order(finding: Finding) -> tuple[int, int]:
    worst = SEVERITIES.index(finding.severity) if finding.severity else 0
    return _STATUSES.index(finding.status), worst
