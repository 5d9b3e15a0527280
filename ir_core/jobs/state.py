"""How far a job is, and why it does not go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

Status = Literal["queued", "running", "paused", "cancelled", "failed", "finished"]
Why = Literal["person", "cap", "key", "stopped", "writer"]
"""Paused by a person; at a cap; because a key has to be typed again; because the process that ran it is gone, or
was told to end; because its writer fails."""
ENDED: frozenset[Status] = frozenset({"cancelled", "failed", "finished"})


@dataclass(frozen=True, slots=True)
class JobState:
    """``seconds`` are those it was worked on, in all; ``seconds_left`` is None until there is something to measure it
    from. ``sentence`` says what went wrong, for a person. ``details`` is what this kind of job counts besides.
    ``changed`` is ISO 8601, in UTC."""

    status: Status = "queued"
    why: Why | None = None
    sentence: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    seconds_left: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    changed: str = ""

    @property
    def is_active(self) -> bool:
        """A process works on it, or is about to."""
        return self.status in {"queued", "running"}

    @property
    def may_resume(self) -> bool:
        """What failed may be tried again: what it has stays."""
        return self.status in {"paused", "failed"}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> JobState:
        """Fields that a later release added are left out."""
        known = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})
