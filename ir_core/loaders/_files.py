"""The files of a folder, of a list of uploads or of one path, in one order that no file system can change."""

from __future__ import annotations

import hashlib
import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ir_core.errors import BadSource
from ir_core.loaders._base import Options, Problem, SourceFile
from ir_core.loaders._clean import clean_name

_LITTER = frozenset({
    "node_modules", "__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini", ".DS_Store", ".git", ".hg", ".svn",
    ".venv", ".tox", ".idea", ".vscode", ".cache", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".ipynb_checkpoints", ".gitignore", ".gitattributes", ".gitkeep",
})  # fmt: skip
"""What tools leave behind; never somebody's documents. What a folder of it holds is counted."""
MOST_COUNTED = 10_000
"""Files in a folder of a tool's; counting a cache of a million would take longer than reading the documents."""

Listing = list[SourceFile | Problem]


def is_litter(name: str) -> bool:
    """Whether a path has a part that a tool keeps for itself: a cache, a lock file (~$), a Mac's shadow (._)."""
    return any(part in _LITTER or part.startswith(("~$", "._")) for part in name.split("/"))


def litter_folder(name: str) -> str | None:
    """The folder of a tool's that a file is in; None for a file that is litter by itself, which nobody misses."""
    *folders, base = name.split("/")
    return None if is_litter(base) else next((part for part in folders if part in _LITTER), None)


def left_out(counts: Mapping[str, int]) -> Iterator[Problem]:
    """One remark for all folders of a name: each package has its ``__pycache__``."""
    for name, count in sorted(counts.items()):
        number = f"over {MOST_COUNTED:,}" if count > MOST_COUNTED else f"{count:,}"
        files = "1 file of another program's was" if count == 1 else f"{number} files of another program's were"
        yield Problem(name, f"is a folder that was left out: {files} in it", lost=False)


def is_hidden(name: str) -> bool:
    """Whether a path has a part that begins with a dot."""
    return any(part.startswith(".") for part in name.split("/"))


def list_path(path: Path, options: Options) -> Listing:
    """The files under ``path``, or the one file it is.

    :raises BadSource: when there is no such path.
    """
    if path.is_dir():
        return in_order(_walk(path, options))
    if not path.exists():
        raise BadSource(f"There is no file or folder {str(path)!r}. Check the path.")
    if not path.is_file():
        raise BadSource(f"{str(path)!r} is neither a file nor a folder.")
    return [on_disk(path, path.name)]


def on_disk(path: Path, name: str) -> SourceFile:
    """A file on disk under the name it is shown by."""
    return SourceFile(clean_name(name), path.stat().st_size, lambda: path.open("rb"))


def in_memory(name: str, data: bytes) -> SourceFile:
    """A file whose bytes are at hand."""
    return SourceFile(clean_name(name), len(data), lambda: io.BytesIO(data))


def from_uploads(files: Sequence[tuple[str, bytes]]) -> Listing:
    """Uploaded (name, bytes), in an order that does not depend on theirs."""
    return in_order(in_memory(name, data) for name, data in upload_order(files))


def upload_order(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """By name, and by content where names are equal: which of them is ``a~2.txt`` does not depend on a browser."""
    return sorted(files, key=lambda file: (clean_name(file[0]), hashlib.sha256(file[1]).digest()))


def from_kept(files: Sequence[tuple[str, Path]]) -> Listing:
    """Files on disk that are known by other names, as kept uploads are; a missing one is named."""
    return in_order(_kept(name, path) for name, path in files)


def in_order(files: Iterator[SourceFile | Problem]) -> Listing:
    """Sorted by name, equal names made distinct (``a.txt``, ``a~2.txt``) and that said."""
    listing: Listing = sorted(files, key=lambda file: file.name)
    taken = {file.name for file in listing}
    seen: set[str] = set()
    out: Listing = []
    for file in listing:
        if isinstance(file, Problem) or file.name not in seen:
            seen.add(file.name)
            out.append(file)
            continue
        other = _next_name(file, taken)
        taken.add(other)
        out.append(replace(file, name=other))
        what = f"was named {file.name!r} like another file; both are kept, this one under this name"
        out.append(Problem(other, what, lost=False))
    return out


def _kept(name: str, path: Path) -> SourceFile | Problem:
    try:
        return on_disk(path, name)
    except OSError as error:
        return Problem(clean_name(name), f"cannot be opened ({error.strerror})")


def _next_name(file: SourceFile, taken: set[str]) -> str:
    stem = file.name[: -len(file.suffix)] if file.suffix else file.name
    count = 2
    while (name := f"{stem}~{count}{file.name[len(stem) :]}") in taken:
        count += 1
    return name


def _walk(root: Path, options: Options) -> Iterator[SourceFile | Problem]:
    failed: list[OSError] = []
    hidden: list[str] = []
    litter: Counter[str] = Counter()
    count = 0
    for folder, folders, files in os.walk(root, onerror=failed.append):
        names = sorted(name for name in (*folders, *files) if not is_litter(name))
        for name in _LITTER.intersection(folders):
            litter[name] += _count(Path(folder, name), MOST_COUNTED + 1 - litter[name])
        inside = {name for name in folders if not is_litter(name) and not is_hidden(name)}
        folders[:] = sorted(inside)
        for name in names:
            path = Path(folder, name)
            shown = clean_name(path.relative_to(root).as_posix())
            if is_hidden(name):
                hidden.append(shown)
            elif name not in inside:
                count += 1
                if count > options.max_files:
                    limit = f"{options.max_files:,} files"
                    yield Problem(shown, f"and what follows it was left out: a folder is read up to {limit}")
                    return
                yield _entry(path, shown, root)
            elif path.is_symlink():
                yield Problem(shown, "is a link to a folder and was left out; links to folders are not followed")
    if hidden:
        yield _hidden(hidden)
    yield from left_out(+litter)
    for error in failed:
        yield Problem(clean_name(os.path.relpath(error.filename, root)), f"cannot be opened ({error.strerror})")


def _count(folder: Path, most: int) -> int:
    if folder.is_symlink():
        return 0
    found = (name for _, _, files in os.walk(folder) for name in files if not is_litter(name))
    return sum(1 for _ in islice(found, most))


def _hidden(names: list[str]) -> Problem:
    """One Problem for all of them: a home folder has a hundred."""
    more = f", and so were {', '.join(names[1:6])}" if names[1:] else ""
    rest = f" and {len(names) - 6:,} more" if names[6:] else ""
    what = f"is hidden (its name begins with a dot) and was left out{more}{rest}; rename it to have it read"
    return Problem(names[0], what)


def _entry(path: Path, shown: str, root: Path) -> SourceFile | Problem:
    try:
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(root.resolve()):
            return Problem(shown, "is a link that leads out of the folder; links are not followed there")
        if not path.is_file():
            return Problem(shown, "is not an ordinary file")
        return on_disk(path, shown)
    except RuntimeError:  # how Python 3.11 and 3.12 put it; an OSError later
        return Problem(shown, "is a link that leads to itself")
    except OSError as error:
        return Problem(shown, f"cannot be opened ({error.strerror or error})")
