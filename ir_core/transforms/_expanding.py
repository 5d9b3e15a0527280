"""How a text is added to the query, in each leg: what query2doc and its kin share.

BM25 gets one bag, the query's words repeated and the text's words once; the repetition keeps a long text from
drowning a short query. The dense leg gets a mean vector, one joined text, or the query alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ir_core.schema import Query

DENSE = ("mean", "text", "query")
DENSE_HELP = (
    "mean: the mean of the query's vector and the text's. text: the vector of “query [SEP] text”. query: the query's "
    "vector, so that only BM25 changes."
)
REPEAT_HELP = "How many times the query's words count in BM25; the text's count once."
SEPARATOR = " [SEP] "
"""As the query2doc paper writes it; a BERT tokeniser reads it as the mark between two texts."""
COMBINE = {"dense": "centroid", "lexical": "rrf"}


@dataclass(frozen=True, slots=True)
class Expanded:
    """The queries to search, to be combined by ``COMBINE``, and a sentence that says what each leg gets."""

    queries: tuple[Query, ...]
    note: str


def expanded(
    original: Query,
    text: str,
    tokenise: Callable[[str], Sequence[str]],
    *,
    repeat: int,
    dense: str,
    weight: float = 1.0,
) -> Expanded:
    """The original and ``text`` as one expansion of it.

    :param tokenise: reads a text as the lexical leg does.
    :param repeat: how often the query's words count beside the text's.
    :param dense: one of ``DENSE``.
    :param weight: the writer's own, 1 for a model's text: what each word of the text counts, and its vector beside
        the query's 1, where ``dense`` is "mean".
    """
    bag = {word: float(repeat * count) for word, count in Counter(tokenise(original.text)).items()}
    for word in tokenise(text):
        bag[word] = bag.get(word, 0.0) + weight
    made = Query("expansion", text, "expansion", weight, parent=original.id, term_weights=bag)
    often = "once" if weight == 1 else f"{weight:g} times"
    note = f"BM25 searches the query{f' {repeat} times' if repeat > 1 else ''} and the text {often}; the vector is "
    kept = replace(original, legs=("dense",))
    if dense == "text":
        joined = replace(made, text=f"{original.text}{SEPARATOR}{text}")
        return Expanded((joined,), f"{note}that of “query [SEP] text”.")
    if dense == "query":
        return Expanded((kept, replace(made, legs=("lexical",))), f"{note}the query's own.")
    share = "" if weight == 1 else f" ({weight:g} to 1)"
    return Expanded((kept, made), f"{note}the mean of text and query{share}.")
