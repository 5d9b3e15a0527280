"""Labels that people gave or corrected, by corpus, under HOME/labels: examples for the decider that learns from them.

A bounded number of corpora and of labels each; the oldest make room.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ir_core import config, visits
from ir_core.errors import BadInput, UnknownName
from ir_core.router.decision import Labelled
from ir_core.router.labels import LABELS
from ir_core.text import slug

MOST_LABELS = 500
"""Of one corpus: all are embedded before the first decision."""
MOST_CORPORA = 100
_log = logging.getLogger(__name__)


def own_labels(corpus: str) -> tuple[Labelled, ...]:
    """Those given for this corpus, the oldest first; none where the file is damaged."""
    path = _path(corpus)
    try:
        found = json.loads(path.read_text("utf-8"))
        return tuple(Labelled(str(text), label) for text, label in found if label in LABELS)
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, RecursionError) as error:
        _log.warning("the labels in %s are left out: %s", path.name, error)
        return ()


def save_label(corpus: str, text: str, label: str) -> None:
    """Keeps it, in place of the label this text had.

    :raises UnknownName: for a label there is not.
    :raises BadInput: for a blank or overlong text.
    """
    from filelock import FileLock

    if label not in LABELS:
        raise UnknownName("label", label, LABELS)
    plain = " ".join(text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").split())
    if not 1 <= len(plain) <= config.MAX_QUERY_CHARS:
        raise BadInput(f"A query to label has 1 to {config.MAX_QUERY_CHARS:,} characters; this has {len(plain):,}.")
    path = _path(corpus)
    with config.keeping("The label"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with config.keeping("The label"), FileLock(path.parent / ".lock"):
        found = own_labels(corpus)
        if not found and path.exists():  # damaged: it may hold more than can be read here
            path.replace(path.with_suffix(".damaged"))
        kept = [one for one in found if one.text != plain]
        _write(path, [*kept, Labelled(plain, label)][-MOST_LABELS:])
        files = sorted(path.parent.glob("*.json"), key=lambda one: one.stat().st_mtime)
        for old in files[:-MOST_CORPORA]:
            old.unlink(missing_ok=True)


def forget_labels(corpus: str) -> None:
    _path(corpus).unlink(missing_ok=True)


def _path(corpus: str) -> Path:
    return visits.own_home() / "labels" / f"{slug(corpus)}.json"


def _write(path: Path, labels: Sequence[Labelled]) -> None:
    handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump([[one.text, one.label] for one in labels], file, ensure_ascii=False)
    os.replace(part, path)
