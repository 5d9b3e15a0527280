"""PDFs that are pictures of pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, Unmeasured, first, plural

FEWEST = 40
"""Characters a page; a page of print has some 2,000, and a scan at most a stamp."""


@dataclass(frozen=True)
class PdfWithoutText:
    name: ClassVar[str] = "pdf_without_text"
    label: ClassVar[str] = "PDFs without text"
    summary: ClassVar[str] = "PDFs that hold no text, or next to none for their pages, as scans do."
    reference: ClassVar[str] = ""
    effect: ClassVar[str] = "What stands on the pages is not in the index, so no query finds it."
    change: ClassVar[str] = "Run text recognition (OCR) on the file, load it again, and build."
    setting: ClassVar[str] = ""
    order: ClassVar[int] = 20

    def look(self, material: Material) -> Found | None:
        if not material.documents and not material.problems:
            raise Unmeasured("Not measured: the files themselves are not known here, only the index.")
        found = {
            problem.name: problem.reason
            for problem in material.problems
            if problem.lost and problem.name.lower().endswith(".pdf") and problem.reason.startswith("holds no text")
        }
        for name, artifact in material.documents.items():
            pages = artifact.metadata.get("pages")
            if isinstance(artifact.raw, str) and isinstance(pages, int) and pages > 0:
                size = len(artifact.raw.strip())
                if size < FEWEST * pages:
                    found[name] = f"has {size:,} characters on {plural(pages, 'page')}"
        if not found:
            return None
        return Found(
            severity="high",
            count=len(found),
            said=f"{plural(len(found), 'PDF has', 'PDFs have')} no text, or next to none.",
            examples=first(Example((name,), reason) for name, reason in found.items()),
            documents=tuple(found),
        )
