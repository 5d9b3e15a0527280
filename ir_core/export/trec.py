"""TREC's run and judgement formats (trec_eval, NIST), for any tool that reads them."""

from __future__ import annotations

from urllib.parse import quote

from ir_core.export.comparison import Comparison

_KEPT = "!#$&'()*+,/:;=?@[]~"


def to_run(comparison: Comparison, column: int) -> str:
    """``query Q0 document rank score tag``, one line per hit of the list that was cut to k; the tag is the
    transform's name.

    Tools order a run by its score alone. Fused scores tie, and a reranker orders by others, so the score written is
    k + 1 - rank: it says the order and nothing else.
    """
    result, tag = comparison.results[column], comparison.names[column]
    hits = result.fused.hits
    query = token(comparison.query_id)
    return "".join(
        f"{query} Q0 {token(hit.artifact_id)} {hit.rank} {len(hits) + 1 - hit.rank} {tag}\n" for hit in hits
    )


def to_qrels(comparison: Comparison) -> str:
    """``query 0 document relevance``, one line per judged document; blank where nobody judged the query."""
    query = token(comparison.query_id)
    return "".join(f"{query} 0 {token(name)} {grade}\n" for name, grade in comparison.grades.items())


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
