"""Figures as words. None means unknown and is written so, never as 0."""

from __future__ import annotations

from collections.abc import Iterable

UNKNOWN = "unknown"


def seconds(value: float | None) -> str:
    if value is None:
        return UNKNOWN
    if value < 0.000_5:
        return "0 ms"
    if value < 0.9995:
        return f"{1_000 * value:.0f} ms"
    if value < 99.5:
        return f"{value:.1f} s"
    return f"{int(value // 60)} min {int(value % 60):02d} s"


def dollars(value: float | None) -> str:
    if value is None:
        return UNKNOWN
    if value == 0:
        return "$0"
    return f"${value:.2f}" if value >= 1 else f"${value:.4f}" if value >= 0.000_1 else f"${value:.6f}"


def count(value: int | None, noun: str = "", plural: str = "") -> str:
    """``count(2, "call")`` gives "2 calls"."""
    if value is None:
        return f"{UNKNOWN} {noun}".strip()
    word = noun if value == 1 else plural or (f"{noun}s" if noun else "")
    return f"{value:,} {word}".strip()


def size(n_bytes: int) -> str:
    value = float(n_bytes)
    for unit in ("bytes", "KB", "MB"):
        if value < 1_000:
            return f"{value:.0f} {unit}" if unit != "MB" else f"{value:.1f} MB"
        value /= 1_000
    return f"{value:.1f} GB"


def total(values: Iterable[float | None]) -> float | None:
    """The sum, or None as soon as one part is unknown."""
    known = list(values)
    return None if any(value is None for value in known) else sum(value or 0 for value in known)


def left(value: float | None) -> str:
    """Time left, in words that do not jump about."""
    if value is None:
        return "measuring…"
    if value < 1.5:
        return "about a second left"
    return f"about {value:.0f} s left" if value < 90 else f"about {value / 60:.0f} min left"
