"""What is searched, and in which legs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Leg = Literal["dense", "lexical"]
Mode = Literal["dense", "lexical", "hybrid"]
Turn = Mapping[str, str]
"""One turn of a conversation, ``{"role": "user" | "assistant", "content": text}``."""

LEGS: tuple[Leg, ...] = ("dense", "lexical")
MODE_LEGS: Mapping[str, tuple[Leg, ...]] = {"dense": ("dense",), "lexical": ("lexical",), "hybrid": LEGS}
ORIGINAL = "original"
"""Id and role of the query as it was typed."""


@dataclass(frozen=True, slots=True)
class Query:
    """One text that is searched. Never edited in place: use ``dataclasses.replace``.

    ``term_weights`` is a weighted bag for the lexical leg, used in place of the text's own words. When
    ``surface_ids`` is set, the mean of those stored vectors is the dense vector and nothing is embedded.
    """

    id: str
    text: str
    role: str = ORIGINAL
    weight: float = 1.0
    legs: tuple[Leg, ...] = LEGS
    parent: str | None = None
    hop: int = 0
    term_weights: Mapping[str, float] | None = None
    surface_ids: tuple[str, ...] = ()
