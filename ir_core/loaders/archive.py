"""A zip archive: the files in it, those of archives inside it too."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from ir_core.errors import BadSource
from ir_core.loaders import _archive
from ir_core.loaders._base import Budget, FileFormat, Item, Options, SourceFile
from ir_core.loaders._collect import read_all
from ir_core.loaders._files import Listing, in_order


class Zip(FileFormat):
    name = "zip"
    label = "Zip archive"
    summary = "The files in it, by their own formats; bombs and paths that lead out are refused."
    suffixes = (".zip",)
    container: ClassVar[bool] = True

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        with opened(file, options) as (listing, inner):
            yield from read_all(listing, inner)


@contextmanager
def opened(file: SourceFile, options: Options) -> Iterator[tuple[Listing, Options]]:
    """The archive's files and the options to read them with; they can be read until the context ends.

    :raises BadSource: when it cannot be opened, is a bomb, or is inside too many others.
    """
    if options.nesting >= options.max_nesting:
        raise BadSource(f"was not opened: archives are read {options.max_nesting} deep")
    budget = options.budget or Budget(options.max_archive_bytes, options.max_members)
    with io.BytesIO(file.data(options.max_archive_bytes)) as stream:
        _archive.refuse_crowd(stream, options)
        try:
            archive = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise BadSource(f"is not a zip archive that can be read ({error}); make it anew") from None
        with archive:
            infos = archive.infolist()
            if "[Content_Types].xml" in archive.NameToInfo:
                what = "an Office document named as an archive; give it its own ending (.docx, .xlsx or .pptx)"
                raise BadSource(f"is {what} to have it read")
            _archive.refuse_bomb(infos, options, budget)
            budget.members -= len(infos)
            prefix = file.folder if options.alone else file.name
            listing = in_order(_archive.members(archive, f"{prefix}/" if prefix else "", budget))
            yield listing, _archive.nested(options, budget)
