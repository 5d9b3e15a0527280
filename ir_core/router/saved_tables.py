"""Route tables that people save, under HOME/routes: one JSON file each, a bounded number of them."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from ir_core import config, visits
from ir_core.errors import BadInput, UnknownName
from ir_core.router.tables import RouteTable, published, table_of
from ir_core.text import slug

MOST_TABLES = 50
MAX_NAME_CHARS = 60
MAX_BYTES = 32_000
_log = logging.getLogger(__name__)


def own_tables() -> dict[str, RouteTable]:
    """Those that were saved, by name; a damaged file is left out."""
    found = [table for path in _root().glob("*.json") if (table := _read(path))]
    return {table.name: table for table in sorted(found, key=lambda table: table.name)}


def tables() -> dict[str, RouteTable]:
    """All there are, the published ones first."""
    return {**published(), **{name: one for name, one in own_tables().items() if name not in published()}}


def get_table(name: str) -> RouteTable:
    """:raises UnknownName: naming those there are."""
    found = tables()
    if name not in found:
        raise UnknownName("route table", name, found)
    return found[name]


def save_table(table: RouteTable, name: str) -> RouteTable:
    """Keeps it under that name, in place of one of yours that had it.

    :raises BadInput: for a blank or overlong name, that of a published one, one that differs from another only in
        signs, or a full store.
    """
    plain = " ".join(name.replace("\x00", "").split())
    if not plain or len(plain) > MAX_NAME_CHARS:
        raise BadInput(f"A route table needs a name of 1 to {MAX_NAME_CHARS} characters; this has {len(plain)}.")
    if plain in published():
        raise BadInput(f"{plain!r} is the name of a table that comes with the program. Choose another.")
    kept = own_tables()
    if plain not in kept and len(kept) >= MOST_TABLES:
        raise BadInput(f"{MOST_TABLES} tables are kept, which is the most. Delete one first.")
    path = _path(plain)
    if plain not in kept and path.exists():
        raise BadInput(f"There is a table whose name is nearly {plain!r}. Choose a name that differs in a letter.")
    made = table_of({**replace(table, name=plain, title=plain).to_json()})
    data = json.dumps(made.to_json(), ensure_ascii=False).encode("utf-8", "replace")
    if len(data) > MAX_BYTES:
        raise BadInput(f"This table takes {len(data):,} bytes; {MAX_BYTES:,} is the most. Shorten its notes.")
    with config.keeping("The route table"):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(part, path)
    return made


def delete_table(name: str) -> None:
    """:raises UnknownName: when it is none of yours (any more)."""
    kept = own_tables()
    if name not in kept:
        raise UnknownName("saved route table", name, kept)
    _path(name).unlink(missing_ok=True)


def _root() -> Path:
    return visits.own_home() / "routes"


def _path(name: str) -> Path:
    return _root() / f"{slug(name)}.json"


def _read(path: Path) -> RouteTable | None:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("it is too large")
        return table_of(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        _log.warning("the route table %s is left out: %s", path.name, error)
        return None
