"""Documents that no query of a set finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ir_core.analysis.health._material import K, Material
from ir_core.analysis.health._types import Example, Found, Unmeasured, by_share, first, plural
from ir_core.text import quoted

ENOUGH = 0.05
"""Of the documents: where chance alone would leave out more, that a document is left out says nothing."""


@dataclass(frozen=True)
class Unreached:
    """Not among the first 10 of any query. What a query set is judged to need and no query reaches counts in any
    case; the rest only where the set is large enough to reach nearly everything by chance."""

    name: ClassVar[str] = "unreached"
    label: ClassVar[str] = "Never reached"
    summary: ClassVar[str] = "Documents that no query of the set has among its first 10."
    reference: ClassVar[str] = "Radovanović, Nanopoulos and Ivanović 2010 (antihubs)"
    effect: ClassVar[str] = "For these queries the document might as well not be there."
    change: ClassVar[str] = (
        "Ask something that it answers on the page Compare, and see with “Find a document” where it is lost; a "
        "document that nobody asks about can be left out."
    )
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 100

    def look(self, material: Material) -> Found | None:
        results = material.results
        reached = {hit.artifact_id for result in results.values() for hit in result.fused.hits}
        deeper = {hit.artifact_id for result in results.values() for hit in result.below}
        names = [
            name for name, rows in zip(material.index.artifact_ids, material.rows_by_document, strict=True) if rows
        ]
        missed = [name for name in names if name not in reached]
        wanted = {
            name for query in results for name, grade in material.qrels.get(query, {}).items() if grade > 0
        }.intersection(missed)
        left = (1 - min(1.0, K / len(names))) ** len(results)
        if left > ENOUGH and not wanted:
            if not missed:
                return None
            raise Unmeasured(
                f"Not measured: {len(results):,} queries are too few for {len(names):,} documents; drawn at random, "
                f"their first {K} would leave out {left:.0%} of them."
            )
        counted = [name for name in missed if name in wanted] if left > ENOUGH else missed
        if not counted:
            return None
        return self._found(material, counted, wanted, deeper, len(names))

    @staticmethod
    def _found(material: Material, missed: list[str], wanted: set[str], deeper: set[str], of: int) -> Found:
        ordered = sorted(missed, key=lambda name: name not in wanted)
        numbers = {name: number for number, name in enumerate(material.index.artifact_ids)}
        judged = f" {len(wanted):,} of them {'is' if len(wanted) == 1 else 'are'} judged relevant." if wanted else ""
        return Found(
            severity="high" if wanted else by_share(len(missed) / of, 0.05, 0.25),
            count=len(missed),
            said=(
                f"{plural(len(missed), 'document')} of {of:,} {'is' if len(missed) == 1 else 'are'} among the first "
                f"{K} of none of {material.asked}.{judged}"
            ),
            examples=first(
                Example(
                    (name,),
                    ("judged relevant; " if name in wanted else "")
                    + ("further down in some list" if name in deeper else "in no list, however deep it was read"),
                    quoted(material.beginning_of(numbers[name]), 160),
                )
                for name in ordered
            ),
            rows=tuple(row for name in ordered for row in material.rows_by_document[numbers[name]]),
            documents=tuple(ordered),
        )
