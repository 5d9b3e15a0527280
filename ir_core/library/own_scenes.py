"""Scenes that people save, kept under HOME/scenes: one JSON file each, a bounded number of them."""

from __future__ import annotations

import datetime
import json
import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from ir_core import config, visits
from ir_core.errors import BadInput, UnknownName
from ir_core.library import _store
from ir_core.library.queries import JudgedQuery, Qrels
from ir_core.library.scenes import Scene, with_settings

MOST_SCENES = 200
MOST_AT_ONCE = 50
MAX_BYTES = 64_000
MAX_TITLE_CHARS = 120
MAX_NOTE_CHARS = 1_000
PREFIX = "own-"
_log = logging.getLogger(__name__)
_NAMES = frozenset(field.name for field in fields(Scene))


def own_scenes(corpus: str | None = None) -> list[Scene]:
    """Those that were saved, the oldest first; of one corpus or of all. A damaged file is left out."""
    files = [path for home in visits.homes() for path in (home / "scenes").glob(f"{PREFIX}*.json")]
    found = [scene for path in files if (scene := _read(path))]
    wanted = [scene for scene in found if corpus is None or scene.corpus == corpus]
    return sorted(wanted, key=lambda scene: (scene.created, scene.id))


def count_own_scenes() -> int:
    """How many are kept, damaged ones too; no file is read."""
    return sum(1 for _ in _root().glob(f"{PREFIX}*.json"))


def own_scene(name: str) -> Scene | None:
    """The one of that id; None where there is none (any more)."""
    path = _path(name)
    return _read(path) if path else None


def save_scene(scene: Scene) -> Scene:
    """Keeps it under an id of its own, which is returned with it.

    :raises BadInput: for a blank or overlong title, an overlong note, a blank query, or a full store.
    """
    return save_scenes([scene])[0]


def save_scenes(found: Sequence[Scene]) -> list[Scene]:
    """All of them or, where one cannot be kept, none. Errors as :func:`save_scene`."""
    there = count_own_scenes()
    if there + len(found) > MOST_SCENES:
        raise BadInput(
            f"{there} scenes are kept and {len(found)} would be added; {MOST_SCENES} is the most. Delete some first."
        )
    now = datetime.datetime.now(datetime.UTC)
    ready = [
        replace(
            _checked(scene),
            id=f"{PREFIX}{uuid.uuid4().hex[:16]}",
            created=(now + datetime.timedelta(microseconds=number)).isoformat(timespec="microseconds"),
        )
        for number, scene in enumerate(found)  # so that their order is kept
    ]
    records = [_record(scene) for scene in ready]
    files = [_root() / f"{scene.id}.json" for scene in ready]
    with config.keeping("The scene"):
        try:
            for file, record in zip(files, records, strict=True):
                _store.write_json(file, record)
        except OSError:
            for file in files:
                file.unlink(missing_ok=True)
            raise
    return ready


def delete_scene(name: str) -> None:
    """:raises UnknownName: when it is not there (any more)."""
    path = _path(name)
    if path is None:
        raise UnknownName("saved scene", name, [scene.id for scene in own_scenes()][:MOST_AT_ONCE])
    visits.only_own(path, "This scene")
    path.unlink(missing_ok=True)


def of_queries(like: Scene, queries: Iterable[JudgedQuery], qrels: Qrels, most: int = MOST_AT_ONCE) -> list[Scene]:
    """One scene a query, asked as ``like`` is, looking for its document judged best.

    :param most: how many of them, in their order.
    """
    found = []
    for query in list(queries)[:most]:
        graded = {name: grade for name, grade in qrels.get(query.id, {}).items() if grade > 0}
        best = min(graded, key=lambda name: (-graded[name], name), default=None)
        title = f"{query.id}: {query.text}"[:MAX_TITLE_CHARS]
        asked = replace(like, title=title, query=query.text, history=query.history, looked_for=best)
        found.append(replace(asked, note=query.category.replace("_", " ") if query.category else ""))
    return found


def _root() -> Path:
    return visits.own_home() / "scenes"


def _path(name: str) -> Path | None:
    """Of a saved scene that is there; a name that is no id is never part of a path."""
    own = name.startswith(PREFIX) and name.removeprefix(PREFIX).isalnum()
    return visits.find(f"scenes/{name}.json") if own else None


def _checked(scene: Scene) -> Scene:
    title = " ".join(scene.title.replace("\x00", "").split())
    if not title or not scene.query.strip():
        raise BadInput("A scene needs a title and a query; one of them is blank. Type a few words.")
    for what, said, most in (("title", title, MAX_TITLE_CHARS), ("note", scene.note, MAX_NOTE_CHARS)):
        if len(said) > most:
            raise BadInput(f"The {what} has {len(said):,} characters; {most:,} is the most. Shorten it.")
    return replace(scene, title=title, query=scene.query[: config.MAX_QUERY_CHARS])


def _record(scene: Scene) -> Mapping[str, Any]:
    record = asdict(scene)
    size = len(json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise BadInput(f"The scene takes {size:,} bytes with its history; {MAX_BYTES:,} is the most. Shorten it.")
    return record


def _read(path: Path) -> Scene | None:
    try:
        record = json.loads(path.read_bytes())
        given = {name: record[name] for name in _NAMES & record.keys()}
        given["transforms"] = with_settings((name, settings) for name, settings in given["transforms"])
        given.update({name: tuple(given[name]) for name in ("history", "says")})
        return Scene(**given)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        _log.warning("the saved scene %s cannot be read: %s", path.name, error)
        return None
