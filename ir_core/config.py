"""Where things are kept, and the defaults that more than one part needs."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ir_core.errors import DiskRefuses

RRF_K = 60
"""Cormack, Clarke and Büttcher (SIGIR 2009) chose 60 on TREC data; every system we compare with keeps it."""
DEFAULT_K = 5
MAX_K = 100
DEFAULT_MODE = "hybrid"
BM25_K1, BM25_B = 1.5, 0.75
"""rank-bm25's own defaults."""
MAX_QUERY_CHARS = 2_000
"""A longer query is cut, visibly: embedders read some 256 tokens, and a paid writer is charged for every one."""
MAX_TRANSFORMS = 8
"""Side by side; more columns cannot be read."""

SHARED = "QUERY_PRISM_SHARED"
"""Environment variable: "1" for a server that several people share."""


def depth_for(k: int) -> int:
    """How many artifacts each (query, leg) list is read to, identity's too."""
    return max(50, 5 * k)


def home() -> Path:
    """The folder all state lives in: ``QUERY_PRISM_HOME``, else the platform's data folder for this user."""
    chosen = os.environ.get("QUERY_PRISM_HOME")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("query-prism", appauthor=False)


@contextmanager
def keeping(what: str) -> Iterator[None]:
    """Around whatever writes below :func:`home`.

    :raises DiskRefuses: when the disk does.
    """
    try:
        yield
    except OSError as error:
        raise DiskRefuses(what, error) from error


def chroma(ending: str) -> str:
    """``QUERY_PRISM_CHROMA`` with this ending (empty, ``_TENANT``, ``_DATABASE``), or nothing."""
    return os.environ.get(f"QUERY_PRISM_CHROMA{ending}", "").strip()


def resources() -> Path:
    """The folder that holds app.py, pages, static and sample_corpora: inside the wheel, or the checkout."""
    inside = Path(__file__).parent / "_bundled"
    return inside if inside.is_dir() else Path(__file__).parent.parent


def is_loopback(address: str | None) -> bool:
    """True for 127.0.0.0/8, ::1 and localhost. An unset or unreadable address is not loopback."""
    if not address:
        return False
    if address.strip().lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip().strip("[]")).is_loopback
    except ValueError:
        return False


def version() -> str:
    """The installed distribution's; "unknown" where it runs from a folder that was never installed."""
    import importlib.metadata

    try:
        return importlib.metadata.version("query-prism")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
