"""Files of judged queries, whatever their format: looked at first, then read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ir_core.errors import BadSource
from ir_core.loaders._base import Options, SourceFile
from ir_core.loaders._decode import decode
from ir_core.loaders._files import from_uploads, list_path
from ir_core.loaders._judgements import Judgements
from ir_core.loaders._layout import _qrels
from ir_core.loaders.judged import topics
from ir_core.loaders.judged.columns import Columns, guess, mapped
from ir_core.loaders.judged.qrels import to_beir
from ir_core.loaders.judged.table import Table, read_table

Named = tuple[str, bytes]
"""A file's name and its bytes."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a file of queries is. ``beir`` is set where it needs no mapping, ``table`` where it does."""

    name: str
    what: str
    beir: Judgements | None = None
    table: Table | None = None


def look(source: Named | Path) -> Seen:
    """A file, a zip or a folder of queries (and, in BEIR's layout, judgements).

    :raises BadSource: when there is no query in it, or it is larger than a file may be (QUERY_PRISM_MAX_FILE_MB).
    """
    options = Options()
    if isinstance(source, Path):
        if source.is_dir():
            return _collection(
                str(source), [one for one in list_path(source, options) if isinstance(one, SourceFile)]
            )
        if not source.is_file():
            raise BadSource(f"There is no file or folder {str(source)!r}. Check the path.")
        [file] = [one for one in list_path(source, options) if isinstance(one, SourceFile)]
        source = (source.name, _data(file, options))
    name, data = source
    if len(data) > options.max_file_bytes:
        limit = f"{options.max_file_bytes / 1e6:,.0f} MB"
        raise BadSource(f"{name} is larger than {limit}, the most that one file may have. Split it.")
    if data.startswith(b"PK\x03\x04"):
        return _zip(name, data, options)
    try:
        text, _ = decode(data)
    except BadSource as error:
        raise BadSource(f"{name} {error}") from None
    if topics.is_classic(text):
        return Seen(name, "TREC topics", table=topics.read_classic(name, text))
    if topics.is_xml(text):
        return Seen(name, "TREC topics", table=topics.read_xml(name, data))
    if _is_beir(text):
        return Seen(name, "BEIR queries", beir=Judgements(data))
    table = read_table(name, text)
    return Seen(name, table.what, table=table)


def read(seen: Seen, qrels: Named | None = None, columns: Columns | None = None) -> Judgements:
    """BEIR's two files.

    :param qrels: BEIR's, TREC's or a table of them; in place of what came with the queries.
    :param columns: None takes the guess.
    :raises BadSource: as :func:`ir_core.loaders.judged.columns.mapped`.
    """
    found = seen.beir or Judgements()
    if seen.table is not None:
        found = mapped(seen.table, columns or guess(seen.table), seen.name)
    return Judgements(found.queries, to_beir(qrels[1], qrels[0])) if qrels else found


def _zip(name: str, data: bytes, options: Options) -> Seen:
    from dataclasses import replace

    from ir_core.loaders.archive import opened

    [file] = [one for one in from_uploads([(name, data)]) if isinstance(one, SourceFile)]
    try:
        with opened(file, replace(options, alone=True)) as (listing, _):
            return _collection(name, [one for one in listing if isinstance(one, SourceFile)])
    except BadSource as error:
        said = str(error)
        raise BadSource(said if said.startswith(name) else f"{name} {said}") from None


def _collection(name: str, files: Sequence[SourceFile]) -> Seen:
    """BEIR's layout, with or without the documents."""
    options = Options()
    by_name = {file.name: file for file in files}
    found = sorted((file for file in files if file.base == "queries.jsonl"), key=lambda file: len(file.name))
    if not found:
        listed = ", ".join(sorted(by_name)[:5]) or "nothing"
        raise BadSource(
            f"{name} holds no queries.jsonl as a BEIR collection does (it holds {listed}). Choose another."
        )
    queries = found[0]
    qrels = _qrels(queries.name.removesuffix("queries.jsonl"), by_name)
    data = Judgements(_data(queries, options), to_beir(_data(qrels, options), qrels.name) if qrels else None)
    return Seen(name, "BEIR collection", beir=data)


def _data(file: SourceFile, options: Options) -> bytes:
    try:
        return file.data(options.max_file_bytes)
    except OSError as error:
        raise BadSource(f"{file.name} cannot be opened ({error.strerror}). Check it.") from None


def _is_beir(text: str) -> bool:
    """Its first line is a record with _id and text, and none has anything beside them but metadata: what else a
    later line has, such as the relevant documents, is not left unread."""
    first, _, others = text.lstrip("\ufeff \t\r\n").partition("\n")
    return {"_id", "text"} <= _keys(first) and all(
        _keys(line) <= {"_id", "text", "metadata"} for line in (first, *others.split("\n"))
    )


def _keys(line: str) -> set[str]:
    """Of a record; none where the line is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return set()
    return set(record) if isinstance(record, dict) else set()
