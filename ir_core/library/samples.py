"""The bundled corpora, and any folder laid out like one: corpus.toml beside BEIR's files."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

from ir_core import config
from ir_core.errors import BadSource
from ir_core.library import _store
from ir_core.library._info import CorpusInfo, Example, Kind
from ir_core.library.queries import read_queries
from ir_core.library.settings import get_settings
from ir_core.text import slug

FIRST = "help_center"
"""Plain questions over plain prose: what every technique can be seen on."""


def names() -> list[str]:
    """Names of the bundled corpora, sorted, but that a first visit opens on ``FIRST``."""
    folder = config.resources() / "sample_corpora"
    if not folder.is_dir():
        return []
    found = (path.name for path in folder.iterdir() if (path / "corpus.jsonl").is_file())
    return sorted(found, key=lambda name: (name != FIRST, name))


def info(name: str) -> CorpusInfo:
    """:raises BadSource: when its corpus.toml or its queries cannot be read."""
    return at(config.resources() / "sample_corpora" / name, name, "sample")


def at_path(path: Path) -> CorpusInfo:
    """A corpus by its path: nothing of it is kept here but its settings."""
    whole = path.expanduser().resolve()
    mark = hashlib.sha256(str(whole).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return at(whole, f"{slug(whole.name or 'root')}-{mark}", "folder")


def at(path: Path, name: str, kind: Kind) -> CorpusInfo:
    """What a folder says of itself; a folder without corpus.toml (or a file) is called by its own name."""
    about = _toml(path / "corpus.toml")
    documents = path / "corpus.jsonl"
    return CorpusInfo(
        name=name,
        title=str(about.get("title") or path.name),
        kind=kind,
        description=str(about.get("description") or ""),
        language=about.get("language"),
        default_strategy=about.get("strategy"),
        filter_fields=tuple(about.get("filter_fields") or ()),
        n_documents=_count_lines(documents) if documents.is_file() else None,
        bytes=_store.size_of(path) if kind == "sample" else 0,
        examples=_examples(path, about),
        path=path,
        licence=str(about.get("licence") or about.get("license") or ""),
        settings=get_settings(name),
    )


def _toml(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadSource(f"{path} cannot be read ({error}). Correct the file.") from None


def _examples(path: Path, about: dict[str, Any]) -> tuple[Example, ...]:
    """Those whose query is there; a corpus without queries has none."""
    wanted = about.get("examples") or []
    queries = path / "queries.jsonl"
    if not wanted or not queries.is_file():
        return ()
    found = {query.id: query for query in read_queries(queries.read_bytes())}
    return tuple(
        Example(str(item["label"]), query.id, query.text, query.history)
        for item in wanted
        if (query := found.get(str(item.get("query_id"))))
    )


def _count_lines(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for line in stream if line.strip())
