"""Collections on Chroma servers: written whole under a name nobody else has, dropped, and swept when left behind.

A build names its collection only in its manifest, so what a killed build wrote is known by being named in none. The
collection's own metadata says which home and corpus it is of: other homes may use the same server.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ir_core import config
from ir_core.errors import IndexProblem, QueryPrismError, mended
from ir_core.index.chroma_client import asking
from ir_core.index.chroma_place import Held, Place
from ir_core.index.chroma_remote import rows_at_once
from ir_core.index.dense import ADD_ROWS, hnsw
from ir_core.protocols import Vectors
from ir_core.text import slug

OWNER = "chroma_owner"
PAGE = 100
_log = logging.getLogger(__name__)


def write(place: Place, folder: Path, vectors: Vectors, report: Callable[[int], None]) -> Held:
    """A new collection of ``vectors`` (n, dim); ids are row numbers. ``report`` gets rows done.

    :param folder: the corpus' folder of builds, whose the collection is to be.
    :raises BadSetting, IndexProblem: as ``asking``; also when not all vectors arrived. Nothing is left then, unless
        the server is down: the next build there sweeps it.
    """
    held = Held(place, f"qp-{slug(folder.name)}-{uuid.uuid4().hex[:16]}")
    about = {"query_prism_home": owner(folder.parent.parent), "query_prism_corpus": folder.name}
    with asking(place) as client:
        client.create_collection(
            held.collection, metadata=about, embedding_function=None, configuration={"hnsw": hnsw(len(vectors))}
        )
    try:
        with asking(place) as client:
            _fill(client, held, vectors, report)
    except BaseException:
        drop([held])
        raise
    return held


def _fill(client: Any, held: Held, vectors: Vectors, report: Callable[[int], None]) -> None:
    collection = client.get_collection(held.collection, embedding_function=None)
    step = rows_at_once(held.place, min(ADD_ROWS, client.get_max_batch_size()))
    for start in range(0, len(vectors), step):
        stop = min(start + step, len(vectors))
        collection.add(ids=[str(row) for row in range(start, stop)], embeddings=np.asarray(vectors[start:stop]))
        report(stop)
    if (count := collection.count()) != len(vectors):
        raise IndexProblem(
            f"Of {len(vectors):,} vectors {count:,} arrived on {held.place.label}. Build the index again; what was "
            "embedded is kept."
        )


def drop(gone: Iterable[Held]) -> None:
    """Removes collections; one that cannot be removed now is left to ``sweep``, and the log says so."""
    from chromadb.errors import NotFoundError

    for held in gone:
        try:
            with asking(held.place) as client:
                try:
                    client.delete_collection(held.collection)
                except NotFoundError:
                    continue
        except QueryPrismError as error:
            _log.warning("the collection %s is left behind for now: %s", held.collection, error)


def left_behind(place: Place, home: Path, named: Collection[Held]) -> dict[str, list[Held]]:
    """By corpus folder, the collections this home made on ``place`` that are none of ``named``.

    :raises BadSetting, IndexProblem: as ``asking``.
    """
    mine, found, start = owner(home), dict[str, list[Held]](), 0
    with asking(place) as client:
        while page := client.list_collections(limit=PAGE, offset=start):
            for one in page:
                about = one.metadata or {}
                held = Held(place, one.name)
                if about.get("query_prism_home") == mine and held not in named:
                    found.setdefault(str(about.get("query_prism_corpus")), []).append(held)
            start += len(page)
    return found


def owner(home: Path | None = None) -> str:
    """What this home signs its collections with; made at the first."""
    from filelock import FileLock

    file = (home or config.home()) / OWNER
    try:
        if not file.is_file() or not file.stat().st_size:
            file.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(file.with_name(f".{OWNER}.lock")):
                if not file.is_file() or not file.stat().st_size:
                    written = file.with_name(f".{OWNER}")
                    written.write_text(uuid.uuid4().hex, "ascii")
                    written.replace(file)
        return file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise IndexProblem(f"{file} cannot be kept ({error}). {mended(error)}, and try again.") from error
