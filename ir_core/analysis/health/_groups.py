"""Groups of surfaces that say the same, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural
from ir_core.text import quoted

SHOWN = 12
"""Ids named of one group."""


def groups_found(material: Material, groups: Sequence[tuple[Sequence[int], str]], how: str) -> Found | None:
    """:param groups: rows, each with what is to be said of it.
    :param how: the texts of a group are alike."""
    if not groups:
        return None
    rows = [row for group, _ in groups for row in group]

    def spread(group: Sequence[int]) -> str:
        apart = len({material.document_of(row) for row in group})
        return f"{plural(len(group), 'surface')} of {plural(apart, 'document')}"

    documents = tuple(dict.fromkeys(material.document_of(row) for row in rows))
    spare = len(rows) - len(groups)
    number = material.index.n
    examples = (
        Example(
            tuple(material.id_of(row) for row in group[:SHOWN]),
            f"{spread(group)}, {said}",
            quoted(material.texts[group[0]], 200),
        )
        for group, said in sorted(groups, key=lambda pair: -len(pair[0]))
    )
    return Found(
        severity=by_share(spare / number, 0.02, 0.10),
        count=len(groups),
        said=(
            f"{plural(len(groups), 'group')} of {plural(len(documents), 'document')} with surfaces that are {how}: "
            f"{spare:,} of {number:,} surfaces are copies."
        ),
        examples=first(examples),
        rows=tuple(rows),
        documents=documents,
    )
