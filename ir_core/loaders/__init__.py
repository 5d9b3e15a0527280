"""Loaders: files, folders, archives and the running environment become artifacts.

One module is one file format (``FileFormat``) or one kind of record (``RecordKind``), found by the registry. What
cannot be read is named in ``Loaded.problems`` with its reason, and the rest loads. Nothing read is ever interpreted:
YAML is loaded safely, archives are never written to disk, links out of a folder are not followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ir_core.loaders._base import FileFormat, Loaded, Options, Problem, RecordKind
from ir_core.loaders._clean import clean_name
from ir_core.loaders._collect import collect, gathered
from ir_core.loaders._decode import decode
from ir_core.loaders._files import from_kept, from_uploads, list_path, upload_order
from ir_core.loaders._judgements import Judgements, find_judgements
from ir_core.loaders._registry import LOADERS, formats, suffixes

__all__ = [
    "LOADERS",
    "FileFormat",
    "Judgements",
    "Loaded",
    "Options",
    "Problem",
    "RecordKind",
    "clean_name",
    "decode",
    "formats",
    "judgements",
    "load",
    "load_environment",
    "load_files",
    "load_uploads",
    "suffixes",
    "upload_order",
]


def load(path: Path, *, text_column: str | None = None, options: Options | None = None) -> Loaded:
    """Everything in a file, an archive or a folder (a BEIR folder and a folder of skills too).

    :raises BadSource: when there is no such path.
    :raises NeedsColumn: when nothing could be read and records lack a known text column; it carries the columns.
    :raises NothingRead: when nothing could be read; it carries the problems.
    """
    chosen = _with(options, text_column)
    return collect(list_path(Path(path), chosen), repr(str(path)), chosen)


def load_uploads(
    files: Sequence[tuple[str, bytes]], *, text_column: str | None = None, options: Options | None = None
) -> Loaded:
    """Everything in uploaded (name, bytes); the result does not depend on their order. Errors as :func:`load`."""
    return collect(from_uploads(files), "the upload", _with(options, text_column))


def load_files(
    files: Sequence[tuple[str, Path]], *, text_column: str | None = None, options: Options | None = None
) -> Loaded:
    """Everything in files on disk that are known by other names, as kept uploads are. Errors as :func:`load`."""
    return collect(from_kept(files), "the upload", _with(options, text_column))


def load_environment() -> Loaded:
    """The distributions installed in the running environment, each a Python package record."""
    from ir_core.loaders.environment import installed

    return gathered(installed(), "the running environment", Options())


def judgements(source: Path | Sequence[tuple[str, Path]]) -> Judgements:
    """The queries and judgements that come with a BEIR collection at a path, or in kept uploads; else none.

    :raises BadSource: when there is no such path, or one of them is too large.
    """
    listing = list_path(source, Options()) if isinstance(source, Path) else from_kept(source)
    return find_judgements(listing, Options())


def _with(options: Options | None, text_column: str | None) -> Options:
    return replace(options or Options(), text_column=text_column)
