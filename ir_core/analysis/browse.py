"""Which surfaces of an index to look at: by text, kind, document, filter, or a list of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ir_core.index import Index
from ir_core.text import normalise

Rows = NDArray[np.int64]


def select(
    index: Index,
    *,
    text: str = "",
    document: str = "",
    kinds: Sequence[str] = (),
    filter: Mapping[str, Any] | None = None,
    rows: Iterable[int] | None = None,
) -> Rows:
    """The rows, in the order of the index, of surfaces that meet every condition given.

    :param text: stands in the surface, capitals, accents of Arabic and width of letters aside; white space counts as
        one space.
    :param document: stands in the id or the title of the surface's document.
    :param rows: only these.
    :raises BadFilter, UnknownName: for a filter or a kind of surface that the index does not know.
    """
    mask = index.allowed(filter, kinds)
    mask = np.ones(index.n, dtype=np.bool_) if mask is None else mask.copy()
    if rows is not None:
        only = np.zeros(index.n, dtype=np.bool_)
        only[[row for row in rows if 0 <= row < index.n]] = True
        mask &= only
    if wanted := _plain(document):
        named = zip(index.artifact_ids, index.titles, strict=True)
        hits = np.fromiter((wanted in _plain(f"{name}\n{title}") for name, title in named), np.bool_)
        mask &= hits[index.artifact_of]
    left = np.flatnonzero(mask)
    if wanted := _plain(text):
        left = np.array([row for row in left if wanted in _plain(index.surfaces[int(row)].text)], dtype=np.int64)
    return left


def _plain(text: str) -> str:
    """ASCII, which has nothing to normalise, the short way: 100,000 surfaces are searched in two seconds."""
    return " ".join((text.casefold() if text.isascii() else normalise(text)).split())
