"""What a loader is: a ``FileFormat`` reads one file, a ``RecordKind`` makes a document of one record.

Both yield artifacts, and a ``Problem`` for whatever could not be used (or was used otherwise than written), so that
nothing is lost in silence. Formats whose files hold records (.csv, .json, .jsonl) hand them to the record kinds.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, ClassVar

import regex

from ir_core.errors import BadSetting, BadSource
from ir_core.schema import Artifact

MB = 1_000_000
_CHUNK = 1 << 20
_COUNTED = regex.compile(r"~\d+(?=\.\w+$)")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be said about a file: ``name`` is its path inside the source, ``reason`` reads on from it.

    ``columns`` is set when records could not be used for want of a text column; a page can then ask which it is.
    ``lost`` is False for a remark: everything was read, though not as it was written. ``blank`` are the ids of
    records left out for want of a text, so that one who looks for such a document learns why it is not there.
    """

    name: str
    reason: str
    columns: tuple[str, ...] = ()
    lost: bool = True
    blank: tuple[str, ...] = ()


Item = Artifact | Problem


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came out of a source. ``default_strategy`` is the strategy made for these documents ("Skill",
    "Package", "ClaudeTurn"), or None where they are of no special kind."""

    artifacts: tuple[Artifact, ...]
    problems: tuple[Problem, ...] = ()
    default_strategy: str | None = None


class Budget:
    """How much an archive may still expand to, those inside it counted too; real bytes, not what headers say."""

    def __init__(self, size: int, members: int) -> None:
        self.limit = size
        self.size = size
        self.members = members

    @property
    def spent(self) -> bool:
        return self.size < 0

    def spend(self, size: int) -> None:
        """:raises BadSource: when the limit is passed."""
        self.size -= size
        if self.spent:
            limit = f"{self.limit / MB:,.0f} MB"
            raise BadSource(f"and what follows in its archive was left out: together they exceed {limit}")


def _max_file_bytes() -> int:
    given = os.environ.get("QUERY_PRISM_MAX_FILE_MB") or "20"
    try:
        return int(float(given) * MB)
    except (ValueError, OverflowError):
        raise BadSetting(f"QUERY_PRISM_MAX_FILE_MB = {given!r} is not a number of megabytes.") from None


@dataclass(frozen=True, slots=True)
class Options:
    """Limits, so that no one file can take the process down, and the column that holds the text of records."""

    text_column: str | None = None
    max_file_bytes: int = field(default_factory=_max_file_bytes)
    max_archive_bytes: int = field(default_factory=lambda: 10 * _max_file_bytes())
    max_members: int = 10_000
    max_ratio: int = 200
    max_nesting: int = 2
    max_files: int = 50_000
    max_documents: int = 200_000
    nesting: int = 0
    """How many archives the files are inside of; ``budget`` is theirs."""
    budget: Budget | None = None
    alone: bool = False
    """Whether the file is the only one of its source: an archive's name then adds nothing to its members'."""
    unfit: set[str] | None = None
    """Where the names of a file's fields go that hold what no filter can use."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file, wherever it is: ``name`` is its path inside the source, for people and ids, never used as a path."""

    name: str
    size: int
    open: Callable[[], IO[bytes]]
    budget: Budget | None = None

    @property
    def base(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def kind(self) -> str:
        """The name without its folder and without what made it distinct: ``d/SKILL~2.md`` is a skill.md."""
        return _COUNTED.sub("", self.base).lower()

    @property
    def folder(self) -> str:
        return self.name.rpartition("/")[0]

    @property
    def suffix(self) -> str:
        stem, dot, end = self.base.rpartition(".")
        return f".{end.lower()}" if stem and dot and end else ""

    def data(self, limit: int) -> bytes:
        """All of the file.

        :raises BadSource: when it is larger than ``limit`` bytes, or its archive expands beyond its limit.
        :raises OSError: when it cannot be read.
        """
        too_large = BadSource(
            f"is larger than {limit / MB:,.0f} MB, the most that one file may have; split it, "
            "or raise QUERY_PRISM_MAX_FILE_MB"
        )
        if self.size > limit:
            raise too_large
        parts, total = [], 0
        with self.open() as stream:
            while chunk := stream.read(_CHUNK):
                total += len(chunk)
                if self.budget:
                    self.budget.spend(len(chunk))
                if total > limit:
                    raise too_large
                parts.append(chunk)
        return b"".join(parts)


class FileFormat(ABC):
    """Reads one kind of file. ``filenames`` (lower case) beat ``suffixes``; "" among the suffixes means
    none. A ``container`` holds files of its own, named by themselves."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    filenames: ClassVar[tuple[str, ...]] = ()
    container: ClassVar[bool] = False

    @abstractmethod
    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        """The documents of the file.

        :raises BadSource: when nothing of it can be read; the message reads on from the file's name.
        """


class RecordKind(ABC):
    """Makes a document of one record. ``strategy`` names the one made for this kind; lower ``order`` asks first."""

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    strategy: ClassVar[str | None] = None

    @abstractmethod
    def claims(self, record: Mapping[str, Any]) -> bool:
        """Whether the record is of this kind, told by its keys."""

    @abstractmethod
    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        """The document, or None when there is no text in it.

        :raises NeedsColumn: when nothing says which column holds the text.
        """
