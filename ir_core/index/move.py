"""A corpus' vectors from one place to another: copied and counted first, then switched, and only then removed.

A build is switched by one rename, of its manifest. Until then the old copy is searched, afterwards the new one; what
an interrupted move leaves over on either side is removed by the next move or build of the corpus.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ir_core.errors import IndexProblem, mended
from ir_core.index import assemble, chroma_write, folders
from ir_core.index.checksums import checksums
from ir_core.index.chroma_place import EMBEDDED, GRAPH, VECTORS, Held, Place, graph_sizes, held_by, unreferenced
from ir_core.index.chroma_remote import READ_ROWS
from ir_core.index.manifest import FILE, Manifest
from ir_core.index.opened import Index, close_indexes
from ir_core.index.progress import Job
from ir_core.index.vectors import VectorStore
from ir_core.protocols import Vectors
from ir_core.text import sha256


@dataclass(frozen=True, slots=True)
class Moved:
    """``builds`` that were moved now, of ``of``; ``vectors`` copied for them."""

    builds: int
    of: int
    vectors: int


def move(folder: Path, target: Place, job: Job) -> Moved:
    """Moves every build in the corpus' ``folder`` to ``target``, the current one first.

    :raises IndexProblem: when a place does not answer or a disk is full; what was not moved serves as before.
    :raises BadSetting: when a key is missing.
    :raises Cancelled: between two steps.
    """
    home = folder.parent.parent
    with folders.turn(folder, job), folders.workshop(folder) as place:
        now = folders.current_build(folder)
        builds = sorted(folders.builds_of(folder), key=lambda one: one != now)
        there = {one: held_by(one) for one in builds}
        done: dict[str, Path] = {}
        vectors = 0
        for build, held in there.items():
            manifest = Manifest.read(build)
            if (held.place if held else EMBEDDED) == target:
                done[manifest.vectors_id] = build
                continue
            work = place / build.name
            work.mkdir()
            new = _copied(build, manifest, work, target, done.get(manifest.vectors_id), home, job)
            vectors += manifest.n_surfaces
            _switch(build, manifest, work, new)
            done[manifest.vectors_id] = build
        chroma_write.drop(unreferenced((held for held in there.values() if held), folder))
    moved = sum((held.place if held else EMBEDDED) != target for held in there.values())
    return Moved(moved, len(there), vectors)


def _copied(
    build: Path, manifest: Manifest, work: Path, target: Place, donor: Path | None, home: Path, job: Job
) -> Held | None:
    """The build's vectors at ``target``: in a collection, or as files in ``work``."""
    if donor:
        return assemble.copy_dense(work, donor, job, target)
    shape = manifest.n_surfaces, manifest.dim
    with VectorStore(home / "vectors.sqlite") as store:
        return assemble.write_dense(work, shape, lambda out: _fill(build, store, out, job), job, target, build.parent)


def _fill(build: Path, store: VectorStore, out: Vectors, job: Job) -> None:
    """From the build's own files; of one that is elsewhere, from the store, and what is not there from its place."""
    index = Index(build)
    rows: dict[str, list[int]] = {}
    missing = np.ones(len(out), dtype=np.bool_)
    stage = job.stage("Reading vectors", len(out))
    if index.manifest.chroma:
        for row, surface in enumerate(index.surfaces):
            rows.setdefault(sha256(surface.text), []).append(row)
        for keys, vectors in store.read(index.manifest.embedder_fingerprint, list(rows), index.manifest.dim):
            for key, vector in zip(keys, vectors, strict=True):
                out[rows[key]] = vector
                missing[rows[key]] = False
            stage.report(int((~missing).sum()))
    left = np.flatnonzero(missing)
    for start in range(0, len(left), READ_ROWS):
        part = left[start : start + READ_ROWS]
        out[part] = index.vectors(part)
        stage.report(len(out) - len(left) + start + len(part))
    index.close()


def _switch(build: Path, manifest: Manifest, work: Path, new: Held | None) -> None:
    """Puts the files in place, then the manifest, and then removes what it no longer speaks of."""
    gone = (VECTORS, f"{GRAPH}/")
    sizes, sums = (
        {name: number for name, number in kept.items() if not name.startswith(gone)}
        for kept in (manifest.sizes, manifest.sums)
    )
    try:
        if new is None:
            dense = {VECTORS: (work / VECTORS).stat().st_size, **graph_sizes(work)}
            sizes, sums = sizes | dense, sums | checksums(work, dense)
            folders.sync(work)
            (work / VECTORS).replace(build / VECTORS)
            (work / GRAPH).replace(build / GRAPH)
        replace(manifest, chroma=new.facts() if new else None, sizes=sizes, sums=sums).write(work)
        folders.sync(work)
        (work / FILE).replace(build / FILE)
        folders.sync(build, below=False)
    except OSError as error:
        raise IndexProblem(
            f"The index {build.name} could not be switched ({error}). {mended(error)}, and move it again; the old "
            "copy still serves."
        ) from error
    close_indexes(build)
    folders.tidy(build)
    os.utime(build)
