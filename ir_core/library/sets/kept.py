"""Where added query sets are kept, and how many of them."""

from __future__ import annotations

import datetime
import json
import logging
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ir_core import config, visits
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.library import _store
from ir_core.library._corpus import Corpus
from ir_core.library.corpora import corpus as corpus_named
from ir_core.library.queries import JudgedQuery
from ir_core.library.sets.types import KINDS, OWN, QuerySet, SetKind
from ir_core.text import slug

MOST_SETS = 20
"""Of one corpus, its own not counted."""
MAX_QUERIES = 20_000
MAX_SET_BYTES = 50_000_000
MAX_KEPT_BYTES = 500_000_000
"""All sets of all corpora together; people delete what they no longer need."""
MAX_VISIT_BYTES = 20_000_000
"""All sets of a visit on a shared server."""
PLACE = "query_sets"
_log = logging.getLogger(__name__)


def query_sets(corpus: Corpus | str) -> list[QuerySet]:
    """The corpus' own first, then those that were added, the oldest first. A damaged one is left out."""
    opened = opened_corpus(corpus)
    found_in = (path.parent for root in reversed(_roots(opened.name)) for path in root.glob("*/set.json"))
    folders = {folder.name: folder for folder in found_in}
    kept = [found for folder in folders.values() if (found := _read(opened.name, folder))]
    return [_own(opened), *sorted(kept, key=lambda one: (one.created, one.name))]


def query_set(corpus: Corpus | str, name: str | None = None) -> QuerySet:
    """One of them; the corpus' own without a name.

    :raises UnknownName: when there is none of that name (any more).
    """
    opened = opened_corpus(corpus)
    if name in (None, OWN):
        return _own(opened)
    found = next((one for one in query_sets(opened) if one.name == name), None)
    if found is None:
        raise UnknownName("query set of this corpus", str(name), [one.name for one in query_sets(opened)])
    return found


def add_query_set(
    corpus: Corpus | str,
    title: str,
    queries: Sequence[JudgedQuery],
    qrels: Mapping[str, Mapping[str, int]],
    *,
    kind: SetKind = "imported",
    source: str = "",
) -> QuerySet:
    """Keeps a set under a name of its own; all of it or nothing.

    :raises BadInput: for a blank or overlong title, no query, too many, or a full store.
    """
    opened = opened_corpus(corpus)
    title = _store.checked_title(title)
    if not queries:
        raise BadInput("The query set is empty, so there is nothing to keep. Choose a file with queries in it.")
    if len(queries) > MAX_QUERIES:
        raise BadInput(f"The set has {len(queries):,} queries; {MAX_QUERIES:,} is the most. Split it.")
    there = query_sets(opened)[1:]
    if len(there) >= MOST_SETS:
        raise BadInput(f"{MOST_SETS} query sets are kept of this corpus, the most there can be. Delete one first.")
    title = _store.unique_title(title, [one.title for one in there])
    damaged = {folder.name for folder in _root(opened.name).glob("[!.]*")}  # nothing is put in the place of one
    taken, start = {OWN, *damaged, *(one.name for one in there)}, slug(title)
    names = (start, *(f"{start}-{count}" for count in range(2, len(taken) + 3)))
    name = next(one for one in names if one not in taken)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds")
    made = QuerySet(opened.name, name, title, kind, source[:300], now)
    return put(made, queries, qrels)


def put(made: QuerySet, queries: Sequence[JudgedQuery], qrels: Mapping[str, Mapping[str, int]]) -> QuerySet:
    """Writes a set in place of the one of its name, by one rename.

    :raises BadInput: when it is too large, or all sets together are.
    """
    judged = [(query.id, doc, grade) for query in queries for doc, grade in qrels.get(query.id, {}).items()]
    lines = "\n".join(json.dumps(record_of(query), ensure_ascii=False) for query in queries)
    rows = "\n".join(("query-id\tcorpus-id\tscore", *(f"{q}\t{doc}\t{grade}" for q, doc, grade in judged)))
    data = {"queries.jsonl": lines.encode("utf-8", "replace"), "qrels/test.tsv": rows.encode("utf-8", "replace")}
    size, kept = sum(map(len, data.values())), _store.size_of(home())
    room = (MAX_VISIT_BYTES if visits.owner() else MAX_KEPT_BYTES) - kept
    if size > MAX_SET_BYTES or size > room:
        most = min(MAX_SET_BYTES, room)
        raise BadInput(f"The query set takes {size / 1e6:,.1f} MB; there is room for {max(0, most) / 1e6:,.1f} MB. "
                       "Split it, or delete sets that are no longer needed.")  # fmt: skip
    about = {
        "title": made.title, "kind": made.kind, "source": made.source, "created": made.created,
        "n_queries": len(queries), "n_judgements": len(judged),
    }  # fmt: skip
    root = _root(made.corpus)
    with config.keeping("The query set"):
        _put(root, made.name, data, about)
    found = _read(made.corpus, root / made.name)
    assert found is not None
    return replace(found, n_left_out=sum(map(len, qrels.values())) - len(judged))


