"""A query set and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ir_core.library.queries import JudgedQuery, Qrels, read_qrels, read_queries

SetKind = Literal["own", "imported", "hand-made", "synthetic", "public"]
KINDS: Mapping[SetKind, str] = {
    "own": "comes with the corpus",
    "imported": "imported",
    "hand-made": "judged by hand on the Compare page",
    "synthetic": "synthetic: a writer made each question from the document it is judged by",
    "public": "a public set",
}
OWN = "own"
"""The name of the corpus' own set."""


@dataclass(frozen=True, slots=True)
class QuerySet:
    """``name`` is what it is asked for by; ``source`` says where it is from (a file, a public name, a writer);
    ``created`` is ISO 8601 in UTC. The counts are None for the corpus' own, which nobody counted yet.
    ``n_left_out`` are judgements of queries that are not in the set, known only to who just added it."""

    corpus: str
    name: str
    title: str
    kind: SetKind
    source: str = ""
    created: str = ""
    n_queries: int | None = None
    n_judgements: int | None = None
    folder: Path | None = None
    n_left_out: int = field(default=0, compare=False)
    _own: tuple[Callable[[], list[JudgedQuery]], Callable[[], Qrels]] | None = field(default=None, compare=False)

    def queries(self) -> list[JudgedQuery]:
        """Read anew. :raises BadSource: naming a line that is no query, or a file that cannot be read."""
        return self._own[0]() if self._own else read_queries(_bytes(self.folder, "queries.jsonl"))

    def qrels(self) -> Qrels:
        """Read anew. :raises BadSource: naming a line that is no judgement, or a file that cannot be read."""
        return self._own[1]() if self._own else read_qrels(_bytes(self.folder, "qrels/test.tsv"))


def _bytes(folder: Path | None, name: str) -> bytes:
    from ir_core.errors import BadSource

    assert folder is not None
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise BadSource(
            f"{name} of the query set {folder.name!r} cannot be read ({error.strerror}); it may have been deleted. "
            "Choose another set."
        ) from None
