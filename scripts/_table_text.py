"""The table as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.config import BM25_B, BM25_K1
from ir_core.evaluation import Column, Difference, Evaluation
from scripts._published import PUBLISHED, TOLERANCE

SHOWN = ("ndcg@10", "recall@5", "all_gold_recall@5")
HEAD = (
    "transform", "leg", "nDCG@10", "difference", "recall@5", "difference", "all-gold recall@5", "difference",
    "won / tied / lost", "n", "fell back",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Section:
    """One set in one leg."""

    set: str
    leg: str
    evaluation: Evaluation


INTRODUCTION = """# What each transform does, with no LLM

The usual transforms in each leg, written by the corpus writer (the corpus' own statistics, no LLM) with its default
settings, on public test collections. Made by

    python -m scripts.transform_table --data FOLDER

where FOLDER holds the sets in BEIR's layout. Whole documents, all-MiniLM-L6-v2 (256 tokens), BM25 with k1 {k1:g} and
b {b:g}, both legs read 50 deep and joined by reciprocal rank fusion (k = 60).

- {measured}
- A difference is to the original on the same queries, with the 95 % interval of a paired bootstrap over them (9,999
  resamples). Bold: the interval leaves out zero, which is no test: with few queries or many ties
  such an interval is too short (docs/evidence.md), and none is corrected for how many stand here. Anything else is no
  evidence of a difference.
- Won, tied and lost count queries by nDCG@10. All-gold recall is 1 where every needed document is in the top five.
- Fell back: the share of queries for which there was nothing to write, and the original was searched.
- A follow-up is searched as its last turn; transforms whose writer uses the history are given it.
- Transforms that add to a query and those that go in hops have tables of their own: docs/expansion.md, docs/hops.md.
- Rows are called by what was really made: without an LLM, HyDE's place is taken by feedback passages. They change
  the dense leg only, as HyDE's passage would.
- The embedder reads English only: the dense leg of the Arabic set is noise.
"""
HALVES = {
    "test": "Queries whose id has an odd SHA-256; settings were chosen on the even ones.",
    "tune": "Queries whose id has an even SHA-256, on which settings are chosen: not for reporting.",
}
AGREEMENT = """## Agreement with published baselines

The original alone, on all queries, with the settings the baselines were measured with (k1 0.9, b 0.4, whole
documents), beside their figures.
"""


def page(sections: Sequence[Section], baselines: Sequence[Section], split: str) -> str:
    head = INTRODUCTION.format(k1=BM25_K1, b=BM25_B, measured=HALVES[split])
    return "\n".join([head, transforms_table(sections), AGREEMENT, baselines_table(baselines), ""])


def transforms_table(sections: Sequence[Section]) -> str:
    """One table per set: a row per transform and leg."""
    parts = []
    for name in dict.fromkeys(section.set for section in sections):
        own = [section for section in sections if section.set == name]
        first = own[0].evaluation
        left_out = f"; {len(first.excluded)} without a judgement left out" if first.excluded else ""
        parts.append(f"## {name}\n\n{first.n} queries{left_out}.\n")
        parts += ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
        for section in own:
            parts += [_row(section, column) for column in section.evaluation.columns]
        parts.append("")
    return "\n".join(parts)


def _row(section: Section, column: Column) -> str:
    total = section.evaluation.summary(column)
    is_original = column is section.evaluation.columns[0]
    cells = [column.titles[0] if column.titles else column.label, section.leg]
    for name in SHOWN:
        mean = total.means[name]
        cells += ["" if mean is None else f"{mean:.3f}", "" if is_original else difference(total.difference[name])]
    main = total.difference[SHOWN[0]]
    cells.append("" if is_original else f"{main.wins} / {main.ties} / {main.losses}")
    cells += [str(total.n), "" if total.fallback_rate is None else f"{total.fallback_rate:.0%}"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def difference(found: Difference) -> str:
    """With its interval; bold where zero lies outside it."""
    if found.mean is None or found.low is None or found.high is None:
        return "" if found.mean is None else f"{found.mean:+.3f}"
    text = f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
    return f"**{text}**" if found.is_evidence else text


def baselines_table(sections: Sequence[Section]) -> str:
    """The original's figures beside the published ones; ``agrees`` is within the tolerance on both measures."""
    lines = [
        "| set | leg | nDCG@10 | published | recall@10 | published | within .005 |",
        "|---|---|---|---|---|---|---|",
    ]
    for section in sections:
        published = PUBLISHED.get((section.set, section.leg))
        if published is None:
            continue
        total = section.evaluation.summary(section.evaluation.columns[0])
        own = [total.means["ndcg@10"], total.means["recall@10"]]
        pairs = [(mine, theirs) for mine, theirs in zip(own, published, strict=True) if theirs is not None]
        agrees = all(mine is not None and abs(mine - theirs) <= TOLERANCE + 5e-4 for mine, theirs in pairs)
        cells = [section.set, section.leg]
        for mine, theirs in zip(own, published, strict=True):
            cells += ["" if mine is None else f"{mine:.3f}", "" if theirs is None else f"{theirs:.3f}"]
        lines.append("| " + " | ".join([*cells, "yes" if agrees else "no"]) + " |")
    return "\n".join(lines)
