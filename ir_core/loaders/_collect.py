"""From files to ``Loaded``: each read by its format, ids made unique, what failed named with its reason."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ir_core.errors import NeedsColumn, NothingRead, QueryPrismError
from ir_core.loaders import _registry
from ir_core.loaders._base import Item, Loaded, Options, Problem, SourceFile
from ir_core.loaders._clean import MAX_FIELD_CHARS, clean_id
from ir_core.loaders._files import Listing
from ir_core.loaders._layout import collections, documents
from ir_core.schema import Artifact

log = logging.getLogger(__name__)
MAX_PROBLEMS_PER_FILE = 20


def collect(listing: Listing, source: str, options: Options) -> Loaded:
    """Everything that can be read of the files.

    :param source: what to call it in messages.
    :raises NeedsColumn: when nothing could be read and some file has no known text column.
    :raises NothingRead: when nothing could be read.
    """
    return gathered(read_all(listing, options), source, options)


def gathered(items: Iterable[Item], source: str, options: Options) -> Loaded:
    """Items as ``Loaded``; same errors as :func:`collect`."""
    artifacts: list[Artifact] = []
    problems = _Problems()
    for item in items:
        if isinstance(item, Problem):
            problems.add(item)
        elif len(artifacts) < options.max_documents:
            artifacts.append(item)
        else:
            what = f"and what follows was left out: a corpus holds up to {options.max_documents:,} documents"
            problems.add(Problem(item.source or item.id, what))
            break
    if not artifacts:
        listed = list(problems.listed())
        for problem in listed:
            if problem.columns:
                raise NeedsColumn(problem.name, problem.columns, problem.reason)
        listed.sort(key=lambda problem: not problem.lost)
        raise NothingRead(source, [(problem.name, problem.reason) for problem in listed])
    artifacts, repeated = _with_unique_ids(artifacts)
    for problem in repeated:
        problems.add(problem)
    return Loaded(tuple(artifacts), problems.listed(), _registry.strategy_for(artifacts))


class _Problems:
    """The first 20 of each file, and how many more there were: a file may be broken in a million lines."""

    def __init__(self) -> None:
        self._kept: list[Problem] = []
        self._count: Counter[str] = Counter()
        self._lost: set[str] = set()
        self._blank: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, problem: Problem) -> None:
        self._count[problem.name] += 1
        if problem.lost:
            self._lost.add(problem.name)
        if self._count[problem.name] <= MAX_PROBLEMS_PER_FILE:
            self._kept.append(problem)
        else:
            self._blank[problem.name] += problem.blank

    def listed(self) -> tuple[Problem, ...]:
        over = ((name, count - MAX_PROBLEMS_PER_FILE) for name, count in self._count.items())
        more = (
            Problem(name, f"has {count:,} more problems like these", (), name in self._lost, tuple(self._blank[name]))
            for name, count in over
            if count > 0
        )
        return (*self._kept, *more)


def read_all(listing: Listing, options: Options) -> Iterator[Item]:
    """The documents of all files, in their order; a file that fails gives its Problem."""
    beir = {part.corpus.name for part in collections(listing).values()}
    chosen = documents(listing)
    options = replace(options, alone=sum(isinstance(file, SourceFile) for file in chosen) == 1)
    for file in chosen:
        if isinstance(file, Problem):
            yield file
            continue
        yield from read_file(file, options, placed=file.name in beir)
        if file.budget and file.budget.spent:
            return


def read_file(file: SourceFile, options: Options, placed: bool = False) -> Iterator[Item]:
    """One file's documents. Never raises for what is in the file.

    :param placed: whether the documents are to stay without the file's name in their metadata.
    """
    try:
        if not file.size:
            yield Problem(file.name, "is empty (0 bytes); save it again with text in it, or leave it out")
            return
        reader = _registry.format_for(file)
        unfit: set[str] = set()
        is_silent = True
        for item in reader.read(file, replace(options, unfit=unfit)):
            is_silent = False
            if isinstance(item, Problem) or placed or reader.container:
                yield item
            else:
                yield _with_place(item, file)
        if is_silent:
            yield Problem(file.name, "holds no document; save it again with text in it, or leave it out")
        if unfit:
            yield Problem(file.name, _unfit(sorted(unfit)), lost=False)
    except QueryPrismError as error:
        yield Problem(file.name, str(error))
    except OSError as error:
        yield Problem(file.name, f"cannot be read ({error.strerror or error})")
    except Exception as error:
        # Parsers raise whatever they like for a damaged file; the other files still load.
        log.info("could not read %r", file.name, exc_info=True)
        first_line = str(error).partition("\n")[0][:200]
        what = f"{type(error).__name__}: {first_line}".rstrip(": ")
        yield Problem(
            file.name, f"is damaged, or of another kind than its name says ({what}); save it again, or leave it out"
        )


def _unfit(names: list[str]) -> str:
    listed = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
    return (
        f"has values that no filter can use (an object, a text of over {MAX_FIELD_CHARS} characters, not a number); "
        f"such values were left out of the fields to filter on: {listed}"
    )


def _with_place(artifact: Artifact, file: SourceFile) -> Artifact:
    """The artifact with its file's name and folder to filter on, where it says nothing of its own there."""
    place = {"file": file.base}
    if file.folder:
        place |= {"path": file.name, "folder": file.folder}
    return replace(artifact, metadata={**place, **artifact.metadata}, source=file.name)


def _with_unique_ids(artifacts: list[Artifact]) -> tuple[list[Artifact], list[Problem]]:
    """A repeated id gets ``~2``, ``~3`` …, and that is said."""
    cleaned = [clean_id(artifact.id, "unnamed") for artifact in artifacts]
    if len(set(cleaned)) == len(cleaned):
        return [replace(item, id=name) for item, name in zip(artifacts, cleaned, strict=True)], []
    taken = set(cleaned)
    count: Counter[str] = Counter()
    renamed: dict[tuple[str, str], list[str]] = defaultdict(list)
    out = []
    for artifact, name in zip(artifacts, cleaned, strict=True):
        count[name] += 1
        own = name
        if count[name] > 1:
            while (own := f"{name}~{count[name]}") in taken:
                count[name] += 1
            taken.add(own)
            renamed[artifact.source, name].append(own)
        out.append(replace(artifact, id=own))
    return out, [_repeated(source, name, names) for (source, name), names in renamed.items()]


def _repeated(source: str, name: str, names: list[str]) -> Problem:
    listed = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
    what = f"uses the id {name!r} again; nothing was lost, the later ones are {listed}"
    return Problem(source or name, what, lost=False)
