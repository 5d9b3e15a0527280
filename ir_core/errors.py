"""Every error a caller may see, as one tree.

::

    QueryPrismError
    ├── BadInput (also ValueError)     a value from a person is wrong
    │   ├── UnknownName                a name nobody registered; says which ones there are
    │   ├── BadSetting                 a parameter out of range or of the wrong type
    │   ├── BadFilter                  a filter that cannot be read, or names an unknown field
    │   ├── BadQuery                   a query that cannot be searched
    │   └── BadSource                  a file, folder or upload that cannot be read at all
    ├── IndexProblem
    │   ├── NotBuilt                   no index for this corpus and these settings yet
    │   └── EmbedderMismatch           the index was made by another embedder
    ├── MissingPackage                 an optional part is not installed; names the install line
    ├── ModelUnavailable               a model's files are nowhere to be had
    ├── WriterError                    text could not be written; the original query is searched instead
    │   ├── TaskUnsupported            this writer cannot do this task
    │   └── WriterTimeout              the total deadline passed
    ├── TooManyRounds                  a transform searched more often than it may
    └── Cancelled                      a newer query took over

A message says what is wrong with the value, what was expected, and the way out.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class QueryPrismError(Exception):
    """Base of all errors whose message may be shown to a person as it is."""


class BadInput(QueryPrismError, ValueError):
    pass


class UnknownName(BadInput):
    """:param what: the kind of thing, in words ("transform"); ``known`` are the names there are."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(names) if names else "none"
        super().__init__(f"There is no {what} named {name!r}.{hint} Known: {listed}.")
        self.name = name
        self.suggestion = close[0] if close else None


class BadSetting(BadInput):
    pass


class BadFilter(BadInput):
    pass


class BadQuery(BadInput):
    pass


class BadSource(BadInput):
    pass


class IndexProblem(QueryPrismError):
    pass


class NotBuilt(IndexProblem):
    pass


class EmbedderMismatch(IndexProblem):
    pass


class MissingPackage(QueryPrismError):
    def __init__(self, package: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs the package {package!r}, which is not installed. Run: pip install {package}")
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


class TooManyRounds(QueryPrismError):
    pass


class Cancelled(QueryPrismError):
    """Raised between steps once the run's cancel event is set."""
