"""Whether a reply came in the language it was asked for in."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.language import name_of, other_language


def note_on(texts: Sequence[str], asked: str | None) -> str:
    """A sentence where the texts are surely in another language; empty where they are not, or nobody can tell."""
    found = other_language(" ".join(texts), asked) if asked else None
    return f"Asked in {name_of(asked)}, the reply is in {name_of(found)}." if asked and found else ""
