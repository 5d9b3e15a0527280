"""Writes one build folder: everything ``opened.Index`` reads, the manifest last."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ir_core.index import chroma_sweep, chroma_write, dense, surfaces
from ir_core.index.checksums import checksums
from ir_core.index.chroma_place import EMBEDDED, GRAPH, VECTORS, Held, Place, graph_sizes, held_by
from ir_core.index.chroma_remote import READ_ROWS
from ir_core.index.contents import Contents
from ir_core.index.lexical import Lexical
from ir_core.index.manifest import FILE, IndexSettings, Manifest
from ir_core.index.opened import open_index
from ir_core.index.progress import Job
from ir_core.language import main_language
from ir_core.protocols import Vectors
from ir_core.text import TOKENISERS

REPORT_EVERY = 500
LANGUAGE_SAMPLE = 60
"""Surfaces whose language is looked at, spread over the corpus."""


def write_texts(place: Path, contents: Contents) -> None:
    """Surfaces, names and fields."""
    offsets = surfaces.write(place / "surfaces.jsonl", contents.surfaces)
    ids = [surface.id for surface in contents.surfaces]
    kinds = {kind: number for number, kind in enumerate(kind_counts(contents))}
    order = np.empty(len(ids), dtype=np.int32)
    order[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids), dtype=np.int32)
    np.savez(
        place / "rows.npz",
        offsets=offsets,
        order=order,
        artifact_of=contents.artifact_of,
        kind_of=np.array([kinds[surface.kind] for surface in contents.surfaces], dtype=np.int16),
    )
    names = {
        "surfaces": ids,
        "artifacts": contents.artifact_ids,
        "titles": contents.titles,
        "fields": contents.fields,
        "empty": dict(contents.empty),
    }
    data = json.dumps(names, ensure_ascii=False).encode("utf-8", "surrogatepass")
    (place / "names.json").write_bytes(data)


def write_lexical(place: Path, contents: Contents, settings: IndexSettings, job: Job) -> str:
    """Counts the words; returns the name of the IDF formula that was used."""
    stage = job.stage("Counting words", len(contents.surfaces))
    tokenise = TOKENISERS[settings.tokeniser]

    def words(number: int, text: str) -> list[str]:
        if number % REPORT_EVERY == 0 or number == len(contents.surfaces):
            stage.report(number)
        return tokenise(text)

    counted = (words(number, surface.text) for number, surface in enumerate(contents.surfaces, start=1))
    lexical = Lexical.build(counted, k1=settings.k1, b=settings.b, idf=settings.idf)
    lexical.save(place / "lexical")
    return lexical.idf


def write_dense(
    place: Path,
    shape: tuple[int, int],
    fill: Callable[[Vectors], None],
    job: Job,
    target: Place,
    folder: Path,
) -> Held | None:
    """The vectors (n, dim) that ``fill`` writes, and Chroma's graph of them, in ``place`` or in a collection of
    ``target``; gives the collection's name then.

    :param folder: the corpus' folder, whose turn the caller has.
    """
    vectors = np.empty(shape, dtype=np.float32)
    fill(vectors)
    stage = job.stage("Linking vectors", shape[0])
    if target != EMBEDDED:
        chroma_sweep.sweep(target, folder.parent.parent, holding=folder)
        return chroma_write.write(target, folder, vectors, stage.report)
    np.save(place / VECTORS, vectors)
    dense.write(place / GRAPH, vectors, stage.report)
    return None


def copy_dense(place: Path, donor: Path, job: Job, target: Place) -> Held | None:
    """The dense part of another build, where its vectors are the same: its files copied, its collection shared; or
    its vectors written to ``target`` where that is another place than the donor's."""
    held = held_by(donor)
    if (held.place if held else EMBEDDED) == target:
        if held is None:
            shutil.copyfile(donor / VECTORS, place / VECTORS)
            shutil.copytree(donor / GRAPH, place / GRAPH)
        return held
    index = open_index(donor)

    def fill(out: Vectors) -> None:
        stage = job.stage("Reading vectors", len(out))
        for start in range(0, len(out), READ_ROWS):
            stop = min(start + READ_ROWS, len(out))
            out[start:stop] = index.vectors(range(start, stop))
            stage.report(stop)

    return write_dense(place, (index.n, index.manifest.dim), fill, job, target, donor.parent)


def kind_counts(contents: Contents) -> dict[str, int]:
    return dict(Counter(surface.kind for surface in contents.surfaces))


def language_of(contents: Contents) -> str | None:
    step = max(1, len(contents.surfaces) // LANGUAGE_SAMPLE)
    return main_language((surface.text for surface in contents.surfaces[::step]), LANGUAGE_SAMPLE)


def write_manifest(place: Path, manifest: Manifest) -> None:
    """Adds the sizes and checksums of the files, so that a damaged one is noticed."""
    own = [path for path in place.rglob("*") if path.is_file() and path.relative_to(place).parts[0] != GRAPH]
    sizes = {path.relative_to(place).as_posix(): path.stat().st_size for path in own if path.name != FILE}
    sizes |= graph_sizes(place)
    replace(manifest, sizes=sizes, sums=checksums(place, sizes)).write(place)
