"""Every corpus there is, by name or by path."""

from __future__ import annotations

from pathlib import Path

from ir_core.errors import BadSource, UnknownName
from ir_core.library import _store, own, samples
from ir_core.library._corpus import Corpus
from ir_core.library._info import CorpusInfo


def names() -> list[str]:
    """Of every corpus there is, the samples first."""
    return [*samples.names(), *_store.names()]


def every_name() -> list[str]:
    """Of all visits too, for what keeps house; nobody is shown them."""
    return [*samples.names(), *_store.every_name()]


def linked(name: str) -> CorpusInfo | None:
    """Another visit's corpus, which its name opens and no list shows; None where there is none of that name."""
    return own.info(name) if name not in names() and _store.there(name) else None


def corpora() -> list[CorpusInfo]:
    """The samples by name, then people's own corpora by title."""
    added = sorted((own.info(name) for name in _store.names()), key=lambda info: (info.title.casefold(), info.name))
    return [samples.info(name) for name in samples.names()] + added


def corpus(name_or_path: str | Path, *, paths: bool = True) -> Corpus:
    """A corpus by its name, or by the path of a file or folder.

    :param paths: False where the name comes from a stranger (a link to a server): a path is then no name.
    :raises UnknownName: for a name nobody gave; suggests the closest.
    :raises BadSource: for a path that is not there.
    """
    name = str(name_or_path)
    if not isinstance(name_or_path, Path):
        if name in samples.names():
            return Corpus(samples.info(name))
        if _store.there(name):
            return Corpus(own.info(name))
    if paths and _exists(Path(name)):
        return Corpus(samples.at_path(Path(name)))
    if paths and (isinstance(name_or_path, Path) or "/" in name):
        raise BadSource(f"There is no file or folder {name!r}. Check the path.")
    what = "corpus, file or folder" if paths else "corpus"
    raise UnknownName(what, name, names())


def disk_use() -> dict[str, int]:
    """Bytes by corpus name: samples, kept uploads, and the little that is kept of a folder. Indexes are not in it."""
    return {info.name: info.bytes for info in corpora()}


def _exists(path: Path) -> bool:
    try:
        return path.expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False
