"""The ship gate on the samples, with three writers: docs/gate.md.

    python -m scripts.gate_table

Corpus writer, authored examples, and the local model, each under its name. This page is the only place where authored
examples are measured: they say what a transform does with good texts, not what any writer does. A section stands in
the page as soon as it is measured, in place of the same of an earlier run, so that one of them can be made anew:
``--corpora skills --writers local``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from ir_core.cli._progress import Reporter
from ir_core.evaluation.gate import MEASURE, gate
from ir_core.evaluation.gate_result import BOSS, TRANSFORMS, Gate, SetResult, Trial
from ir_core.protocols import RunContext, Writer
from ir_core.retrieval import SearchSettings
from ir_core.schema import Task, Written
from ir_core.session import open_engine, prepare, warm_up
from ir_core.writers import AuthoredWriter, open_writer
from ir_core.writers.authored import Example, example_for
from ir_core.writers.corpus import CorpusWriter

PAGE = Path("docs/gate.md")
SAMPLES = ("help_center", "procurement", "skills", "packages", "sessions", "bilingual")
WRITERS = ("corpus", "authored", "local")

INTRODUCTION = f"""# The ship gate on the samples

`query-prism gate --corpus NAME --writer W` asks whether HyDE, multi-query or decomposition is worth shipping. On the
corpus' hardest questions (the boss set) one must gain 10 points of {MEASURE} over the plain query, and fall on no
regression set by more than its paired interval; every question must be ranked, at most 20 % may fall back, and
latency and cost must be known. Made by

    python -m scripts.gate_table

all-MiniLM-L6-v2 and BM25, hybrid, default settings.

- **corpus**: no LLM. In HyDE's place stand feedback passages.
- **authored**: texts written by hand for the samples, as a capable writer might put them. No model's output, and no
  evidence of how one would do; where a question has none, the corpus writer's. They are measured here and nowhere
  else, and their seconds are those of the search alone. Those of `skills` and `bilingual` were not written blind
  (`sample_corpora/AUTHORED.md`): take their gains for what good texts can reach at best.
- **local**: SmolLM2-135M-Instruct (4 bits) on this machine, a real writer and a weak one. It is slow, so it is
  given the boss set alone and that nothing falls is untested, unless a section has a regression set (`--whole`).
- A gain is the mean paired difference to none; its bootstrap interval is at the level corrected over the three. By
  chance: the probability of a difference this large, either way, with no true effect (paired randomisation test; in
  brackets Holm over the three). Questions about one document, or of one conversation, count as one group.
- A pass goes by the size of the gain and is no evidence: read the probability beside it. Seconds are of a machine
  that did other work as well.
- Each boss set has ten questions, which can show only large gains. No judge rated the results, so that branch of the
  gate is untested.
- The embedder reads English; half of `bilingual` is Arabic, which BM25 alone can find.
"""


class Authored:
    """Each query's own examples; whatever has none goes to the corpus writer, whose call says so."""

    name, label, is_llm = "authored", "authored", False

    def __init__(self, examples: Iterable[Example], otherwise: CorpusWriter) -> None:
        self._examples, self._otherwise = list(examples), otherwise
        self._writers = [AuthoredWriter(one, otherwise) for one in self._examples]
        self.tasks = otherwise.tasks.union(*(one.tasks for one in self._writers))
        self.reads_history = frozenset(task for one in self._examples for task in one.texts)

    def write(self, task: Task, context: RunContext) -> list[Written]:
        found = example_for(self._examples, task.query, task.history)
        writer = self._otherwise if found is None else self._writers[self._examples.index(found)]
        return writer.write(task, context)