def _put(root: Path, name: str, data: Mapping[str, bytes], about: Mapping[str, Any]) -> None:
    root.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=root, prefix=".new-"))
    try:
        (temporary / "qrels").mkdir()
        for file, content in data.items():
            (temporary / file).write_bytes(content)
        _store.write_json(temporary / "set.json", about)
        _replace(temporary, root / name)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def delete_query_set(corpus: Corpus | str, name: str) -> None:
    """Runs keep the queries they measured.

    :raises BadInput: for the corpus' own set, and on a shared server for one that everybody reads.
    :raises UnknownName: when it is not there (any more).
    """
    found = query_set(corpus, name)
    if found.folder is None:
        raise BadInput("The corpus' own queries come with its documents and cannot be deleted apart from them.")
    visits.only_own(found.folder, "This query set")
    shutil.rmtree(found.folder, ignore_errors=True)


def delete_query_sets(corpus: str) -> None:
    """All that were added to a corpus, when it is deleted: a later one of its name would take them for its own."""
    shutil.rmtree(_root(corpus), ignore_errors=True)


def record_of(query: JudgedQuery) -> dict[str, Any]:
    """A line of BEIR's queries.jsonl, with what this project adds as metadata."""
    about: dict[str, Any] = dict(query.metadata)
    given = {"category": query.category, "set": query.set, "split": query.split}
    about |= {name: value for name, value in given.items() if value is not None}
    if query.answers:
        about["answers"] = list(query.answers)
    if query.history:
        about["history"] = [dict(turn) for turn in query.history]
    return {"_id": query.id, "text": query.text, "metadata": about}


def _own(opened: Corpus) -> QuerySet:
    title = "The corpus' own queries"
    return QuerySet(opened.name, OWN, title, "own", _own=(opened.queries, opened.qrels))


def opened_corpus(corpus: Corpus | str) -> Corpus:
    """:raises UnknownName: for a name nobody gave."""
    return corpus if isinstance(corpus, Corpus) else corpus_named(corpus, paths=False)


def home() -> Path:
    """The folder of the sets that are added here, of all corpora."""
    return visits.own_home() / PLACE


def _root(corpus: str) -> Path:
    return home() / slug(corpus)


def _roots(corpus: str) -> list[Path]:
    """Where the sets are that may be listed: one's own first, then everybody's."""
    return [place / PLACE / slug(corpus) for place in visits.homes()]


def _replace(new: Path, place: Path) -> None:
    if not place.exists():
        new.rename(place)
        return
    grave = Path(tempfile.mkdtemp(dir=place.parent, prefix=".gone-"))
    place.rename(grave / "set")
    new.rename(place)
    shutil.rmtree(grave, ignore_errors=True)


def _read(corpus: str, folder: Path) -> QuerySet | None:
    try:
        about = json.loads((folder / "set.json").read_text("utf-8"))
        if about["kind"] not in KINDS:
            raise BadSource("of no known kind")
        counts = (int(about["n_queries"]), int(about["n_judgements"]))
        title, kind, source, created = (str(about[name]) for name in ("title", "kind", "source", "created"))
        return QuerySet(corpus, folder.name, title, kind, source, created, *counts, folder)  # type: ignore[arg-type]
    except (OSError, ValueError, TypeError, KeyError) as error:
        _log.warning(
            "set.json of the query set %s of %r cannot be read, so it is left out: %s", folder.name, corpus, error
        )
        return None
