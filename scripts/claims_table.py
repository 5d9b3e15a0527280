"""What is often said of query transforms, beside our own figures, each read from a table in docs/.

``python -m scripts.claims_table`` writes docs/claims.md. Nothing is measured here: run it after a table changed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts._claims import CLAIMS, Claim, Row

DOCS = Path(__file__).parent.parent / "docs"
COMMANDS = {
    "transforms-corpus-writer.md": "scripts.transform_table",
    "local-writer.md": "scripts.local_table",
    "recorded-writers.md": "scripts.recorded_table",
    "expansion.md": "scripts.expansion_table",
    "hops.md": "scripts.hops_table",
}
HEAD = """# Claims, and what was measured here

What is often said of query transforms, who says it, and our own figures. Made by

    python -m scripts.claims_table

which measures nothing: every figure is read from the table that is linked beside it, which names its own command.

- A figure is value before → after, difference and 95 % interval of a paired bootstrap, as its table has it.
- ✓ *supports*: the interval is above zero. ✗ **contradicts**: below. ○ *no evidence*: it spans zero, or ends at it.
- Where a table has the same row for several sets, all its sets stand here. Many intervals are shown, and of those one
  in twenty leaves out zero by chance alone.
- All with one small embedder (all-MiniLM-L6-v2) on small sets: a claim that is contradicted here may hold elsewhere.
  It does not hold everywhere, which is the point.

| claim | source | our figure | n | verdict |
|---|---|---|---|---|
"""
_FIGURE = re.compile(r"([+-]\d\.\d+) \[([+-]\d\.\d+), ([+-]\d\.\d+)\]")
_SIGN = {"supports": "✓ supports", "contradicts": "✗ **contradicts**", "no evidence": "○ no evidence"}


@dataclass(frozen=True, slots=True)
class Figure:
    """As text, exactly as the table has it."""

    before: str
    after: str
    difference: str
    n: str

    @property
    def verdict(self) -> str:
        found = _FIGURE.search(self.difference)
        assert found
        low, high = float(found[2]), float(found[3])
        return "supports" if low > 0 else "contradicts" if high < 0 else "no evidence"


def read(row: Row, docs: Path = DOCS) -> Figure:
    """:raises KeyError: when the table has no such row or measure (any more)."""
    head, lines, count = _section((docs / row.file).read_text("utf-8"), row.heading)
    column = head.index(row.measure) if row.measure in head else -1
    found = next((cells for cells in lines if tuple(cells[: len(row.cells)]) == row.cells), None)
    if found is None or column < 0:
        raise KeyError(f"docs/{row.file} has no {row.measure} of {row.cells} under {row.heading!r}")
    leg = [cell for cell in row.cells if cell in {"dense", "lexical", "BM25", "hybrid"}]
    original = next(
        cells
        for cells in lines
        if {"original", "the query"} & {cell.lower() for cell in cells[:2]} and (not leg or leg[0] in cells[:2])
    )
    after, _, difference = found[column].partition("<br>")
    if not difference:
        difference = found[head.index("difference", column)]
    n = found[head.index("n")] if "n" in head else count
    return Figure(original[column], after, difference.replace("*", ""), n)


def _section(text: str, heading: str) -> tuple[list[str], list[list[str]], str]:
    """Head and rows of the first table below a heading, and the count of queries that stands above it."""
    parts = heading.split(" / ")
    for mark, part in zip(("## ", "### "), parts, strict=False):
        line = f"\n{mark}{part}\n"
        if line not in text:
            raise KeyError(f"no heading {part!r}")
        text = text.split(line, 1)[1]
    own = re.split(r"\n#{1,3} ", text, maxsplit=1)[0]
    table = [
        [cell.strip() for cell in line.strip().strip("|").split("|")] for line in own.splitlines() if line[:1] == "|"
    ]
    count = re.search(r"(\d+) queries", own)
    return table[0], table[2:], count[1] if count else ""


def lines_of(claim: Claim, docs: Path = DOCS) -> list[str]:
    """Its rows of the table: the first has the claim, the last what follows."""
    figures = {row: read(row, docs) for row in claim.rows}
    lines = []
    for number, (row, figure) in enumerate(figures.items()):
        first = f"**{claim.said}** | {claim.source}" if number == 0 else " | "
        what = f"{row.says}, {row.measure}: {figure.before} → {figure.after}, {figure.difference}"
        link = f"[{row.file.removesuffix('.md')}]({row.file})"
        lines.append(f"| {first} | {what} ({link}) | {figure.n} | {_SIGN[figure.verdict]} |")
    lines.append(f"| | | {_so(figures)}{' ' + claim.note if claim.note else ''} | | |")
    return lines


def _so(figures: Mapping[Row, Figure]) -> str:
    """What follows for the claim, plainly, and the rows counted."""
    count = Counter(figure.verdict for figure in figures.values())
    good, bad, none = count["supports"], count["contradicts"], count["no evidence"]
    if good and bad:
        so = "It depends"
    elif bad:
        so = "Not so here"
    else:
        so = "So here, where there is evidence" if good and none else "So here" if good else "No evidence here"
    return f"**{so}:** of {len(figures)} rows {good} for it, {bad} against it, {none} with no evidence."


def text() -> str:
    made_by = "\n".join(f"- [{file}]({file}): `python -m {command}`" for file, command in COMMANDS.items())
    rows = "\n".join(line for claim in CLAIMS for line in lines_of(claim))
    return f"{HEAD}{rows}\n\nThe tables:\n\n{made_by}\n"


def main() -> None:
    (DOCS / "claims.md").write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
