"""TREC's run and judgement formats (trec_eval, NIST), for any tool that reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ir_core.export.comparison import Comparison

_KEPT = "!#$&'()*+,/:;=?@[]~"


def to_run(comparison: Comparison, column: int) -> str:
    """``query Q0 document rank score tag``, one line per hit of the list that was cut to k; the tag is the
    transform's name.

    Tools order a run by its score alone. Fused scores tie, and a reranker orders by others, so the score written is
    k + 1 - rank: it says the order and nothing else.
    """
    hits = comparison.results[column].fused.hits
    return run_lines(comparison.query_id, [hit.artifact_id for hit in hits], comparison.names[column])


def run_lines(query_id: str, retrieved: Sequence[str], tag: str) -> str:
    """One query's list as ``to_run`` writes it.

    :param retrieved: artifact ids, best first.
    """
    query, k = token(query_id), len(retrieved)
    return "".join(
        f"{query} Q0 {token(name)} {rank} {k + 1 - rank} {token(tag)}\n"
        for rank, name in enumerate(retrieved, start=1)
    )


def to_qrels(comparison: Comparison) -> str:
    """``query 0 document relevance``, one line per judged document; blank where nobody judged the query."""
    return qrels_lines(comparison.query_id, comparison.grades)


def qrels_lines(query_id: str, grades: Mapping[str, int]) -> str:
    """One query's judgements."""
    query = token(query_id)
    return "".join(f"{query} 0 {token(name)} {grade}\n" for name, grade in grades.items())


def token(name: str) -> str:
    """An id as one word, since the format is split at white space; other scripts stay readable, a space becomes %20
    (and a percent sign %25, so that no two ids become one)."""
    written = "".join(
        char
        if char.isprintable() and not char.isspace() and char != "%"
        else quote(char, safe=_KEPT, errors="replace")
        for char in name
    )
    return written or "%00"
