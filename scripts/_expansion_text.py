"""The page of scripts/expansion_table.py as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.config import BM25_B, BM25_K1
from ir_core.evaluation import Column
from scripts._table_text import HALVES, Section, difference

HEAD = (
    "searched", "leg", "nDCG@10", "difference", "recall@10", "difference", "won / tied / lost", "n", "fell back",
)  # fmt: skip
LEGS = {"dense": "dense", "lexical": "BM25", "hybrid": "hybrid"}
INTRODUCTION = """# What adding to a query does

The expansion family against the original query, on public test collections: query2doc, HyDE, keywords, RM3, Rocchio
and corpus-grounded expansion. Made by

    python -m scripts.expansion_table --data FOLDER

where FOLDER holds the sets in BEIR's layout. Whole documents, all-MiniLM-L6-v2 (256 tokens), BM25 with k1 {k1:g} and
b {b:g}, both legs read 50 deep and joined by reciprocal rank fusion (k = 60). Transforms have their default settings
unless the row says another.

- {measured} At most 150 of a set.
- A difference is to the original on the same queries, with the 95 % interval of a paired bootstrap over them (9,999
  resamples). Bold: the interval leaves out zero, which is no test: with few queries or many ties
  such an interval is too short (docs/evidence.md), and none is corrected for how many stand here. Anything else is no
  evidence of a difference.
- Won, tied and lost count queries by nDCG@10. Fell back: queries for which nothing was written, counted as the
  original.
- A leg in which nothing changes has no row: HyDE and Rocchio's vectors leave BM25 as it is, RM3 the dense leg.
- Rows with a model's name replay texts recorded from it (scifact only); all others come from the corpus, with no
  LLM. Rocchio's row and that of HyDE's feedback passages are one method, and agree but for a query of stop words
  alone, which the corpus writer leaves as it is.
- Feedback reads the first hits of the plain hybrid search in every row. What it gains in the dense or the BM25 leg
  alone is the other leg's evidence leaking in: the hybrid rows are the comparison that counts.
- The embedder reads English only; the Arabic set's feedback is read from BM25, and its dense leg is noise.
"""


def page(sections: Sequence[Section], split: str) -> str:
    """One table per set: a row for each way and each leg it changes."""
    parts = [INTRODUCTION.format(k1=BM25_K1, b=BM25_B, measured=HALVES[split])]
    for name in dict.fromkeys(section.set for section in sections):
        own = [section for section in sections if section.set == name]
        parts += [f"## {name}\n\n{own[0].evaluation.n} queries.\n", _line(HEAD), "|" + "---|" * len(HEAD)]
        for label in (column.label for column in own[0].evaluation.columns):
            parts += [row for section in own if (row := _row(section, label))]
        parts.append("")
    return "\n".join(parts)


def _row(section: Section, label: str) -> str | None:
    found = section.evaluation
    column = next(column for column in found.columns if column.label == label)
    original = found.columns[0]
    if column is not original and _same(column, original):
        return None
    total = found.summary(column)
    main, other = (total.difference[name] for name in found.measures)
    means = [f"{total.means[name] or 0:.3f}" for name in found.measures]
    against = ["", "", ""]
    if column is not original:
        against = [difference(main), difference(other), f"{main.wins} / {main.ties} / {main.losses}"]
    fell_back = sum(row.fallback_reason is not None for row in column.rows)
    return _line(
        (label, LEGS[section.leg], means[0], against[0], means[1], *against[1:], str(total.n), str(fell_back))
    )


def _same(column: Column, original: Column) -> bool:
    """Whether not one query's figures differ."""
    return [row.scores for row in column.rows] == [row.scores for row in original.rows]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
