"""The router on judged queries: how well deciders tell the labels, and what routing by them gives: docs/router.md.

    python -m scripts.router_table [--data FOLDER]

FOLDER holds public sets in BEIR's layout; without it the sample corpora alone are measured. Rules, thresholds and our
table were set on the tune split; figures are of the test split (``--choose`` prints what is chosen from, on tune).
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from ir_core import session
from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.evaluation import judged_queries
from ir_core.evaluation.labelling import labelling
from ir_core.evaluation.replay import Cell, Measured, Outcome, condensed, expected, measured, outcome, routed_cell
from ir_core.library import JudgedQuery, Qrels
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.router import DECIDERS, LABELS, Context, Decision, Labelled, Route, labelled, published
from ir_core.writers import open_writer
from ir_core.writers.recorded import RecordedWriter
from scripts._by_task import ByTask
from scripts._router_text import (
    SETTINGS_OF_PLAIN,
    Section,
    Strategy,
    Told,
    best_threshold,
    chosen_from,
    page,
    thresholds_told,
)
from scripts.fit_rules import SAMPLES, left_out, seen
from scripts.fit_rules import told as fitted_told

PAGE = Path("docs/router.md")
FIRST = ("help_center", "procurement")
"""Their test split is not untouched; the other samples' is."""
SETS = ("mtrag_govt", "codebase", "hotpotqa_train100", "musique_train100", "scifact")
RECORDED = {
    "mtrag_govt": (
        "the benchmark's rewrites",
        {"rewrite": "queries_rewrite.jsonl", "condense": "queries_rewrite.jsonl"},
    ),
    "scifact": ("GPT-4.1's passages as HyDE", {"hyde": "recorded/query2doc-zs__gpt-4.1.jsonl"}),
}
"""By set: what was written, and the file for each task; the corpus writer does the others."""
MOST = 150
"""Queries of a public set's half, the first by id: enough for an interval of some hundredths, in minutes."""
RULES = DECIDERS.make("rules")
THRESHOLDS = [step / 20 for step in range(21)]


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="Folder of BEIR folders.")
@click.option("--sets", default=",".join(SETS), show_default=True, help="Of the folder.")
@click.option("--choose", is_flag=True, help="Print each transform's mean by label on the tune split, and stop.")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True)
def main(data: Path | None, sets: str, choose: bool, out: Path) -> None:
    samples = {name: opened(name) for name in SAMPLES}
    if choose:
        print(chosen(samples))
        return
    fitted = seen()
    told = labels_told(samples)
    sections = []
    for name in [*SAMPLES, *(sets.split(",") if data else ())]:
        engine, queries, qrels = samples[name] if name in samples else opened(str((data or Path()) / name))
        corpus = open_writer("corpus", index=engine.index)
        sections.append(section(name, engine, queries, qrels, corpus))
        if name in RECORDED and data:
            what, files = RECORDED[name]
            written = {
                task: RecordedWriter(data / name / file, task=task, queries=queries) for task, file in files.items()
            }
            sections.append(section(f"{name}, {what}", engine, queries, qrels, ByTask(written, corpus)))
        engine.index.close()
        print(f"{name}: done", file=sys.stderr)
    out.write_text(page(told, fitted_told(fitted, left_out(fitted)), sections, SAMPLES), "utf-8")
    print(f"{out} is written.", file=sys.stderr)


def opened(name: str) -> tuple[Engine, list[JudgedQuery], Qrels]:
    prepared = session.prepare(name, strategy={"name": "WholeText"})
    engine = session.open_engine(prepared, make_current=False)
    return engine, list(prepared.corpus.queries()), prepared.corpus.qrels()


def chosen(samples: dict[str, tuple[Engine, list[JudgedQuery], Qrels]]) -> str:
    """On the tune split of all samples: each transform's mean by label, and what each threshold of the signal decider
    gives with our table."""
    by_label: dict[str, list[Measured]] = {label: [] for label in LABELS}
    sums: Counter[float] = Counter()
    n = 0
    for engine, queries, qrels in samples.values():
        rows = rows_of(engine, queries, qrels, "tune", open_writer("corpus", index=engine.index))
        for row in rows:
            by_label[row.query.category or "simple"].append(row)
        sums.update(at_thresholds(engine, rows))
        n += len(rows)
    return chosen_from(by_label) + "\n" + thresholds_told(sums, n)


def labels_told(samples: dict[str, tuple[Engine, list[JudgedQuery], Qrels]]) -> dict[str, dict[str, Told]]:
    """By decider: true and given labels of all the samples' queries, of the first two and of the others."""
    known = labelled([query for _, queries, _ in samples.values() for query in queries])
    groups = {"all": SAMPLES, "first": FIRST, "others": [name for name in SAMPLES if name not in FIRST]}
    found: dict[str, dict[str, Told]] = {}
    for decider in ("rules", "examples"):
        pairs = {}
        for name, (engine, queries, _) in samples.items():
            given = decided(engine, queries, decider, known)
            pairs[name] = [(query.split, query.category or "", given[query.id].label) for query in queries]
        found[decider] = {
            group: Told.of([one for name in names for one in pairs[name]], labelling)
            for group, names in groups.items()
        }
    return found


