"""From a corpus' artifacts to an index that is searched.

``plan`` says what a build would do, without doing it; ``build`` does it; ``current`` opens what was built. Nothing is
embedded twice, and whatever goes wrong on the way leaves the index that was there.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core import config
from ir_core.errors import BadInput, BadSource, IndexProblem, mended
from ir_core.index import Index, IndexSettings, Manifest, VectorStore, assemble, embedding, folders, open_index, reuse
from ir_core.index.chroma_place import Place, wanted
from ir_core.index.chroma_sweep import at_start
from ir_core.index.contents import Contents, read
from ir_core.index.manifest import describe
from ir_core.index.progress import Job
from ir_core.protocols import Embedder, IndexingStrategy, OnProgress
from ir_core.schema import Artifact, Surface


@dataclass(frozen=True)
class Plan:
    """What a build would do. ``n_to_embed`` counts the distinct texts without a stored vector, ``over_limit`` the
    surfaces of which the embedder reads only the beginning; ``is_current`` is True when the corpus' index is exactly
    this one. ``tokens`` (n,) are the surfaces' lengths, None where another build has the same vectors."""

    contents: Contents
    fingerprint: str
    vectors_id: str
    n_to_embed: int
    over_limit: int
    is_current: bool
    tokens: NDArray[np.int64] | None = None
    notes: tuple[str, ...] = ()

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        return self.contents.surfaces

    @property
    def n_surfaces(self) -> int:
        return len(self.contents.surfaces)

    @property
    def n_artifacts(self) -> int:
        return len(self.contents.artifact_ids)


def plan(
    artifacts: Iterable[Artifact],
    strategy: IndexingStrategy,
    embedder: Embedder,
    *,
    corpus_name: str | None = None,
    settings: IndexSettings | None = None,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
    home: Path | None = None,
) -> Plan:
    """Decomposes the artifacts and looks up what is there already; embeds nothing, changes no index.

    :param corpus_name: whose index ``is_current`` is about; without one it is False.
    :raises BadSource: when two artifacts have the same id.
    :raises Cancelled: once ``cancel`` is set.
    """
    job, place = Job(on_progress, cancel), home or config.home()
    return _Builder(corpus_name, strategy, embedder, settings or IndexSettings(), job, place).plan(artifacts)


def build(
    corpus_name: str,
    artifacts: Iterable[Artifact],
    strategy: IndexingStrategy,
    embedder: Embedder,
    *,
    settings: IndexSettings | None = None,
    make_current: bool = True,
    on_progress: OnProgress | None = None,
    cancel: threading.Event | None = None,
    home: Path | None = None,
) -> Index:
    """The index of exactly these artifacts and settings; built as far as it is not there already.

    Builders of one corpus take turns, across processes. A build that was killed or cancelled is resumed by the next.

    :param make_current: False leaves the current index what it is, where there is one.
    :raises BadSource: when there is no text to index, or two artifacts have the same id.
    :raises IndexProblem: when the disk or the embedder lets it down; the index that was there remains.
    :raises Cancelled: between two batches, once ``cancel`` is set.
    """
    job = Job(on_progress, cancel)
    builder = _Builder(corpus_name, strategy, embedder, settings or IndexSettings(), job, home or config.home())
    planned = builder.plan(artifacts)
    if not planned.n_surfaces:
        count = planned.n_artifacts
        what = f"none of its {count} documents has any" if count else "it has no documents"
        raise BadSource(f"The corpus {corpus_name!r} has no text to index: {what}. Add a document with text.")
    folder = folders.corpus_folder(corpus_name, home)
    target = folder / planned.fingerprint
    try:
        with folders.turn(folder, job), folders.workshop(folder) as place:
            if not reuse.usable(target, say=True):
                builder.assemble(place, planned, wanted(folders.current_build(folder), builder.home))
                folders.swap_in(place, target)
            folders.use(target, make_current)
    except OSError as error:
        stays = not make_current or folders.current_build(folder) == target
        if not (stays and reuse.as_it_is(target, error)):
            raise IndexProblem(
                f"The index of {corpus_name!r} could not be written ({error}). {mended(error)}, and build again; "
                "the index that was there is untouched, and what was embedded is kept."
            ) from error
    return open_index(target)


def current(corpus_name: str, home: Path | None = None) -> Index | None:
    """The index that is searched; None before the first build.

    :raises IndexProblem: when it is damaged or was made by another version; building again repairs it.
    """
    folder = folders.corpus_folder(corpus_name, home)
    fingerprint = folders.fingerprint_in_use(folder, corpus_name)
    return open_index(folder / fingerprint) if fingerprint else None


