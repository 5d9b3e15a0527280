"""Builds that can be used again, whole or in part."""

from __future__ import annotations

from pathlib import Path

from ir_core.errors import IndexProblem
from ir_core.index.folders import builds_of
from ir_core.index.manifest import Manifest
from ir_core.index.opened import close_indexes, open_index


def same_vectors(folder: Path, vectors_id: str) -> Path | None:
    """A build in the corpus' folder whose vectors are the same in the same order, so its dense part can be copied."""
    for build in builds_of(folder):
        try:
            if Manifest.read(build).vectors_id == vectors_id:
                return build
        except IndexProblem:
            continue
    return None


def usable(build: Path) -> bool:
    """Whether the build can be opened and its dense part answers."""
    try:
        index = open_index(build)
        index.dense(index.vectors([0]), 1)
    except IndexProblem:
        close_indexes(build)
        return False
    return True