def section(corpus: str, name: str, found: Gate, with_examples: str = "") -> str:
    boss = found.sets[0]
    level = next(f"{100 * one.level:.3g} %" for one in boss.evidence if one)
    said = "**Passed**" if found.passed else "**Not passed**"
    where = ", ".join(f"on the set {one.name!r}" for one in found.sets[1:] if one.untested())
    if found.passed and (where or len(found.sets) == 1):
        said = f"**Passed** on the boss set; that nothing falls {where or 'elsewhere'} is untested"
    lines = [
        f"{_heading(corpus, name)}\n",
        f"Boss set: {boss.n} questions in {boss.n_groups} groups{with_examples}. {said}.\n",
        f"| transform | made | {MEASURE} | gain [{level}] | by chance (Holm) | judge | seconds | $ per query "
        "| fell back |",
        "|---|---|---|---|---|---|---|---|---|",
        *map(_trial, found.transforms),
        "",
        "| set | n | groups | " + " | ".join(TRANSFORMS) + " |",
        "|---|---|---|" + "---|" * len(TRANSFORMS),
        *map(_set, found.sets),
        "",
        "| gain by category | " + " | ".join(list(TRANSFORMS)[1:]) + " | best |",
        "|---|" + "---|" * len(TRANSFORMS),
        *(_category(found, category) for category in found.routed),
        "",
        f"Routed to the best of each category, chosen on these questions: {MEASURE} {_score(found.routed_recall)}.\n",
        *(f"- {reason}" for reason in found.reasons),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _trial(one: Trial) -> str:
    proof = one.evidence
    gain, chance = "baseline", ""
    if proof is not None:
        gain = f"{_signed(proof.mean)} [{_signed(proof.low)}, {_signed(proof.high)}]"
        chance = "" if proof.p is None else f"{proof.p:.3f} ({proof.p_holm:.3f})"
    judge = "not measured" if one.judge_score is None else f"{one.judge_score:.0f}"
    seconds = "unknown" if one.latency_s is None else f"{one.latency_s:.3f}"
    cost = "unknown" if one.cost_usd is None else f"{one.cost_usd:.4g}"
    fell = "unknown" if one.fallback_rate is None else f"{one.fallback_rate:.0%}"
    return (
        f"| {one.transform} | {one.title} | {_score(one.recall)} | {gain} | {chance} | {judge} | {seconds} | {cost} "
        f"| {fell} |"
    )


def _set(one: SetResult) -> str:
    cells = []
    for slot, (mean, proof) in enumerate(zip(one.means, one.evidence, strict=True)):
        gain = "" if proof is None else f" ({_signed(proof.mean)} [{_signed(proof.low)}, {_signed(proof.high)}])"
        falls = ", falls" if one.name != BOSS and one.falls(slot) else ""
        cells.append(f"{_score(mean)}{gain}{falls}")
    return f"| {one.name} | {one.n} | {one.n_groups} | {' | '.join(cells)} |"


def _category(found: Gate, category: str) -> str:
    gains = " | ".join(_signed(one.by_category[category]) for one in found.transforms[1:])
    return f"| {category} | {gains} | {found.routed[category]} |"


def _score(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.3f}".replace("+0.000", "0.000").replace("-0.000", "0.000")


@click.command()
@click.option("--corpora", default=",".join(SAMPLES), help="Which of them, joined by commas.")
@click.option("--writers", default=",".join(WRITERS), help="Which of them, joined by commas.")
@click.option("--whole", is_flag=True, help="The local writer's regression sets as well: hours.")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE)
def main(corpora: str, writers: str, whole: bool, out: Path) -> None:
    for name in writers.split(","):
        for corpus in corpora.split(","):
            print(corpus, name, file=sys.stderr)
            _put(out, measured(corpus, name, whole))


def measured(corpus: str, name: str, whole: bool) -> str:
    """The section of one corpus and writer."""
    prepared = prepare(corpus)
    engine = open_engine(prepared, make_current=False)
    free = open_writer("corpus", index=engine.index)
    assert isinstance(free, CorpusWriter)
    queries, qrels, told = prepared.corpus.queries(), prepared.corpus.qrels(), ""
    boss = [query for query in queries if query.set == BOSS]
    writer: Writer = free if name == "corpus" else open_writer("local", index=engine.index)
    if name == "authored":
        examples = prepared.corpus.authored()
        writer = Authored(examples, free)
        count = sum(example_for(examples, query.text, query.history) is not None for query in boss)
        told = f", {count} with authored texts"
    if name == "local" and not whole:
        queries, told = boss, ", alone"
    warm_up(engine, writer)
    report = Reporter()
    found = gate(
        engine, queries, qrels, writer=writer, settings=SearchSettings(), on_progress=report,
        authored=name == "authored",
    )  # fmt: skip
    report.close()
    return section(corpus, name, found, told)


def _put(page: Path, made: str) -> None:
    """In its place, in the order of corpora and writers; whatever else is a section of these stays."""
    told = page.read_text("utf-8") if page.is_file() else ""
    kept = {one.partition("\n")[0]: one for one in (*re.split(r"^(?=## )", told, flags=re.MULTILINE)[1:], made)}
    wanted = (_heading(corpus, name) for corpus in SAMPLES for name in WRITERS)
    parts = (kept[heading].rstrip() + "\n" for heading in wanted if heading in kept)
    page.write_text("\n".join([INTRODUCTION, *parts]), "utf-8")


def _heading(corpus: str, name: str) -> str:
    return f"## {corpus}, {name} writer"


if __name__ == "__main__":
    main()
