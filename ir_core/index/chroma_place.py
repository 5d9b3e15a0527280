"""Where a build's vectors are: in its own folder, on a Chroma server, or in Chroma Cloud.

``QUERY_PRISM_CHROMA`` is ``embedded``, ``http://host:8000`` (or https) or ``cloud``; ``QUERY_PRISM_CHROMA_TENANT``
and ``QUERY_PRISM_CHROMA_DATABASE`` go with it. ``chroma.toml`` in QUERY_PRISM_HOME may say the same (``place``,
``tenant``, ``database``); the environment wins. Keys come from the environment alone: see ``chroma_client``.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from ir_core import config
from ir_core.errors import BadSetting

FILE, MANIFEST = "chroma.toml", "manifest.json"
VECTORS, GRAPH = "vectors.npy", "chroma"
"""What a build's folder holds where its vectors are in it."""
_WAYS = "Expected 'embedded', 'http://host:8000' (or https), or 'cloud'."


@dataclass(frozen=True, slots=True)
class Place:
    """``kind`` is embedded, server or cloud; ``url`` (scheme, host and port) is a server's."""

    kind: str = "embedded"
    url: str = ""
    tenant: str = ""
    database: str = ""

    def __str__(self) -> str:
        return {"embedded": "embedded", "server": self.url, "cloud": "cloud"}[self.kind]

    @property
    def label(self) -> str:
        """How a sentence calls it."""
        server = f"the Chroma server at {self.url}"
        return {"embedded": "the index folder", "server": server, "cloud": "Chroma Cloud"}[self.kind]

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or (443 if self.secure else 8000)

    @property
    def secure(self) -> bool:
        return self.url.startswith("https:")


EMBEDDED = Place()


@dataclass(frozen=True, slots=True)
class Held:
    """A build's collection on a server or in the cloud, as its manifest names it."""

    place: Place
    collection: str

    def facts(self) -> dict[str, str]:
        one = self.place
        facts = {"kind": one.kind, "url": one.url, "tenant": one.tenant, "database": one.database}
        return {**facts, "collection": self.collection}

    @classmethod
    def of(cls, facts: Mapping[str, str] | None) -> Held | None:
        """:raises KeyError, TypeError: for something else than ``facts`` gives."""
        if facts is None:
            return None
        return cls(Place(facts["kind"], facts["url"], facts["tenant"], facts["database"]), str(facts["collection"]))


def place_of(text: str, tenant: str = "", database: str = "") -> Place:
    """:raises BadSetting: for a place that cannot be read, or a URL that holds more than scheme, host and port."""
    asked = text.strip()
    if asked.lower() in ("embedded", "cloud"):
        kind = asked.lower()
        return EMBEDDED if kind == "embedded" else Place(kind, "", tenant, database)
    try:
        parts = urlsplit(asked)
        port = parts.port
    except ValueError:
        raise BadSetting(f"Where Chroma runs is not understood: the address cannot be read. {_WAYS}") from None
    if parts.username or parts.password or parts.query:
        raise BadSetting(
            "The address of a Chroma server holds no user, password or key. Give 'http://host:8000' alone, and the "
            "token in the environment variable QUERY_PRISM_CHROMA_TOKEN."
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.fragment:
        raise BadSetting(f"Where Chroma runs is not understood: {asked[:80]!r}. {_WAYS}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    number = port or (443 if parts.scheme == "https" else 8000)
    return Place("server", f"{parts.scheme}://{host}:{number}", tenant, database)


def configured(home: Path | None = None) -> Place | None:
    """What the environment, else ``chroma.toml``, says; None where neither does.

    :raises BadSetting: when it cannot be read.
    """
    file = (home or config.home()) / FILE
    try:
        told = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        told = {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"{file} cannot be read ({error}). Expected lines such as: place = 'cloud'.") from error
    unknown = sorted(told.keys() - {"place", "tenant", "database"})
    if unknown:
        raise BadSetting(
            f"{file} holds {', '.join(unknown)}. Expected place, tenant and database; a key is given by the "
            "environment variable CHROMA_API_KEY (cloud) or QUERY_PRISM_CHROMA_TOKEN (server), never in a file."
        )
    place = config.chroma("") or told.get("place", "")
    if not place:
        return None
    tenant = config.chroma("_TENANT") or str(told.get("tenant", ""))
    return place_of(str(place), tenant, config.chroma("_DATABASE") or str(told.get("database", "")))


def held_below(folder: Path) -> set[Held]:
    """The collections that the builds in ``folder``, at any depth, are searched in."""
    builds = (Path(root) for root, _, files in os.walk(folder) if MANIFEST in files)  # a folder may go meanwhile
    return {held for build in builds if (held := held_by(build))}


def graph_sizes(build: Path) -> dict[str, int]:
    """Bytes of the files of the embedded graph, by path within the build. Chroma writes them once, and reads them
    without a check: a damaged one ends the process. Its database it writes to whenever it opens it."""
    files = (path for ending in ("bin", "pickle") for path in (build / GRAPH).glob(f"*/*.{ending}"))
    return {path.relative_to(build).as_posix(): path.stat().st_size for path in files}


def held_by(build: Path) -> Held | None:
    """The collection of this build; None where it has its own vectors, or where its manifest cannot be read."""
    try:
        return Held.of(json.loads((build / MANIFEST).read_bytes()).get("chroma"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def wanted(current: Path | None, home: Path | None = None) -> Place:
    """Where the next build of a corpus goes: as configured, else where its ``current`` build is, else embedded."""
    told = configured(home)
    if told is not None:
        return told
    held = held_by(current) if current else None
    return held.place if held else EMBEDDED


def unreferenced(gone: Iterable[Held], folder: Path) -> set[Held]:
    """Of the collections whose build is ``gone``, those that no build in ``folder`` is searched in."""
    before = set(gone)
    return before - held_below(folder) if before else set()
