"""Nearly the same text in several documents (MinHash: Broder 1997)."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import regex
from numpy.typing import NDArray

from ir_core.analysis.health._groups import groups_found
from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Found
from ir_core.params import param
from ir_core.text import normalise

Shingles = NDArray[np.uint32]
WORDS = 3
"""In a shingle."""
FEWEST = 8
"""Shingles: of a shorter text one word makes too much of a difference to speak of nearly."""
PERMUTATIONS, BANDS = 64, (16, 4)
"""16 bands of 4: of pairs that share .8 of their shingles 9,998 in 10,000 become candidates, of those that share .3
one in eight. Candidates are compared exactly."""
REPORT_EVERY = 500
_NO_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]"
_WORD = regex.compile(rf"(?V1){_NO_SPACES}|[\w--{_NO_SPACES}]+")
"""Where words are not set apart, each letter counts as one."""
_PLAIN_WORD = regex.compile(r"[a-z0-9_]+")
"""The same of ASCII, five times as fast."""


@dataclass(frozen=True)
class NearDuplicates:
    """A group is a surface and all later ones that share ``threshold`` of their three-word shingles with it."""

    name: ClassVar[str] = "near_duplicates"
    label: ClassVar[str] = "Near duplicates"
    summary: ClassVar[str] = "Texts of several documents that differ in a few words only."
    reference: ClassVar[str] = "Broder 1997 (resemblance by MinHash); datasketch"
    effect: ClassVar[str] = (
        "Near copies crowd a list together: k places hold fewer than k answers, and an outdated copy may come first."
    )
    change: ClassVar[str] = (
        "Keep the newest of each group in the source; or, where all are needed, give them a filter field that tells "
        "them apart, such as a version."
    )
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 50

    threshold: float = param(0.8, help="Share of three-word shingles in common (Jaccard).", low=0.5, high=1.0)

    def look(self, material: Material) -> Found | None:
        # of texts that are the same, the first stands for all: they are a finding of their own
        rows = [group[0] for group in material.same_texts]
        stage = material.job.stage("Looking for near duplicates", len(rows))
        groups = _groups([(row, shingles(material.texts[row])) for row in rows], self.threshold, stage.report)
        apart = [
            ([row for row, _ in group], f"{min(alike for _, alike in group):.0%} alike or more")
            for group in groups
            if len({material.document_of(row) for row, _ in group}) > 1
        ]
        return groups_found(material, apart, "nearly the same")


def shingles(text: str) -> Shingles:
    """Hashes of all runs of three words, each once, in order of their value."""
    words = np.array([_hashed(word) for word in _words(normalise(text))], dtype=np.uint64)
    if len(words) < WORDS:
        return np.zeros(0, dtype=np.uint32)
    mixed = words[:-2] * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= words[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed ^= words[2:] * np.uint64(0x165667B19E3779F9)
    return np.unique((mixed >> np.uint64(32)).astype(np.uint32))


def _words(text: str) -> list[str]:
    return (_PLAIN_WORD if text.isascii() else _WORD).findall(text)


@lru_cache(maxsize=65_536)
def _hashed(word: str) -> int:
    return zlib.crc32(word.encode("utf-8", "surrogatepass"))


def _groups(
    items: Sequence[tuple[int, Shingles]], threshold: float, report: Callable[[int], None]
) -> list[list[tuple[int, float]]]:
    """Rows with how alike each is to the first of its group; groups of one are left out.

    Only the first of a group is kept to be compared with, so a thousand copies take a thousand comparisons."""
    from datasketch import MinHash, MinHashLSH

    empty = MinHash(num_perm=PERMUTATIONS, hashfunc=_itself, scheme="affine32")
    near: Any = MinHashLSH(num_perm=PERMUTATIONS, params=BANDS)
    groups: dict[int, list[tuple[int, float]]] = {}
    kept: dict[int, Shingles] = {}
    for number, (row, own) in enumerate(items, start=1):
        if number % REPORT_EVERY == 0 or number == len(items):
            report(number)
        if len(own) < FEWEST:
            continue
        hashed = empty.copy()
        hashed.update_batch(own.tolist())
        alike = {other: _jaccard(own, kept[other]) for other in near.query(hashed)}
        best = max(alike, key=lambda other: (alike[other], -other), default=None)
        if best is not None and alike[best] >= threshold:
            groups[best].append((row, alike[best]))
        else:
            near.insert(row, hashed, check_duplication=False)
            groups[row], kept[row] = [(row, 1.0)], own
    return [group for group in groups.values() if len(group) > 1]


def _itself(value: int) -> int:
    return value


def _jaccard(one: Shingles, other: Shingles) -> float:
    both = len(np.intersect1d(one, other, assume_unique=True))
    return both / (len(one) + len(other) - both)
