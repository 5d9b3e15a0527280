"""Every error a caller may see, as one tree.

::

    QueryPrismError
    ├── BadInput (also ValueError)     a value from a person is wrong
    │   ├── UnknownName                a name nobody registered; says which ones there are
    │   ├── BadSetting                 a parameter out of range or of the wrong type
    │   ├── DiskRefuses                the disk is full or read-only; what was there before is as it was
    │   ├── BadFilter                  a filter that cannot be read, or names an unknown field
    │   ├── BadQuery                   a query that cannot be searched
    │   └── BadSource                  a file, folder or upload that cannot be read at all
    │       ├── NeedsColumn            records without a known text column; carries the columns there are
    │       └── NothingRead            no document came out of it; carries what was wrong with each file
    ├── IndexProblem
    │   ├── Unreachable                the server that has the vectors does not answer; the rest of the index is here
    │   └── EmbedderMismatch           the index was made by another embedder
    ├── MissingPackage                 an optional part is not installed; names the install line
    ├── ModelUnavailable               a model's files are nowhere to be had
    ├── WriterError                    text could not be written; the original query is searched instead
    │   ├── TaskUnsupported            this writer cannot do this task
    │   ├── WriterTimeout              the total deadline passed
    │   ├── CapReached                 the next call would go beyond a cap of the run or the visit
    │   └── WriterFails                the first calls of a run all failed, so it stops
    ├── TooManyRounds                  a transform searched more often than it may
    └── Cancelled                      a newer query took over

A message says what is wrong with the value, what was expected, and the way out.
"""

from __future__ import annotations

import difflib
import errno
from collections.abc import Iterable, Sequence


class QueryPrismError(Exception):
    """Base of all errors whose message may be shown to a person as it is."""


class BadInput(QueryPrismError, ValueError):
    pass


class UnknownName(BadInput):
    """:param what: the kind of thing, in words ("transform"); ``known`` are the names there are."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        name = name if len(name) <= 60 else f"{name[:60]}…"
        close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(names) if names else "none"
        super().__init__(f"There is no {what} named {name!r}.{hint} Known: {listed}.")
        self.name = name
        self.suggestion = close[0] if close else None


class BadSetting(BadInput):
    pass


def mended(error: Exception) -> str:
    """What helps against a disk that refuses, as the beginning of a sentence: read-only is not full."""
    if getattr(error, "errno", None) in (errno.EROFS, errno.EACCES, errno.EPERM):
        return "Make the folder writable, or set QUERY_PRISM_HOME to one that is"
    return "Make room on the disk, or set QUERY_PRISM_HOME to a folder that can be written to"


class DiskRefuses(BadInput):
    """The disk is full or cannot be written to. Nothing is half written."""

    def __init__(self, what: str, error: OSError) -> None:
        super().__init__(
            f"{what} could not be kept ({error.strerror or error}). {mended(error)}, and try again; what was there "
            "before is as it was."
        )


class BadFilter(BadInput):
    pass


class BadQuery(BadInput):
    pass


class BadSource(BadInput):
    pass


class NeedsColumn(BadSource):
    """:param columns: the columns there are, so that a page can ask which one holds the text; ``reason`` reads on
    from the file's name, where more is known than that."""

    def __init__(self, file: str, columns: Sequence[str], reason: str | None = None) -> None:
        listed = ", ".join(columns[:30]) + (", …" if len(columns) > 30 else "")
        super().__init__(
            f"{file} {reason}."
            if reason
            else f"{file}: no column is known to hold the text. Say which one does (text_column). Its columns: "
            f"{listed}."
        )
        self.file = file
        self.columns = tuple(columns)


EMPTY = "It holds no files. Put documents in it, such as .txt, .md, .pdf or .csv"


class NothingRead(BadSource):
    """:param problems: (name, reason) of every file that could not be read."""

    def __init__(self, source: str, problems: Sequence[tuple[str, str]]) -> None:
        shown = "; ".join(f"{name}: {reason}" for name, reason in problems[:3])
        more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        super().__init__(f"No document could be read from {source}. {shown or EMPTY}{more}.")
        self.problems = tuple(problems)


class IndexProblem(QueryPrismError):
    pass


class Unreachable(IndexProblem):
    pass


class EmbedderMismatch(IndexProblem):
    pass


class MissingPackage(QueryPrismError):
    def __init__(self, package: str, purpose: str) -> None:
        way_out = f"Run: pip install {package}"
        super().__init__(f"{purpose} needs the package {package!r}, which is not installed. {way_out}")
        self.package = package


class ModelUnavailable(QueryPrismError):
    pass


class WriterError(QueryPrismError):
    pass


class TaskUnsupported(WriterError):
    def __init__(self, writer: str, task: str) -> None:
        super().__init__(f"The writer {writer!r} cannot do {task.replace('_', ' ')}. Choose another writer for it.")
        self.task = task


class WriterTimeout(WriterError):
    pass


class CapReached(WriterError):
    """The column falls back to the original; what is done is kept."""

    begins = "The cap of"
    """How its message begins, by which a reason that was kept is known for one."""


class WriterFails(WriterError):
    pass


class TooManyRounds(QueryPrismError):
    pass


class Cancelled(QueryPrismError):
    """Raised between steps once the run's cancel event is set."""