def decided(
    engine: Engine, queries: list[JudgedQuery], decider: str = "rules", known: tuple[Labelled, ...] = ()
) -> dict[str, Decision]:
    context = Context(engine, open_writer("corpus", index=engine.index), SearchSettings(k=10), known)
    made = DECIDERS.make(decider)
    return {query.id: made.decide(query.text, query.history, context) for query in queries}


def routes() -> list[Route]:
    """Every default transform, condense, and whatever the tables have besides."""
    found = [Route(name) for name in (*DEFAULT_TRANSFORMS, "condense")]
    for table in published().values():
        found += [one for one in table.choices if one.settings and one not in found]
    return found


def rows_of(engine: Engine, queries: list[JudgedQuery], qrels: Qrels, split: str, writer: Writer) -> list[Measured]:
    wanted = [query for query in queries if query.split == split]
    judged, _ = judged_queries(sorted(wanted, key=lambda query: query.id)[:MOST], qrels)
    return [measured(engine, query, routes(), qrels, writer, SearchSettings()) for query in judged]


def section(name: str, engine: Engine, queries: list[JudgedQuery], qrels: Qrels, writer: Writer) -> Section:
    tuned, rows = (rows_of(engine, queries, qrels, split, writer) for split in ("tune", "test"))
    sums = at_thresholds(engine, tuned)
    decisions = decided(engine, [row.query for row in rows])
    given = Counter(one.label for one in decisions.values())
    strategies: list[Strategy] = []
    for table in published().values():
        followed: dict[str, Cell] = {}
        for row in rows:
            if found := condensed(engine, row.query, RULES, table, writer, SearchSettings(k=10)):
                followed[row.query.id] = routed_cell(row.query, found, qrels)
        outcomes = [outcome(row, decisions[row.query.id], table, followed.get(row.query.id)) for row in rows]
        strategies.append(Strategy.routed(f"{table.title}: rules", outcomes))
        if table.name == "ours":
            strategies.append(by_signal(engine, sums, rows, followed))
        drawn = [expected(row, given, table, followed.get(row.query.id)) for row in rows]
        strategies.append(Strategy(f"{table.title}: random labels, as often", drawn))
        strategies.append(Strategy(f"{table.title}: oracle", [one.best_value for one in outcomes]))
    plain = [plain_values(engine, rows, qrels, how) for how in SETTINGS_OF_PLAIN.values()]
    best_plain = [max(values) for values in zip(*plain, strict=True)]
    return Section(name, tuned, rows, given, strategies, best_plain, sums)


def at_thresholds(engine: Engine, tuned: list[Measured]) -> dict[float, float]:
    """Sum over the tune rows of what our table gives with the signal decider at each threshold."""
    searched = decided(engine, [row.query for row in tuned], "signal")
    return {t: sum(one.value for one in held(engine, tuned, searched, t, {})) for t in THRESHOLDS}


def by_signal(engine: Engine, sums: dict[float, float], rows: list[Measured], followed: dict[str, Cell]) -> Strategy:
    """Our table with the signal decider, at the best threshold of the set's own tune rows."""
    best = best_threshold(sums)
    outcomes = held(engine, rows, decided(engine, [row.query for row in rows], "signal"), best, followed)
    return Strategy.routed(f"Ours: signal, threshold {best:g} from tune", outcomes)


def held(
    engine: Engine,
    rows: list[Measured],
    searched: dict[str, Decision],
    threshold: float,
    followed: dict[str, Cell],
) -> list[Outcome]:
    """Our table with the signal decider at another threshold; ``searched`` are its decisions at any."""
    context = Context(engine, open_writer("corpus", index=engine.index), SearchSettings(k=10))
    signal = DECIDERS.make("signal", {"threshold": threshold})
    made = []
    for row in rows:
        decision = searched[row.query.id]
        if decision.original is not None:
            rule = RULES.decide(row.query.text, row.query.history, context)
            decision = signal.held(rule, decision.original)  # type: ignore[attr-defined]
        made.append(outcome(row, decision, published()["ours"], followed.get(row.query.id)))
    return made


def plain_values(engine: Engine, rows: list[Measured], qrels: Qrels, settings: SearchSettings) -> list[float]:
    writer = open_writer("corpus", index=engine.index)
    found = [measured(engine, row.query, [Route("identity")], qrels, writer, settings) for row in rows]
    return [row.cells["identity"].value for row in found]


if __name__ == "__main__":
    main()
