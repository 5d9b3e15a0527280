"""A public set by its name in ``ir_datasets`` (MacAvaney et al., SIGIR 2021): queries and judgements only."""

from __future__ import annotations

import difflib
import json
import logging
from importlib.util import find_spec
from itertools import islice
from typing import Any

from ir_core.errors import BadSource, MissingPackage, UnknownName
from ir_core.loaders._judgements import Judgements
from ir_core.loaders.judged.columns import USUAL

PACKAGE = "ir_datasets"
MAX_QUERIES = 20_000


def available() -> bool:
    """Whether the package is installed; it is optional."""
    return find_spec(PACKAGE) is not None


def read_public(name: str) -> Judgements:
    """BEIR's two files of a set such as ``beir/scifact/test``. Needs a network the first time.

    :raises MissingPackage: naming the install line. :raises UnknownName: for a set there is not.
    :raises BadSource: when it has no queries, has too many, or its files cannot be fetched.
    """
    if not available():
        raise MissingPackage(PACKAGE, "A public set by its name")
    import ir_datasets

    logging.getLogger(PACKAGE).addFilter(_agreement)
    try:
        found: Any = ir_datasets.load(name.strip())
    except (KeyError, ValueError):
        raise UnknownName(
            "public query set", name.strip(), _alike(name.strip(), list(ir_datasets.registry))
        ) from None
    if not found.has_queries():
        raise BadSource(f"{name} has no queries of its own. Name one of its parts, such as {name}/test.")
    try:
        queries = list(islice(found.queries_iter(), MAX_QUERIES + 1))
        judged = list(found.qrels_iter()) if found.has_qrels() else []
    except Exception as error:  # each set has its own way of failing to be fetched
        raise BadSource(
            f"{name}: its files are not on this machine and could not be fetched ({type(error).__name__}). Check the "
            "network, or import the files of its queries and judgements."
        ) from None
    if len(queries) > MAX_QUERIES:
        raise BadSource(
            f"{name} has more than {MAX_QUERIES:,} queries, the most a set may have. Name a smaller part."
        )
    lines = [json.dumps({"_id": one.query_id, "text": text_of(one)}, ensure_ascii=False) for one in queries]
    rows = [f"{one.query_id}\t{one.doc_id}\t{one.relevance}" for one in judged]
    return Judgements("\n".join(lines).encode(), "\n".join(rows).encode() if rows else None)


def _agreement(record: logging.LogRecord) -> bool:
    """The package writes to standard error by itself. What fails is said here; terms of use must still be seen."""
    return "agree" in record.getMessage().lower()


def _alike(name: str, known: list[str]) -> list[str]:
    """There are some thousand; those of the same collection, else the closest, are told."""
    same = [one for one in known if one.split("/")[0] == name.split("/")[0]]
    return difflib.get_close_matches(name, same or known, n=8, cutoff=0) if len(same) != 1 else same


def text_of(query: Any) -> str:
    """What a person would type: the text, else the title or the query of a topic."""
    fields: dict[str, Any] = query._asdict()
    name = next((usual for usual in USUAL["text"] if fields.get(usual)), None)
    return str(fields[name]) if name else query.default_text()
