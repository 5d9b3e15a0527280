"""What the checks look at: the index, its texts and their tokens, and what a set of queries finds in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ir_core import config
from ir_core.analysis.health._types import Unmeasured, plural
from ir_core.index import Index, VectorStore
from ir_core.index.progress import Job
from ir_core.loaders import Problem
from ir_core.protocols import Embedder
from ir_core.retrieval import Engine, SearchSettings, default_mode, search_many
from ir_core.schema import ORIGINAL, Artifact, Formulation, Query, SearchResult
from ir_core.text import sha256

UNLIMITED = 1_000_000
"""An embedder that reads as many tokens names no limit."""
K = 10
"""The first k of a query, where checks look at what queries find."""
MOST_QUERIES = 400
"""Beyond, as many are taken, spread evenly over the set."""
BATCH = 50
COUNT_BATCH = 500
READ = 800
"""Characters of a document that its language is told from."""


@dataclass
class Material:
    """``documents`` by id, as they were loaded, and ``problems`` what the loader said of files: both empty where they
    are not known. ``queries`` are id and text; ``qrels`` grades by query and document id."""

    index: Index
    embedder: Embedder
    documents: Mapping[str, Artifact] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    queries: Sequence[tuple[str, str]] = ()
    qrels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    job: Job = field(default_factory=Job)

    @cached_property
    def texts(self) -> list[str]:
        """By row."""
        return [self.index.surfaces[row].text for row in range(self.index.n)]

    @cached_property
    def same_texts(self) -> list[list[int]]:
        """Rows of every text, white space aside, in the order of the first of each."""
        by_text: dict[int, list[int]] = {}
        for row, text in enumerate(self.texts):
            by_text.setdefault(hash(" ".join(text.split())), []).append(row)
        return list(by_text.values())

    @cached_property
    def limit(self) -> int | None:
        """Tokens that the embedder reads of a text, special ones counted."""
        limit = self.index.manifest.max_tokens
        return limit if limit < UNLIMITED else None

    @cached_property
    def tokens(self) -> NDArray[np.int64]:
        """(n,) by row: from the vector store where they are, else counted."""
        keys = [sha256(text) for text in self.texts]
        with VectorStore(config.home() / "vectors.sqlite") as store:
            known = store.tokens(self.index.manifest.embedder_fingerprint, dict.fromkeys(keys))
        missing = {key: text for key, text in zip(keys, self.texts, strict=True) if key not in known}
        listed = list(missing)
        if listed:
            stage = self.job.stage("Counting tokens", len(listed))
        for start in range(0, len(listed), COUNT_BATCH):
            some = listed[start : start + COUNT_BATCH]
            known.update(zip(some, self.embedder.token_counts([missing[key] for key in some]), strict=True))
            stage.report(start + len(some))
        return np.array([known[key] for key in keys], dtype=np.int64)

    def id_of(self, row: int) -> str:
        return self.index.surfaces[row].id

    def document_of(self, row: int) -> str:
        return self.index.artifact_ids[int(self.index.artifact_of[row])]

    @cached_property
    def rows_by_document(self) -> list[list[int]]:
        """By number of the document, in order."""
        found: list[list[int]] = [[] for _ in self.index.artifact_ids]
        for row, number in enumerate(self.index.artifact_of):
            found[int(number)].append(row)
        return found

    def beginning_of(self, number: int) -> str:
        """Of the document of that number, what its surfaces say, as far as a language is told from it."""
        parts: list[str] = []
        size = 0
        for row in self.rows_by_document[number]:
            parts.append(self.texts[row])
            size += len(parts[-1])
            if size >= READ:
                break
        return "\n".join(parts)[:READ]

    @cached_property
    def results(self) -> Mapping[str, SearchResult]:
        """By query id, what each query as it is finds, read to the usual depth.

        :raises Unmeasured: without queries.
        """
        if not self.queries:
            raise Unmeasured(
                "Not measured: no query set came with the corpus. Add it as a folder or zip in BEIR's layout "
                "(corpus.jsonl, queries.jsonl, qrels/test.tsv), or name the queries on the command line: "
                "query-prism health --queries FILE --qrels FILE."
            )
        step = max(1.0, len(self.queries) / MOST_QUERIES)
        asked = [self.queries[int(i * step)] for i in range(min(len(self.queries), MOST_QUERIES))]
        engine = Engine(self.index, self.embedder)
        mode, _ = default_mode(self.index.manifest, self.embedder)
        settings = SearchSettings(mode=mode, k=K)
        stage = self.job.stage("Asking the query set", len(asked))
        found: dict[str, SearchResult] = {}
        for start in range(0, len(asked), BATCH):
            some = asked[start : start + BATCH]
            found.update(zip((name for name, _ in some), search_many(engine, _plain(some), settings), strict=True))
            stage.report(start + len(some))
        return found

    @property
    def asked(self) -> str:
        """How many queries, in words."""
        if len(self.results) == len(self.queries):
            return plural(len(self.queries), "query", "queries")
        return f"{len(self.results):,} of {len(self.queries):,} queries, spread evenly over the set"


def _plain(queries: Sequence[tuple[str, str]]) -> list[Formulation]:
    words = [Query(ORIGINAL, text) for _, text in queries]
    return [Formulation("identity", "", one, (one,)) for one in words]
