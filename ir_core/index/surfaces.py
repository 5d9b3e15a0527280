"""The surfaces of a build, one JSON line each, parsed when they are asked for: opening 100,000 costs nothing."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ir_core.schema import Surface

KEPT = 8_192
"""Parsed surfaces kept by one open index: the same ones stand in the lists of many queries; some 20 MB of chunks."""


def write(path: Path, surfaces: Iterable[Surface]) -> NDArray[np.int64]:
    """Writes the lines and returns (n + 1,) the byte at which each begins, and the end."""
    offsets = [0]
    with path.open("wb") as file:
        for surface in surfaces:
            offsets.append(offsets[-1] + file.write(_line(surface)))
    return np.array(offsets, dtype=np.int64)


class SurfaceFile(Sequence[Surface]):
    """Surfaces by row. Safe for threads.

    :raises OSError, ValueError: when the file is missing or empty.
    """

    def __init__(self, path: Path, offsets: NDArray[np.int64]) -> None:
        self._offsets = offsets
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._read = lru_cache(KEPT)(self._parse)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, row: int) -> Surface: ...
    @overload
    def __getitem__(self, row: slice) -> list[Surface]: ...
    def __getitem__(self, row: int | slice) -> Surface | list[Surface]:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        return self._read(range(len(self))[row])

    def _parse(self, number: int) -> Surface:
        return _surface(self._map[self._offsets[number] : self._offsets[number + 1]])


def _line(surface: Surface) -> bytes:
    metadata = dict(surface.metadata)
    values = (surface.id, surface.artifact_id, surface.kind, surface.text, surface.granularity, metadata)
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _surface(line: bytes) -> Surface:
    identity, artifact, kind, text, granularity, metadata = json.loads(line.decode("utf-8", "surrogatepass"))
    return Surface(identity, artifact, kind, text, granularity, metadata)
