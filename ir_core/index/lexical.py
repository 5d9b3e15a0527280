"""The lexical leg: Okapi BM25 read off one sparse matrix that is computed when the index is built.

Robertson et al., "Okapi at TREC-3" (1994), in the variant of the rank-bm25 package (ATIRE's: Trotman, Puurula and
Burgess, ADCS 2014), whose ``BM25Okapi.get_scores`` these scores equal to 1e-9. A query's score is a sum of rows of a
term-by-surface matrix, so the matrix holds the finished contributions and a search only adds the rows of its words.
"""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ir_core.index.ranks import Mask, Rows, Scores, best

EPSILON = 0.25
"""rank-bm25: a word in more than half of the surfaces gets this share of the mean IDF, in place of a negative one."""
OKAPI, LOG1P = "okapi", "log1p"
_ARRAYS = ("starts", "rows", "weights", "collection")


@dataclass(frozen=True)
class Lexical:
    """Postings by term: those of term ``t`` are ``[starts[t]:starts[t + 1]]`` of ``rows`` and ``weights``.

    ``weights`` is what one occurrence of the term in a query adds to the row's score; ``collection`` counts how often
    the term occurs in all surfaces. ``idf`` names the formula: ``okapi``, or ``log1p`` where Okapi's mean IDF is not
    positive (tiny corpora), which would rank the surfaces that hold the query's words last.
    """

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float64]
    collection: NDArray[np.int64]
    n: int
    idf: str

    @classmethod
    def build(cls, surfaces: Iterable[Sequence[str]], *, k1: float, b: float, idf: str = OKAPI) -> Lexical:
        """:param surfaces: the tokens of each surface, in row order.
        :param idf: ``okapi``, or ``log1p`` whatever the mean (Lucene's, as most published baselines have it).
        """
        from scipy.sparse import coo_array

        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__  # a new token gets the next number
        tokens, lengths = array("i"), array("i")
        for words in surfaces:
            tokens.extend(map(numbers.__getitem__, words))
            lengths.append(len(words))
        n, length = len(lengths), np.asarray(lengths, dtype=np.int64)
        terms = np.asarray(tokens, dtype=np.int32)
        where = np.repeat(np.arange(n, dtype=np.int32), length)
        counts = coo_array((np.ones(len(terms), np.int32), (terms, where)), shape=(len(numbers), n)).tocsr()
        frequency = np.diff(counts.indptr)
        weight, named = _idf(frequency, n, idf)
        mean = length.mean() if n and length.any() else 1.0
        norm = k1 * (1 - b + b * length / mean)
        tf = counts.data.astype(np.float64)
        weights = np.repeat(weight, frequency) * (tf * (k1 + 1) / (tf + norm[counts.indices]))
        return cls(
            vocabulary=dict(numbers),
            starts=counts.indptr.astype(np.int64),
            rows=counts.indices.astype(np.int32),
            weights=weights,
            collection=np.bincount(terms, minlength=len(numbers)).astype(np.int64),
            n=n,
            idf=named,
        )

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))
        facts = {"n": self.n, "idf": self.idf, "vocabulary": list(self.vocabulary)}
        data = json.dumps(facts, ensure_ascii=False).encode("utf-8", "surrogatepass")
        (folder / "vocabulary.json").write_bytes(data)

    @classmethod
    def load(cls, folder: Path) -> Lexical:
        """Maps the arrays into memory, so only the postings of searched words are read.

        :raises OSError, ValueError, KeyError: when the folder is damaged.
        """
        facts = json.loads((folder / "vocabulary.json").read_bytes().decode("utf-8", "surrogatepass"))
        arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in _ARRAYS}
        words = {word: number for number, word in enumerate(facts["vocabulary"])}
        return cls(vocabulary=words, n=facts["n"], idf=facts["idf"], **arrays)

    def search(
        self, bags: Sequence[Mapping[str, float]], n: int, order: NDArray[np.int32], allowed: Mask | None = None
    ) -> list[tuple[Rows, Scores]]:
        """For each bag (token to weight) the ``n`` best rows: see :func:`ranks.best`.

        A row matches when it holds a token of the bag, whatever its score.
        """
        found = []
        for bag in bags:
            postings = self._postings(bag)
            scores = self._add_up(postings)
            matched = self._matched(postings, scores)
            rows = np.flatnonzero(matched if allowed is None else matched & allowed)
            found.append(best(rows, scores[rows], n, order))
        return found

    def scores(self, bag: Mapping[str, float]) -> Scores:
        """(n,) the score of every row; 0 where it holds no token of the bag."""
        return self._add_up(self._postings(bag))

    def document_frequency(self, token: str) -> int:
        """How many surfaces hold the token."""
        number = self.vocabulary.get(token)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])

    def collection_frequency(self, token: str) -> int:
        """How often the token occurs in all surfaces."""
        number = self.vocabulary.get(token)
        return 0 if number is None else int(self.collection[number])

    def holding(self, tokens: Iterable[str]) -> Rows:
        """The rows that hold any of the tokens; one that holds several is repeated."""
        numbers = [self.vocabulary[token] for token in tokens if token in self.vocabulary]
        parts = [self.rows[self.starts[t] : self.starts[t + 1]] for t in numbers]
        return np.concatenate(parts).astype(np.int64) if parts else np.empty(0, np.int64)

    def _postings(self, bag: Mapping[str, float]) -> list[tuple[slice, float]]:
        """Where the tokens of the bag that weigh something are, with their weights."""
        known = ((self.vocabulary.get(token), weight) for token, weight in bag.items() if weight != 0)
        return [(slice(self.starts[t], self.starts[t + 1]), weight) for t, weight in known if t is not None]

    def _add_up(self, postings: list[tuple[slice, float]]) -> Scores:
        scores = np.zeros(self.n)
        for span, weight in postings:
            np.add.at(scores, self.rows[span], weight * self.weights[span])
        return scores

    def _matched(self, postings: list[tuple[slice, float]], scores: Scores) -> Mask:
        # All contributions of a token have the sign of its IDF; where none is zero or negative, the sum tells.
        if all(weight * self.weights[span.start] > 0 for span, weight in postings):
            return scores > 0
        matched = np.zeros(self.n, dtype=np.bool_)
        for span, _ in postings:
            matched[self.rows[span]] = True
        return matched


def _idf(frequency: NDArray[np.int32], n: int, wanted: str) -> tuple[NDArray[np.float64], str]:
    if not len(frequency):
        return np.empty(0), OKAPI
    idf = np.log(n - frequency + 0.5) - np.log(frequency + 0.5)
    mean = idf.mean()
    if mean > 0 and wanted == OKAPI:
        return np.where(idf < 0, EPSILON * mean, idf), OKAPI
    return np.log1p((n - frequency + 0.5) / (frequency + 0.5)), LOG1P
