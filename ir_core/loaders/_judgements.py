"""The queries and relevance judgements that come with a collection, wherever it is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ir_core.loaders._base import Options, SourceFile
from ir_core.loaders._files import Listing
from ir_core.loaders._layout import collections


@dataclass(frozen=True, slots=True)
class Judgements:
    """The bytes of queries.jsonl and of the qrels, each None where there are none."""

    queries: bytes | None = None
    qrels: bytes | None = None


def find_judgements(listing: Listing, options: Options) -> Judgements:
    """Those of the one collection among these files, or in the one archive they are; else none.

    :raises BadSource: when a file is too large or the archive cannot be opened.
    """
    found = collections(listing)
    if len(found) == 1:
        part = next(iter(found.values()))
        return Judgements(_data(part.queries, options), _data(part.qrels, options))
    files = [file for file in listing if isinstance(file, SourceFile)]
    if found or len(files) != 1 or files[0].suffix != ".zip":
        return Judgements()
    from ir_core.loaders.archive import opened

    with opened(files[0], replace(options, alone=True)) as (inner, inner_options):
        return find_judgements(inner, inner_options)


def _data(file: SourceFile | None, options: Options) -> bytes | None:
    return file.data(options.max_file_bytes) if file else None
