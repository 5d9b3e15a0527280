"""Documents that gave no surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import regex

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural

_LEFT_OUT = regex.compile(r"is empty|is blank|shows no text|has no chapter with text")
"""How a loader's reason begins for a file with no text in it. A PDF without text is a finding of its own."""


@dataclass(frozen=True)
class Blank:
    name: ClassVar[str] = "blank"
    label: ClassVar[str] = "Blank documents"
    summary: ClassVar[str] = "Documents of which nothing is in the index."
    reference: ClassVar[str] = ""
    effect: ClassVar[str] = "No query can find such a document: there is no text that stands for it."
    change: ClassVar[str] = (
        "Read the reason below: choose a strategy that takes the text there is, name the column that holds it, or "
        "leave the document out."
    )
    setting: ClassVar[str] = "strategy"
    order: ClassVar[int] = 10

    def look(self, material: Material) -> Found | None:
        blank = dict(material.index.empty)
        for problem in material.problems:
            if problem.lost and not problem.blank and _LEFT_OUT.match(problem.reason):
                blank.setdefault(problem.name, problem.reason)
            for name in problem.blank:
                blank.setdefault(name, f"was left out when {problem.name} was read: it has no text")
        if not blank:
            return None
        of = material.index.manifest.n_artifacts + len(blank.keys() - set(material.index.artifact_ids))
        return Found(
            severity=by_share(len(blank) / of, 0.0, 0.05),
            count=len(blank),
            said=f"{plural(len(blank), 'document')} of {of:,} gave no surface.",
            examples=first(Example((name,), reason) for name, reason in blank.items()),
            documents=tuple(blank),
        )
