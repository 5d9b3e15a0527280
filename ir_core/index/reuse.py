"""Builds that can be used again, whole or in part."""

from __future__ import annotations

import logging
from pathlib import Path

from ir_core.errors import BadSetting, IndexProblem, Unreachable
from ir_core.index.chroma_client import answers
from ir_core.index.chroma_place import held_by
from ir_core.index.folders import builds_of, current_fingerprint
from ir_core.index.manifest import REPAIR, Manifest
from ir_core.index.opened import close_indexes, open_index

_log = logging.getLogger(__name__)


def same_vectors(folder: Path, vectors_id: str) -> Path | None:
    """A build in the corpus' folder whose vectors are the same in the same order, so its dense part can be copied."""
    for build in builds_of(folder):
        try:
            if Manifest.read(build).vectors_id == vectors_id:
                return build
        except IndexProblem:
            continue
    return None


def is_current(folder: Path, fingerprint: str) -> bool:
    """Whether this build of the corpus is the one that is searched, and is not damaged."""
    return current_fingerprint(folder) == fingerprint and not damage(folder / fingerprint)


def damage(build: Path) -> str:
    """What is wrong with the build's files, for a person; empty where they can be read. No server is asked."""
    try:
        index = open_index(build)
        if not index.manifest.chroma:
            index.dense(index.vectors([0]), 1)
    except IndexProblem as error:
        close_indexes(build)
        return str(error)
    return ""


def usable(build: Path, *, away: bool = True, say: bool = False) -> bool:
    """Whether the build can be opened and its dense part answers.

    :param away: what a build counts as whose vectors are on a server that does not answer now, or whose key is not
        set: all but its dense leg can be searched, and that one again once the server is back.
    :param say: whether one that is there and cannot be used is named in the log, as one that is built again now.
    """
    try:
        index = open_index(build)
        held = held_by(build)
        if held and not answers(held.place):
            return away
        index.dense(index.vectors([0]), 1)
    except (Unreachable, BadSetting):
        return away
    except IndexProblem as error:
        close_indexes(build)
        if say and build.is_dir():
            said = str(error).removesuffix(f" {REPAIR}")
            _log.warning("%s It is built again now; no vector that is stored is computed again.", said)
        return False
    return True


def as_it_is(build: Path, error: OSError) -> bool:
    """Whether the build can be searched though the disk takes nothing: to search what is complete nothing need be
    written."""
    found = usable(build)
    if found:
        _log.warning("the index %s is searched as it is; that it was used cannot be kept: %s", build.name, error)
    return found
