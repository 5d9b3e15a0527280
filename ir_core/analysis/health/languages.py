"""Which languages the documents are in, and which of them the embedder does not read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ir_core import language
from ir_core.analysis.health._material import Material
from ir_core.analysis.health._types import Example, Found, by_share, first, plural
from ir_core.embedders import MULTILINGUAL
from ir_core.text import quoted

MOST = 2_000
"""Documents whose language is told; of more, as many spread evenly. A document takes about a millisecond."""
REPORT_EVERY = 250
READS_THEM = (
    f"Choose an embedder that reads them, such as {MULTILINGUAL.name}, and build again; or make a corpus of each "
    "language."
)


@dataclass(frozen=True)
class Languages:
    """A document counts as another language's only where that is sure: enough text, and both its halves agree."""

    name: ClassVar[str] = "languages"
    label: ClassVar[str] = "Mixed languages"
    summary: ClassVar[str] = "Documents in another language than most, or in one that the embedder does not read."
    reference: ClassVar[str] = "py3langid"
    effect: ClassVar[str] = (
        "A query finds a document of another language by shared names only, and the vectors of a language that the "
        "embedder does not read are close to noise."
    )
    change: ClassVar[str] = (
        "Choose an embedder that reads all the languages, or make a corpus of each; for queries in one language the "
        "transform Translate asks in the other as well."
    )
    setting: ClassVar[str] = "embedder"
    order: ClassVar[int] = 80

    def look(self, material: Material) -> Found | str | None:
        numbers = [number for number, rows in enumerate(material.rows_by_document) if rows]
        step = max(1.0, len(numbers) / MOST)
        looked = [numbers[int(i * step)] for i in range(min(len(numbers), MOST))]
        main = material.index.manifest.language
        stage = material.job.stage("Telling languages", len(looked))
        of: dict[int, str] = {}
        for done, number in enumerate(looked, start=1):
            found = _other(material.beginning_of(number), main) if main else None
            of[number] = found or main or "und"
            if done % REPORT_EVERY == 0 or done == len(looked):
                stage.report(done)
        reads = material.embedder.languages
        strange = [n for n, code in of.items() if code != main or (reads is not None and code not in reads)]
        sampled = f"A sample: {len(looked):,} of {len(numbers):,} documents." if len(looked) < len(numbers) else ""
        if main is None or not strange:
            return f"None found. {sampled}" if sampled else None
        unread = [n for n in strange if reads is not None and of[n] not in reads]
        count = Counter(of.values())
        mix = ", ".join(f"{language.name_of(code)} {number:,}" for code, number in count.most_common(8))
        said = f"{plural(len(looked), 'document')}: {mix}."
        if unread:
            is_are = "1 is" if len(unread) == 1 else f"{len(unread):,} are"
            said += f" {is_are} in a language that {material.embedder.name} does not read."
        return Found(
            severity=by_share(len(unread) / len(looked), 1e-9, 0.05) if unread else "low",
            count=len(strange),
            said=said,
            examples=first(_example(material, number, of[number]) for number in [*unread, *strange][: len(strange)]),
            rows=tuple(row for number in strange for row in material.rows_by_document[number]),
            documents=tuple(material.index.artifact_ids[number] for number in strange),
            change=READS_THEM if unread else "",
            note=sampled,
        )


def _example(material: Material, number: int, code: str) -> Example:
    row = material.rows_by_document[number][0]
    return Example((material.index.artifact_ids[number],), language.name_of(code), quoted(material.texts[row], 160))


def _other(text: str, main: str) -> str | None:
    """The language of a text that is surely none of ``main``: the whole and its halves are all of it."""
    found = language.other_language(text, main)
    if found is None:
        return None
    words = text.split()
    middle = len(words) // 2
    halves = (" ".join(words[:middle]), " ".join(words[middle:])) if middle >= 4 else (text,)
    return found if all(language.detect(half) == found for half in halves) else None
