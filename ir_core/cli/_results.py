"""Search results as JSON and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ir_core.cli._tables import dollars, plain, seconds

if TYPE_CHECKING:
    from ir_core.schema import Hit, SearchResult


def result_json(result: SearchResult) -> dict[str, Any]:
    """One column of a comparison: what was searched, the fused list, and what it took.

    A query made of others (their mean vector) is among the queries, since hits are credited to it.
    """
    from ir_core.evaluation.means import total

    made = result.formulation
    return {
        "transform": made.transform,
        "title": made.title,
        "written_by": made.written_by,
        "queries": [
            {"id": q.id, "text": q.text, "role": q.role, "weight": q.weight, "legs": list(q.legs)}
            for q in (*made.queries, *result.derived)
        ],
        "hits": [_hit(hit) for hit in result.fused.hits],
        "latency_s": result.trace.latency_s,
        "cost_usd": total([call.cost_usd for call in made.calls]),
        "tokens": {
            "in": total([call.tokens_in for call in made.calls]),
            "out": total([call.tokens_out for call in made.calls]),
        },
        "calls": [asdict(call) for call in made.calls],
        "notes": list(made.notes),
        "fallback_reason": made.fallback_reason,
        "skip_reason": made.skip_reason,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "artifact_id": hit.artifact_id,
        "surface_id": hit.surface_id,
        "kind": hit.kind,
        "title": hit.title,
        "score": hit.score,
        "contributions": [
            {"query_id": part.query_id, "leg": part.leg, "rank": part.rank, "share": part.share}
            for part in hit.contributions
        ],
        "text": hit.text,
        "metadata": dict(hit.metadata),
    }


def result_text(result: SearchResult, original: SearchResult | None = None) -> str:
    """A heading, the queries that were made, and the ranking; ``original`` adds where a hit stood before."""
    made = result.formulation
    lines = [f"== {plain(made.title)}  ({_facts(result)})"]
    what = "fell back to the original" if made.fell_back else "one step was left out"
    lines += [f"   {what}: {plain(made.fallback_reason)}"] if made.fallback_reason else []
    lines += [f"   skipped: {plain(made.skip_reason)}"] if made.skip_reason else []
    lines += [f"   {plain(note)}" for note in made.notes]
    lines += [f"   {q.role}: {plain(q.text, 100)}" for q in made.queries if q.id != made.original.id]
    for hit in result.fused.hits:
        moved = f"  {_move(original, hit)}" if original else ""
        lines.append(f"{hit.rank:>4}. {plain(hit.title, 70)}  [{plain(hit.surface_id)}]  {hit.score:.4f}{moved}")
    return "\n".join(lines if result.fused.hits else [*lines, "   nothing was found"])


def _facts(result: SearchResult) -> str:
    """What it took now and whose texts they are; where they were kept, also what that took the first time: seconds
    of the longest call, since those of one transform run side by side."""
    from ir_core.evaluation.means import total

    made = result.formulation
    kept = [call for call in made.calls if call.cached]
    now = [seconds(result.trace.latency_s), dollars(total([call.cost_usd for call in made.calls if not call.cached]))]
    cached = ["cached"] if any(not call.recorded for call in kept) else []
    said = ", ".join([*now, *map(plain, made.origins), *cached])
    known = [call.first_s for call in kept if call.first_s is not None]
    cost = total([call.cost_usd for call in kept])
    then = [seconds(max(known))] if known and len(known) == len(kept) else []
    then += [dollars(cost)] if kept and cost is not None else []
    return f"{said}; first {', '.join(then)}" if then else said


def _move(original: SearchResult, hit: Hit) -> str:
    before = original.place(hit.artifact_id)
    if before is None:
        return "new"
    return "=" if before == hit.rank else f"{'up' if hit.rank < before else 'down'} from {before}"
