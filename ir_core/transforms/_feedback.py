"""The first hits, for transforms that read them before they search; and bags of words made from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from ir_core.errors import WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Hit, Query
from ir_core.text import stopwords

DEPTH = 10
"""One depth for all, the corpus writer's too, so that a comparison searches for feedback once."""
_TERM = re.compile(r"[^\W\d_][\w\-]+")


def first_hits(original: Query, context: RunContext, n: int = DEPTH) -> tuple[Hit, ...]:
    """The first ``n`` of the plain hybrid search, whatever the comparison's mode.

    :raises WriterError: when nothing is found, or the query has no word and finds by chance.
    """
    context.check()
    if not context.searcher.tokenise(original.text):
        raise WriterError("The query has no word in it, so what it finds is chance, and nothing to learn from.")
    asked = [Query(original.id, original.text)]
    hits = context.searcher.search(asked, mode="hybrid", depth=DEPTH, label="feedback")[0].hits
    if not hits:
        raise WriterError("The query found no document, so there is no feedback to work from.")
    return hits[:n]


def source_of(hits: Sequence[Hit]) -> str:
    """Where feedback came from, for a card: what it gains in one leg may be the other leg's evidence leaking in."""
    legs = {leg for hit in hits for leg in hit.leg_scores}
    plain = "hybrid" if len(legs) > 1 else "".join(legs)
    titles = ", ".join(f"“{hit.title}”" for hit in hits[:3])
    more = f" and {len(hits) - 3} more" if len(hits) > 3 else ""
    return f"Read from the first hits of the plain {plain} search: {titles}{more}."


def feedback_terms(tokens: Iterable[str], stop: Collection[str]) -> Counter[str]:
    """How often each word of a document occurs that may be added to a query: no stop word, no number."""
    return Counter(token for token in tokens if token not in stop and _TERM.fullmatch(token))


def stop_words(context: RunContext) -> frozenset[str]:
    """Of English and of the corpus' language."""
    return stopwords("en") | stopwords(context.corpus_language or "en")


def strongest(weights: Mapping[str, float], n: int) -> dict[str, float]:
    """The ``n`` largest, by weight, then by the alphabet."""
    return dict(sorted(weights.items(), key=lambda item: (-round(item[1], 12), item[0]))[:n])
