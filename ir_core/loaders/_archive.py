"""Zip archives, opened with care: nothing is written to disk, and a bomb is refused before it is expanded."""

from __future__ import annotations

import stat
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import IO

from ir_core.errors import BadSource
from ir_core.loaders._base import MB, Budget, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_name
from ir_core.loaders._files import is_hidden, is_litter, left_out, litter_folder

_ENTRY = b"PK\x01\x02"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""zipfile expands bzip2 and LZMA in one go, whatever the header says; only these two can be read in bounded steps."""


def refuse_crowd(stream: IO[bytes], options: Options) -> None:
    """Counts directory entries before zipfile makes an object of each: headers may lie about their number.

    Archives inside have entries too, hence the factor.

    :raises BadSource: when there are far too many.
    """
    count, tail = 0, b""
    while chunk := stream.read(1 << 20):
        count += (tail + chunk).count(_ENTRY)
        tail = chunk[-3:]
    stream.seek(0)
    if count > 20 * options.max_members:
        raise BadSource(f"is refused: it lists {count:,} files; an archive may hold {options.max_members:,}")


def refuse_bomb(infos: Sequence[zipfile.ZipInfo], options: Options, budget: Budget | None = None) -> None:
    """:raises BadSource: when the archive says of itself that it is too much; what it hides, reading finds."""
    members = budget.members if budget else options.max_members
    if len(infos) > members:
        raise BadSource(f"is refused: it holds {len(infos):,} files; an archive may hold {options.max_members:,}")
    total, limit = sum(info.file_size for info in infos), options.max_archive_bytes
    if total > (budget.size if budget else limit):
        size = f"{total / MB:,.0f} MB"
        raise BadSource(f"is refused: it expands to {size}; an archive may expand to {limit / MB:,.0f} MB")
    for info in infos:
        if info.file_size > MB and info.file_size > options.max_ratio * info.compress_size:
            name, size = clean_name(info.filename), f"{info.file_size / MB:,.0f} MB"
            raise BadSource(f"is refused as a zip bomb: {name!r} expands to {size} from {info.compress_size:,} bytes")


def members(archive: zipfile.ZipFile, prefix: str, budget: Budget) -> Iterator[SourceFile | Problem]:
    """The archive's files; hidden and unsafe ones are named."""
    litter: Counter[str] = Counter()
    for info in archive.infolist():
        name = _name(info)
        shown = prefix + clean_name(name)
        if info.is_dir() or name.endswith("/"):
            continue
        if name.startswith("/") or name[1:2] == ":" or ".." in name.split("/"):
            yield Problem(shown, "was left out: its path leads out of the archive")
        elif is_litter(name):
            if folder := litter_folder(name):
                litter[prefix + folder] += 1
        elif is_hidden(name):
            yield Problem(shown, "is hidden (its name begins with a dot) and was left out; rename it to have it read")
        elif fault := _fault(info):
            yield Problem(shown, fault)
        else:
            opener = partial(_open, archive, info)
            yield SourceFile(shown, info.file_size, opener, budget)
    yield from left_out(litter)


def _open(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(info)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise BadSource(f"cannot be read from its archive ({error})") from None


def _fault(info: zipfile.ZipInfo) -> str | None:
    if stat.S_ISLNK(info.external_attr >> 16):
        return "was left out: it is a link, not a file"
    if info.flag_bits & 0x1:
        return "was left out: it is encrypted; make the archive without a password"
    if info.compress_type not in METHODS:
        return "was left out: its compression is not zip's usual one (deflate); make the archive anew"
    return None


def _name(info: zipfile.ZipInfo) -> str:
    """The member's path with slashes; many tools write UTF-8 names and do not say so."""
    name = info.filename
    if not info.flag_bits & 0x800 and not name.isascii():
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def nested(options: Options, budget: Budget) -> Options:
    """The options for what is inside an archive."""
    return replace(options, nesting=options.nesting + 1, budget=budget)
