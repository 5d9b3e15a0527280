"""Search results made by hand, for tests of what is drawn from them."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.schema import Call, Contribution, Formulation, Hit, Query, Ranking, SearchResult, Trace


def hit(name: str, rank: int, *, title: str | None = None, text: str = "text", found: Sequence[tuple] = ()) -> Hit:
    parts = tuple(Contribution(*part) for part in found or [("original", "dense", f"{name}#document#0", rank, 0.1)])
    score = sum(part.share for part in parts)
    return Hit(name, f"{name}#document#0", "document", text, title or name, {}, rank, score, contributions=parts)


def result(
    names: Sequence[str],
    *,
    transform: str = "identity",
    title: str = "Original",
    queries: Sequence[Query] | None = None,
    below: Sequence[str] = (),
    calls: Sequence[Call] = (),
    trace: Trace | None = None,
    titles: dict[str, str] | None = None,
    **formulation: object,
) -> SearchResult:
    """``names`` ranked from 1, ``below`` after them."""
    original = Query("original", "the query")
    made = Formulation(
        transform,
        title,
        original,
        tuple(queries or (original,)),
        calls=tuple(calls),
        **formulation,  # type: ignore[arg-type]
    )
    hits = [hit(name, i, title=(titles or {}).get(name)) for i, name in enumerate([*names, *below], start=1)]
    ranking = Ranking("original", "dense", tuple(hits))
    return SearchResult(
        formulation=made,
        rankings=(ranking,),
        fused=Ranking("fused", "fused", tuple(hits[: len(names)])),
        trace=trace or Trace(),
        fingerprint="f",
        below=tuple(hits[len(names) :]),
    )
