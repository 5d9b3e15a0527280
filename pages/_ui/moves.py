"""How a ranking differs from the original's: a word and a shape for every hit, and the counts for the card's head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.schema import Hit, SearchResult


@dataclass(frozen=True, slots=True)
class Move:
    """``shape`` and ``word`` say the same thing; neither needs colour."""

    kind: str
    shape: str
    word: str


SAME = Move("same", "=", "same rank")


def moves(result: SearchResult, original: SearchResult | None) -> dict[str, Move]:
    """By artifact id, for the hits of ``result``. Empty without an original to compare with."""
    if original is None or original is result:
        return {}
    shown = len(original.fused.hits)
    return {hit.artifact_id: _move(hit, original.place(hit.artifact_id), shown) for hit in result.fused.hits}


def _move(hit: Hit, was: int | None, shown: int) -> Move:
    if was is None:
        return Move("new", "◆", "new")
    if was > shown:
        return Move("new", "◆", f"new, was {was}")
    if was == hit.rank:
        return SAME
    step = was - hit.rank
    return Move("up", "▲", f"up {step}") if step > 0 else Move("down", "▼", f"down {-step}")


def summary(found: dict[str, Move], lost: int) -> list[tuple[str, str, int]]:
    """Kind, words and count of what moved, for a card's head: up, down, new, left the list."""
    counts = {kind: sum(move.kind == kind for move in found.values()) for kind in ("up", "down", "new")}
    counts["gone"] = lost
    words = {"up": "▲", "down": "▼", "new": "◆ new", "gone": "gone"}
    return [(kind, words[kind], number) for kind, number in counts.items() if number]


def gone(result: SearchResult, original: SearchResult | None) -> list[Hit]:
    """Hits of the original that this ranking no longer has."""
    if original is None or original is result:
        return []
    kept = {hit.artifact_id for hit in result.fused.hits}
    return [hit for hit in original.fused.hits if hit.artifact_id not in kept]


def place(result: SearchResult, artifact_id: str) -> tuple[int | None, str]:
    """Where a document is: its rank in the whole fused list (None where it is not in it), and the sentence."""
    k, rank = len(result.fused.hits), result.place(artifact_id)
    if rank is not None:
        deep = k + len(result.below)
        return (
            rank,
            f"rank {rank}" if rank <= k else f"below the cut: rank {rank} of the {deep} that were read",
        )
    if result.formulation.skip_reason:
        return None, "not searched: this query was skipped"
    for ranking in result.rankings:
        for hit in ranking.hits:
            if hit.artifact_id == artifact_id:
                return (
                    None,
                    f"rank {hit.rank} in one list ({ranking.leg}), but outranked when the lists were fused",
                )
    return None, f"not retrieved: in none of the {len(result.rankings)} lists"


def unchanged(results: Sequence[SearchResult]) -> bool:
    """True when every transform ranks exactly what the original ranks."""
    orders = {tuple(hit.artifact_id for hit in result.fused.hits) for result in results}
    return len(orders) == 1
