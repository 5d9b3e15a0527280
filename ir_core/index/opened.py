"""A finished build, opened for reading: everything a search needs, safe for threads."""

from __future__ import annotations

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.errors import UnknownName
from ir_core.index import filters
from ir_core.index.checksums import Checked
from ir_core.index.chroma_place import GRAPH, VECTORS, Held
from ir_core.index.chroma_remote import RemoteDense
from ir_core.index.dense import Dense, all_scanned
from ir_core.index.lexical import Lexical
from ir_core.index.manifest import Manifest, damaged, written_at
from ir_core.index.ranks import Mask, Rows, Scores
from ir_core.index.surfaces import SurfaceFile
from ir_core.protocols import Vectors
from ir_core.text import TOKENISERS

MAX_OPEN = 4
"""Indexes kept open by one process: of 100,000 surfaces, one that was searched holds some 250 MB."""


class Index:
    """One build. Rows are surfaces, in the order they were made.

    ``surfaces`` by row; ``artifact_of`` (n,) the number of each row's artifact in ``artifact_ids``, ``titles`` and
    ``fields``; ``empty`` why an artifact has no surface, by its id; ``row_of`` the row of a surface id; ``order``
    (n,) each row's place when sorted by surface id.

    :raises IndexProblem: when the folder is missing or damaged, or of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written = written_at(folder)
        self.manifest = Manifest.read(folder)
        self._files = Checked(folder, self._read_of(self.manifest))
        try:
            self._files.check()
            with np.load(folder / "rows.npz") as rows:
                self.artifact_of: NDArray[np.int32] = rows["artifact_of"]
                self.order: NDArray[np.int32] = rows["order"]
                self._kind_of: NDArray[np.int16] = rows["kind_of"]
                self.surfaces = SurfaceFile(folder / "surfaces.jsonl", rows["offsets"])
            names = json.loads((folder / "names.json").read_bytes().decode("utf-8", "surrogatepass"))
            self.artifact_ids: list[str] = names["artifacts"]
            self.titles: list[str] = names["titles"]
            self.fields: list[dict[str, Any]] = names["fields"]
            self.empty: dict[str, str] = names.get("empty", {})  # an older build does not say
            self.row_of: dict[str, int] = {name: row for row, name in enumerate(names["surfaces"])}
            self._lexical = Lexical.load(folder / "lexical")
            self._dense = self._dense_part()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise damaged(folder, error) from error
        self.closed = False

    @staticmethod
    def _read_of(manifest: Manifest) -> dict[str, int]:
        """The checksums of the files that are read; a graph that no search asks takes as long as all others."""
        unread = f"{GRAPH}/" if all_scanned(manifest.n_surfaces) else "?"
        return {name: wanted for name, wanted in manifest.sums.items() if not name.startswith(unread)}

    def _dense_part(self) -> Dense | RemoteDense:
        held = Held.of(self.manifest.chroma)
        if held:
            return RemoteDense(held, (self.manifest.n_surfaces, self.manifest.dim), self.order)
        vectors: Vectors = np.load(self.folder / VECTORS, mmap_mode="r").view(np.ndarray)
        return Dense(self.folder / GRAPH, vectors, self.order)

    @property
    def n(self) -> int:
        """Surfaces in the index."""
        return len(self.surfaces)

    def title_of(self, surface_id: str) -> str:
        """The title of the document a surface belongs to; the id itself where there is no such surface."""
        row = self.row_of.get(surface_id)
        return surface_id if row is None else self.titles[int(self.artifact_of[row])]

    def allowed(self, filter: Mapping[str, Any] | None = None, kinds: Sequence[str] | None = None) -> Mask | None:
        """(n,) the rows a search may return: artifacts that match the filter, surfaces of these kinds. None, and no
        kinds, mean everything.

        :raises BadFilter: for what is no filter, or names an unknown field or operator; names the known ones.
        :raises UnknownName: for a kind this index does not have.
        """
        matching = filters.evaluate(filter, self.fields, self.manifest.fields)
        mask = None if matching is None else matching[self.artifact_of]
        if kinds:
            numbers = {kind: number for number, kind in enumerate(self.manifest.kinds)}
            for kind in kinds:
                if kind not in numbers:
                    raise UnknownName("kind of surface", kind, numbers)
            of_kind = np.isin(self._kind_of, [numbers[kind] for kind in kinds])
            mask = of_kind if mask is None else mask & of_kind
        return mask

    def vectors(self, rows: Sequence[int] | Rows) -> Vectors:
        """(len(rows), dim) the stored vectors of these rows.

        :raises IndexProblem: when they are on a Chroma server that does not answer.
        """
        return self._dense.take(rows)

    def dense(self, vectors: Vectors, n: int, allowed: Mask | None = None) -> list[tuple[Rows, Scores]]:
        """For each row of ``vectors`` (q, dim), unit rows, the ``n`` most similar surfaces: rows and cosines.

        :raises IndexProblem: when the dense part cannot be read.
        """
        return self._dense.search(vectors, n, allowed)

    def lexical(
        self, bags: Sequence[Mapping[str, float]], n: int, allowed: Mask | None = None
    ) -> list[tuple[Rows, Scores]]:
        """For each bag (token to weight) the ``n`` best surfaces by BM25: rows and scores. A surface matches when it
        holds a token of the bag."""
        return self._lexical.search(bags, n, self.order, allowed)

    def tokenise(self, text: str) -> list[str]:
        """The words of a text, cut as those of the surfaces were."""
        return TOKENISERS[self.manifest.tokeniser](text)

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """Every token of the surfaces, with its number."""
        return self._lexical.vocabulary

    def document_frequency(self, token: str) -> int:
        """How many surfaces hold the token."""
        return self._lexical.document_frequency(token)

    def holding(self, tokens: Iterable[str]) -> Rows:
        """The surfaces that hold any of the tokens; one that holds several is repeated."""
        return self._lexical.holding(tokens)

    def collection_frequency(self, token: str) -> int:
        """How often the token occurs in all surfaces."""
        return self._lexical.collection_frequency(token)

    def term_counts(self, rows: Sequence[int] | Rows) -> list[dict[str, int]]:
        """The tokens of each of these surfaces, counted."""
        return [dict(Counter(self.tokenise(self.surfaces[int(row)].text))) for row in rows]

    def changed(self) -> bool:
        """Whether another process has written the manifest anew since (the vectors are elsewhere now), or a file no
        longer holds what it did."""
        return self._written != written_at(self.folder) or not self._files.sound()

    def close(self) -> None:
        """Lets go of Chroma, as is needed before the folder is deleted."""
        self.closed = True
        self._dense.close()


_opened: OrderedDict[Path, Index] = OrderedDict()
_lock = threading.RLock()


def open_index(folder: Path) -> Index:
    """The build in ``folder``, opened once per process while it is in use.

    :raises IndexProblem: as :class:`Index`.
    """
    path = folder.resolve()
    with _lock:
        index = _opened.get(path)
        if index is not None and not index.closed and index.changed():
            index.close()  # its files are not what they were; whoever still searches it is told to search again
        if index is None or index.closed:
            index = _opened[path] = Index(path)
        _opened.move_to_end(path)
        while len(_opened) > MAX_OPEN:
            # Whoever still searches the forgotten one may finish; the garbage collector then closes it.
            _opened.popitem(last=False)
        return index


def is_open(folder: Path) -> bool:
    """Whether this process has the build in ``folder``, or one below it, open."""
    path = folder.resolve()
    with _lock:
        return any(one == path or path in one.parents for one in _opened)


def close_indexes(folder: Path) -> None:
    """Closes the build in ``folder``, or every build below it, if this process has it open."""
    path = folder.resolve()
    with _lock:
        for known in [one for one in _opened if one == path or path in one.parents]:
            _opened.pop(known).close()