def forget_foreign(known: Collection[str], home: Path | None = None) -> list[str]:
    """Removes the least recently used indexes of corpora that are none of ``known``, beyond 20; gives their names.
    Collections that killed builds left on Chroma servers go too."""
    at_start(home)
    return folders.forget_foreign(known, home)


def delete(corpus_name: str, home: Path | None = None) -> None:
    """Removes every build of the corpus; the vector store keeps the vectors, within its bound.

    :raises IndexProblem, DiskRefuses: when the disk refuses.
    """
    folder = folders.corpus_folder(corpus_name, home)
    if folder.exists():
        with config.keeping(f"The removal of {corpus_name!r}"), folders.turn(folder, Job()):
            folders.remove(folder)


def disk_use(corpus_name: str, home: Path | None = None) -> int:
    """Bytes of every build of the corpus."""
    folder = folders.corpus_folder(corpus_name, home)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@dataclass(frozen=True)
class _Builder:
    """What a plan and a build are made from, beside the artifacts."""

    corpus_name: str | None
    strategy: IndexingStrategy
    embedder: Embedder
    settings: IndexSettings
    job: Job
    home: Path

    @property
    def folder(self) -> Path | None:
        return folders.corpus_folder(self.corpus_name, self.home) if self.corpus_name is not None else None

    def plan(self, artifacts: Iterable[Artifact]) -> Plan:
        from ir_core.strategies import strategy_id

        contents = read(artifacts, self.strategy, self.settings.filter_fields, self.job)
        fingerprint = contents.fingerprint(strategy_id(self.strategy), self.embedder.fingerprint, self.settings)
        vectors_id = contents.vectors_id(self.embedder.fingerprint)
        is_current = self.folder is not None and reuse.is_current(self.folder, fingerprint)
        donor = reuse.same_vectors(self.folder, vectors_id) if self.folder else None
        if donor:
            return Plan(contents, fingerprint, vectors_id, 0, Manifest.read(donor).over_limit, is_current)
        with self.store() as store:
            tokens, missing = embedding.count_tokens(contents, self.embedder, store, self.job)
            notes = tuple(store.notes)
        over = self.over_limit(tokens)
        return Plan(contents, fingerprint, vectors_id, len(missing), over, False, tokens, notes)

    def assemble(self, place: Path, planned: Plan, where: Place) -> None:
        contents, notes, over_limit = planned.contents, list(planned.notes), planned.over_limit
        donor = reuse.same_vectors(place.parent, planned.vectors_id)
        if donor and reuse.usable(donor, away=False):
            held = assemble.copy_dense(place, donor, self.job, where)
        else:
            with self.store() as store:
                tokens = planned.tokens
                if tokens is None:
                    tokens, _ = embedding.count_tokens(contents, self.embedder, store, self.job)
                over_limit = self.over_limit(tokens)
                fill = partial(embedding.fill, contents, tokens, self.embedder, store, self.job)
                shape = planned.n_surfaces, self.embedder.dim
                held = assemble.write_dense(place, shape, fill, self.job, where, place.parent)
                store.trim()
                notes += store.notes
        assemble.write_texts(place, contents)
        idf = assemble.write_lexical(place, contents, self.settings, self.job)
        manifest = Manifest(
            fingerprint=planned.fingerprint,
            corpus=self.corpus_name or "",
            strategy=_spec(self.strategy),
            embedder=self.embedder.name,
            embedder_fingerprint=self.embedder.fingerprint,
            dim=self.embedder.dim,
            max_tokens=self.embedder.max_tokens,
            tokeniser=self.settings.tokeniser,
            k1=self.settings.k1,
            b=self.settings.b,
            idf=idf,
            n_artifacts=planned.n_artifacts,
            n_surfaces=planned.n_surfaces,
            kinds=assemble.kind_counts(contents),
            fields=describe(contents.fields),
            filter_fields=tuple(self.settings.filter_fields),
            language=assemble.language_of(contents),
            over_limit=over_limit,
            built_at=datetime.now(UTC).isoformat(timespec="seconds"),
            vectors_id=planned.vectors_id,
            notes=tuple(dict.fromkeys(notes)),
            chroma=held.facts() if held else None,
        )
        assemble.write_manifest(place, manifest)

    def over_limit(self, tokens: NDArray[np.int64]) -> int:
        return int((tokens > self.embedder.max_tokens).sum())

    def store(self) -> VectorStore:
        return VectorStore(self.home / "vectors.sqlite")


def _spec(strategy: IndexingStrategy) -> Mapping[str, Any]:
    from ir_core.strategies import strategy_to_spec

    try:
        return strategy_to_spec(strategy)
    except BadInput:
        return {"name": type(strategy).__name__, "params": None}  # a custom one can be named, not rebuilt
