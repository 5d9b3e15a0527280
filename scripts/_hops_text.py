"""The page of the hops table, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.config import BM25_B, BM25_K1
from ir_core.evaluation import Column
from scripts._table_text import Section, difference

__all__ = ["MEASURES", "Section", "page"]

MEASURES = ("recall@5", "recall@10", "ndcg@10", "all_gold_recall@5", "all_gold_recall@10")
NAMES = ("recall@5", "recall@10", "nDCG@10", "all-gold recall@5", "all-gold recall@10")
INTRODUCTION = """# Decomposition on questions that need several documents

Made by

    python -m scripts.hops_table --data FOLDER

where FOLDER holds `hotpotqa_train100` (two documents a question) and `musique_train100` (two to four). Whole
documents, all-MiniLM-L6-v2 (256 tokens), BM25 with k1 {k1:g} and b {b:g}, both legs read 50 deep.

- Queries whose id has an odd SHA-256; settings were chosen on the even ones (below).
- Under each figure its difference to the original on the same queries, with the 95 % interval of a paired bootstrap
  over them (9,999 resamples). Bold: the interval leaves out zero, which is no test: with few queries or many ties
  such an interval is too short (docs/evidence.md), and none is corrected for how many stand here. Anything else is no
  evidence of a difference. The sets are small, and a hundred questions flatter.
- All-gold recall is 1 where every needed document is among the first five or ten.
- *Parallel*: the corpus writer splits what coordinates, compares or names; it leaves most questions whole.
- *Bridge query*: the sentence of a hop-1 document that shares most words with the question (those of its title left
  out) and the question's words that the document does not hold, for each of the first three documents of the hybrid.
  The original's first three keep their places, then the lists take turns inside each leg. A question of few telling
  words that names nothing stays whole.
- *Gold sub-questions, best span*: MuSiQue's own sub-questions, which no user types; each answer is the best span of
  the hop's first five documents, found by counting words, and is filled into the next.
- *Upper bound*: MuSiQue's sub-questions with its answers already in them. No program is given these.
- Bridge queries and best spans are made of the hybrid's first documents, in the dense and lexical rows too: what they
  gain there over the original of one leg is partly the other leg's evidence.
- Won, tied and lost count queries by all-gold recall@10.
"""
TUNED = """## Settings, on the other half

The bridge query in the hybrid, on the queries with an even SHA-256. How many there are matters little between one and
five; three was kept, as it was measured elsewhere (below). Which questions may have a second hop was chosen on
this half too, and on the sample corpora's.
"""
PUBLISHED = """## Beside what was measured elsewhere

A plain numpy program (BM25 with k1 0.9 and b 0.4, its own tokeniser, "title. text") measured all-gold recall@10 of
the hybrid over all 100 queries: .79, with bridge queries .88, on hotpotqa_train100; .38 and .43 on musique_train100.
With the same settings this program has:
"""
DIFFERS = """What differs: that program takes turns between lists whose legs were joined before, this one inside each
leg, whose lists are then joined; and here the words of a document's title do not count when its sentence is chosen,
which was found on the half of these queries with an even SHA-256.
"""


def page(reported: Sequence[Section], tuned: Sequence[Section], published: Sequence[Section]) -> str:
    head = INTRODUCTION.format(k1=BM25_K1, b=BM25_B)
    return "\n".join([head, tables(reported), TUNED, tables(tuned, 3), PUBLISHED, tables(published, 3), DIFFERS])


def tables(sections: Sequence[Section], level: int = 2) -> str:
    """One table per set: a row per leg and way to decompose, with the number of queries above it."""
    parts = []
    for name in dict.fromkeys(section.set for section in sections):
        own = [section for section in sections if section.set == name]
        parts.append(f"{'#' * level} {name}\n\nn = {own[0].evaluation.n} queries.\n")
        head = ("leg", "queries from", *NAMES, "won / tied / lost")
        parts += ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        parts += [_row(section, column) for section in own for column in section.evaluation.columns]
        parts.append("")
    return "\n".join(parts)


def _row(section: Section, column: Column) -> str:
    total = section.evaluation.summary(column)
    is_original = column is section.evaluation.columns[0]
    cells = [section.leg, column.label]
    for name in MEASURES:
        mean = "" if total.means[name] is None else f"{total.means[name]:.3f}"
        cells.append(mean if is_original else f"{mean}<br>{difference(total.difference[name])}")
    main = total.difference[MEASURES[-1]]
    cells.append("" if is_original else f"{main.wins} / {main.ties} / {main.losses}")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
