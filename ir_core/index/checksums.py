"""Whether the files of a build hold what was written.

Bytes that changed where the length did not are read as if they were sound: by Chroma's native code, which then ends
the process, or as other texts and weights. CRC-32 finds what a disk does to a file, at 2.5 GB a second.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

PART = 1 << 20


def checksum(path: Path) -> int:
    """:raises OSError: when it cannot be read."""
    found = 0
    with path.open("rb") as file:
        while part := file.read(PART):
            found = zlib.crc32(part, found)
    return found


def checksums(folder: Path, names: Iterable[str]) -> dict[str, int]:
    """By path within the folder."""
    return {name: checksum(folder / name) for name in names}


class Checked:
    """Files of ``folder`` and their checksums; one that was read is read again only once it was written to."""

    def __init__(self, folder: Path, sums: Mapping[str, int]) -> None:
        self._folder, self._sums = folder, sums
        self._seen: dict[str, tuple[int, int, int]] = {}

    def check(self) -> None:
        """:raises OSError, ValueError: for a file that is gone, or is not what was written."""
        for name, wanted in self._sums.items():
            path = self._folder / name
            told = path.stat()
            now = (told.st_ino, told.st_size, told.st_mtime_ns)
            if self._seen.get(name) == now:
                continue
            if checksum(path) != wanted:
                raise ValueError(f"{name} does not hold what was written to it")
            self._seen[name] = now

    def sound(self) -> bool:
        try:
            self.check()
        except (OSError, ValueError):
            return False
        return True
