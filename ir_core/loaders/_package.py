"""Office files and e-books are zip archives; opened with the care that an archive needs."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from ir_core.errors import BadSource, QueryPrismError
from ir_core.loaders._archive import METHODS, refuse_bomb
from ir_core.loaders._base import Options
from ir_core.loaders._clean import clean_name

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


@contextmanager
def package(data: bytes, options: Options, what: str, suffix: str) -> Iterator[zipfile.ZipFile]:
    """The archive that a file is; whatever a library raises for a damaged one inside this context becomes one reason.

    :param what: what the file should be, as in "a Word document"; ``suffix`` its ending, as in ".docx".
    :raises BadSource: when it is none, is encrypted, or is a bomb.
    """
    if data.startswith(_OLD_OFFICE):
        old = suffix.removesuffix("x")
        raise BadSource(f"is encrypted, or an old {old} under another name; save it as {suffix} without a password")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _refuse(archive, options)
            yield archive
    except QueryPrismError:
        raise
    except Exception as error:  # the libraries that read these files raise anything for a damaged one
        said = " ".join(str(error).split())[:120].replace("<_io.BytesIO object", "<the file") or type(error).__name__
        raise BadSource(f"is not {what} that can be read ({said}); save it again as {suffix}") from error


def _refuse(archive: zipfile.ZipFile, options: Options) -> None:
    """:raises BadSource: for what cannot be read, or not in bounded steps."""
    refuse_bomb(archive.infolist(), options)
    for info in archive.infolist():
        if info.flag_bits & 0x1:
            raise BadSource("is encrypted; save a copy without a password")
        if info.compress_type not in METHODS:
            name = clean_name(info.filename)
            raise BadSource(
                f"has a part, {name!r}, whose compression is not zip's usual one (deflate); save it again"
            )
