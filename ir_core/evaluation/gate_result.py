"""What the ship gate found: the four transforms, the sets, and why it did not pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ir_core.evaluation.evidence import Evidence
from ir_core.evaluation.intervals import Difference

if TYPE_CHECKING:
    from ir_core.evaluation.verdicts import Judging

BOSS = "boss"
TRANSFORMS: Mapping[str, str] = {
    "none": "identity",
    "hyde": "hyde",
    "multi_query": "multi_query",
    "decompose": "decompose",
}
"""Names of the course, and the registry's; the original first."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One transform on the boss set. ``title`` is what was really made; ``evidence`` is against none: its ``p`` is
    the probability that a difference this large comes by chance with no true effect, its interval at the level
    corrected over three transforms. ``latency_s`` and ``cost_usd`` are means per question; None is unknown.
    ``judge_score`` is from 0 to 100, ``judge_gain`` what it gains over none, both None where nothing was rated.
    ``by_category`` has gains in recall; ``falls`` names the regression sets on which it falls by more than its paired
    interval."""

    transform: str
    registry_id: str
    title: str
    recall: float | None
    evidence: Evidence | None
    judge_score: float | None
    judge_gain: Difference | None
    latency_s: float | None
    cost_usd: float | None
    fallback_rate: float | None
    by_category: Mapping[str, float | None]
    falls: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        rest = asdict(self)
        return {
            "transform": rest.pop("transform"),
            "registry_id": rest.pop("registry_id"),
            "recall@5": rest.pop("recall"),
            "judge_score": rest.pop("judge_score"),
            "latency_s": rest.pop("latency_s"),
            "cost_usd": rest.pop("cost_usd"),
            **rest,
        }


@dataclass(frozen=True, slots=True)
class SetResult:
    """Mean recall of each transform on one set, in their order, and what may be said of it against none."""

    name: str
    n: int
    n_groups: int
    means: tuple[float | None, ...]
    evidence: tuple[Evidence | None, ...]

    def falls(self, slot: int) -> bool:
        """By more than its paired interval: the whole of it lies below zero."""
        proof = self.evidence[slot]
        return proof is not None and proof.high is not None and proof.high < 0

    def untested(self) -> Evidence | None:
        """Of a transform that has no interval here, for want of two groups: ``falls`` cannot tell of it."""
        return next((one for one in self.evidence if one is not None and one.high is None), None)

    def to_json(self) -> dict[str, Any]:
        each = [
            {"transform": name, "recall@5": mean, "evidence": asdict(proof) if proof else None}
            for name, mean, proof in zip(TRANSFORMS, self.means, self.evidence, strict=True)
        ]
        return {"set": self.name, "n": self.n, "n_groups": self.n_groups, "transforms": each}


@dataclass(frozen=True, slots=True)
class Gate:
    """``reasons`` are the conditions that do not hold; ``notes`` what was not tested. ``routed`` is the best
    transform of each category of the boss set, chosen on the same questions: ``routed_recall`` bounds a router."""

    transforms: tuple[Trial, ...]
    sets: tuple[SetResult, ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    routed: Mapping[str, str]
    routed_recall: float | None
    judging: Judging | None = None

    @property
    def passed(self) -> bool:
        return not self.reasons

    def to_json(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "reasons": list(self.reasons),
            "notes": list(self.notes),
            "transforms": [one.to_json() for one in self.transforms],
            "sets": [one.to_json() for one in self.sets],
            "judge": asdict(self.judging) if self.judging else None,
            "routed": {"by_category": dict(self.routed), "recall@5": self.routed_recall},
        }
