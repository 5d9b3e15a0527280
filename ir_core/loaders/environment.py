"""The distributions installed in the running environment, as a live corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email.message import Message
from importlib import metadata
from typing import cast

import regex

from ir_core.loaders._base import Item, Options, Problem
from ir_core.loaders._clean import clean_value
from ir_core.loaders.record_package import PackageRecord

_EXTRA = regex.compile(r";.*\bextra\s*==")


def installed() -> Iterator[Item]:
    """One document per distribution, by name; ``owner`` is "ours" for one installed from a local folder."""
    seen: set[str] = set()
    found = []
    for item in metadata.distributions():
        name = _about(item).get("Name")
        if not name:
            where = str(getattr(item, "_path", "a distribution"))
            yield Problem(where, "has no name in its metadata and was left out")
        elif _normal(name) not in seen:  # the first on the path is the one that is imported
            seen.add(_normal(name))
            found.append((_normal(name), item))
    for name, item in sorted(found, key=lambda pair: pair[0]):
        record = clean_value(_record(item))
        artifact = PackageRecord().artifact(record | {"id": name}, name, Options())
        yield artifact or Problem(name, "has neither a description nor a readme")


def _record(item: metadata.Distribution) -> dict[str, object]:
    about = _about(item)
    readme = about.get("Description") or about.get_payload()
    return {
        "name": about.get("Name"),
        "description": about.get("Summary") or "",
        "readme": readme if isinstance(readme, str) else "",
        "deps": [line for line in item.requires or [] if not _EXTRA.search(line)],
        "owner": "ours" if _is_local(item) else "third-party",
        "version": about.get("Version") or "",
    }


def _about(item: metadata.Distribution) -> Message:
    """The metadata as what it is, a message; its typed protocol hides ``get``."""
    return cast(Message, item.metadata)


def _is_local(item: metadata.Distribution) -> bool:
    try:
        return "dir_info" in json.loads(item.read_text("direct_url.json") or "{}")
    except ValueError:
        return False


def _normal(name: str) -> str:
    return regex.sub(r"[-_.]+", "-", name).lower()
