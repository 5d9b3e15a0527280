"""Folders whose files have parts to play: a BEIR collection, the folders of skills, and of Claude Code's sessions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from ir_core.loaders._base import Problem, SourceFile
from ir_core.loaders._files import Listing

_PREFERRED = ("test.tsv", "dev.tsv", "train.tsv")
_SESSION = regex.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl")


@dataclass(frozen=True, slots=True)
class Collection:
    """A folder in BEIR's layout (Thakur et al., NeurIPS 2021): its documents, queries and judgements."""

    corpus: SourceFile
    queries: SourceFile | None
    qrels: SourceFile | None


def collections(listing: Listing) -> dict[str, Collection]:
    """Folder to collection, for each that holds corpus.jsonl and queries, judgements or a corpus.toml beside it."""
    files = {file.name: file for file in listing if isinstance(file, SourceFile)}
    found = {}
    for name, corpus in files.items():
        if corpus.base != "corpus.jsonl":
            continue
        start = name.removesuffix("corpus.jsonl")
        queries = files.get(start + "queries.jsonl")
        qrels = _qrels(start, files)
        if queries or qrels or start + "corpus.toml" in files:
            found[corpus.folder] = Collection(corpus, queries, qrels)
    return found


def _qrels(start: str, files: dict[str, SourceFile]) -> SourceFile | None:
    """qrels/test.tsv, else dev, train or any; uploads have no folders, so test.tsv and qrels.tsv beside it count."""
    inside = sorted(name for name in files if name.startswith(f"{start}qrels/") and name.endswith(".tsv"))
    wanted = [f"{start}qrels/{name}" for name in _PREFERRED] + inside
    wanted += [start + name for name in (*_PREFERRED, "qrels.tsv")]
    return next((files[name] for name in wanted if name in files), None)


def documents(listing: Listing) -> Listing:
    """The files to read as documents: of a collection its corpus.jsonl, of a skill its SKILL.md.

    What else a skill's folder holds are its resources; how many files that leaves out is said. A SKILL.md in no
    folder is one file among others, as in an upload.
    """
    beir = {folder: part.corpus for folder, part in collections(listing).items()}
    skills = {file.folder for file in listing if isinstance(file, SourceFile) and file.folder and _is_skill(file)}
    sessions = {file.name for file in listing if isinstance(file, SourceFile) and _SESSION.fullmatch(file.base)}
    out: Listing = []
    left_out = beside = 0
    for file in listing:
        if isinstance(file, Problem):
            out.append(file)
            continue
        above = set(_folders_above(file))
        if any(file is not beir[folder] for folder in above & beir.keys()):
            continue
        if above & skills and not _is_skill(file):
            left_out += 1
            continue
        if sessions and _is_beside(file, sessions):
            beside += 1
            continue
        out.append(file)
    if left_out:
        what = f"is all that is read of a skill; {left_out} other files in the folders of these skills were left out"
        out.append(Problem("SKILL.md", what, lost=False))
    if beside:
        what = (
            "are read of Claude Code; files that it keeps beside them (nested agents, tools' output, memory, index)"
        )
        out.append(Problem("Sessions", f"{what} were left out: {beside}", lost=False))
    return out


def _is_beside(file: SourceFile, sessions: set[str]) -> bool:
    """Whether Claude Code keeps the file beside its sessions: in a folder of a session's name or the project's."""
    if any(f"{folder}.jsonl" in sessions for folder in _folders_above(file)):
        return True
    base, name = file.folder, file.base
    folder = base.removesuffix("memory").rstrip("/") if base.rpartition("/")[2] == "memory" else None
    folder = base if name == "sessions-index.json" else folder
    return folder is not None and any(session.rpartition("/")[0] == folder for session in sessions)


def _is_skill(file: SourceFile) -> bool:
    return file.kind == "skill.md"


def _folders_above(file: SourceFile) -> Iterator[str]:
    folder = file.folder
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
