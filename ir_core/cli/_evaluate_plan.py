"""From the options of ``evaluate`` to a run that can begin: its indexes, writers, judge and queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ir_core.cli import _judge, _query_sets
from ir_core.cli._evaluate_beside import check_beside
from ir_core.cli._evaluate_writers import check_judge, check_prices, judge_plan, with_labels, writer_plan
from ir_core.cli._opening import build
from ir_core.cli._options import names
from ir_core.cli._settings import IndexOptions, SearchOptions, choices, taken
from ir_core.errors import BadInput, BadSetting, UnknownName

if TYPE_CHECKING:
    from ir_core.jobs import Job
    from ir_core.library import JudgedQuery
    from ir_core.retrieval import Engine
    from ir_core.session import Prepared

COMMAND = "command.json"
"""In the job's folder: what of the command the plan does not say, such as which of the queries were asked for."""
SETS = ("query_set", "queries_file", "qrels_file", "mapping")


@dataclass(frozen=True)
class Part:
    prepared: Prepared
    engine: Engine


def begin(options: dict[str, Any]) -> Job:
    """The run, written down and not begun. Everything that can be refused is refused here.

    :raises QueryPrismError: with what is wrong, before anything slow where that can be told.
    """
    from ir_core.evaluation import DEFAULT_MEASURES, Plan, create, parse
    from ir_core.evaluation.oddities import EMPTY, oddities
    from ir_core.jobs import JobStore
    from ir_core.jobs.folder import replace_file

    named = {name: options[name] for name in SETS}
    _query_sets.check(named)
    judging = _judge.taken_judge(options)
    wanted = [parse(name).name for name in names("--measures", options["measures"])] or list(DEFAULT_MEASURES)
    search = taken(SearchOptions, options)
    search.settings()
    transforms = choices(options["pairs"], options["transforms"])
    by = [writer_plan(name, options) for name in dict.fromkeys(options["writers"] or ("corpus",))]
    if options["max_usd"] is not None:
        check_prices(by)
    parts = _parts(options)
    prepared, engine = parts[0].prepared, parts[0].engine
    judged = _query_sets.chosen(prepared.corpus, named)
    asked, told, selection = _asked(judged.queries, options)
    if not judged.queries:
        raise BadInput(EMPTY)
    if not asked:
        raise BadInput(f"{prepared.name!r} has no such queries to measure with; it has {len(judged.queries)} in all.")
    modes = modes_of(options) or (_mode(parts[0]),)
    settings = search.settings(modes[0])
    plan = Plan(
        corpus=prepared.name, index=engine.index.manifest.fingerprint, transforms=tuple(transforms),
        modes=modes, measures=tuple(wanted), split=options["split"] or "all",
        max_calls=options["max_calls"], max_usd=options["max_usd"], dense_weight=settings.dense_weight,
        lexical_weight=settings.lexical_weight, use_cache=not options["no_cache"],
        controls=tuple(names("--controls", options["controls"])),  # type: ignore[arg-type]
        query_set=options["query_set"], samples=options["samples"], filter=settings.filter,
        surfaces=settings.surfaces, depth=settings.depth, reranker=options["reranker"],
        selection=selection,
    )  # fmt: skip
    plan = plan.crossed([(one.engine.index.manifest.fingerprint, _named(one, parts)) for one in parts], by)
    plan = with_labels(plan, engine, judged.queries, options["record"])
    plan = replace(plan, judge=judge_plan(judging, plan, options), measures=tuple(wanted))
    check_judge(plan, engine)
    for one in parts:
        plan.settings(modes[0]).check_kinds(one.engine.index.manifest.kinds)
        one.engine.index.allowed(plan.filter, plan.surfaces)
    if options["beside"]:
        check_beside(plan, asked, options["beside"])
    held = {one.engine.index.manifest.fingerprint: set(one.engine.index.artifact_ids) for one in parts}
    title = prepared.corpus.info.title + (f" ({told})" if told else "")
    job = create(plan, asked, judged.qrels, title=title, store=JobStore(), held=held)
    selected = {
        "category": names("--category", options["category"]) or None, "split": options["split"],
        "limit": options["limit"], "measures": wanted, **judged.config,
    }  # fmt: skip
    notes = oddities(asked, judged.qrels, set(engine.index.artifact_ids), whole=judged.queries)
    info = prepared.corpus.info
    called = str(info.path) if info.kind == "folder" and not info.created else info.name
    more = {"corpus": called, "text_column": prepared.text_column, "queries": selected, "notes": notes}
    replace_file(job.folder / COMMAND, more)
    return job


def modes_of(options: Mapping[str, Any]) -> tuple[Any, ...]:
    """Of ``--modes``, else of ``--mode``; empty where neither was given."""
    return tuple(names("--modes", options["modes"])) or ((options["mode"],) if options["mode"] else ())


def _mode(part: Part) -> Any:
    from ir_core.retrieval import default_mode

    mode, reason = default_mode(part.engine.index.manifest, part.prepared.embedder, None)
    if reason:
        click.echo(reason, err=True)
    return mode


def _parts(options: Mapping[str, Any]) -> list[Part]:
    """An index for each strategy, built where it is due; the one in use stays in use.

    :raises BadSetting: for more than are kept.
    """
    from ir_core.index.folders import KEEP, corpus_folder
    from ir_core.strategies import STRATEGIES

    found: dict[str, Part] = {}
    asked = options["strategy"] or (None,)
    listed = {STRATEGIES.get(text.partition(":")[0]).name for text in options["strategy"]}
    for text in asked:
        name, _, own = (text or "").partition(":")
        others = listed - {STRATEGIES.get(name).name} if name else set()
        pairs = tuple(pair for pair in options["pairs"] if _owner(pair) not in others)
        pairs += tuple(f"{name}.{pair}" for pair in own.split(",") if pair.strip())
        prepared = taken(IndexOptions, {**options, "strategy": name or None, "pairs": pairs}).prepare()
        engine = build(prepared, options["reranker"], make_current=False)
        found.setdefault(engine.index.manifest.fingerprint, Part(prepared, engine))
    gone = [one for one in found if not (corpus_folder(prepared.name) / one).is_dir()]
    if gone:
        raise BadSetting(
            f"{len(found)} strategies are too many: of one corpus {KEEP} indexes are kept, the one in use among "
            "them. Leave some out."
        )
    return list(found.values())


def _owner(pair: str) -> str:
    """The strategy a ``--set`` is for, by its own name; blank where it is for none."""
    from ir_core.strategies import STRATEGIES

    owner = pair.partition("=")[0].rpartition(".")[0].strip()
    return str(STRATEGIES.get(owner).name) if owner and owner in STRATEGIES else ""


def _named(part: Part, parts: Sequence[Part]) -> str:
    from ir_core.strategies import strategy_words

    words = [strategy_words(one.engine.index.manifest.strategy) for one in parts]
    own = part.engine.index.manifest
    name = strategy_words(own.strategy)
    return f"{name}, {own.fingerprint[:8]}" if words.count(name) > 1 else name


def _asked(queries: Sequence[JudgedQuery], options: Mapping[str, Any]) -> tuple[list[JudgedQuery], str, str]:
    """Those the options leave, how in short, and as ``Plan.selection``.

    :raises UnknownName: for a category or split that no query has.
    """
    categories, split, limit = names("--category", options["category"]), options["split"], options["limit"]
    known = {query.category for query in queries if query.category}
    for name in categories:
        if name not in known:
            raise UnknownName("category of queries", name, known)
    splits = {query.split for query in queries if query.split}
    if split is not None and split not in splits:
        raise UnknownName("split of the queries", split, splits)
    found = [
        query
        for query in queries
        if (not categories or query.category in categories) and split in (None, query.split)
    ]
    told = [*([", ".join(categories)] if categories else []), *([f"first {limit}"] if limit else [])]
    told += [Path(options["queries_file"]).name] if options["queries_file"] else []
    cut = limit is not None and limit < len(found)
    if not (cut or categories or options["queries_file"]):
        return found, ", ".join(told), ""
    said = [("the first query" if limit == 1 else f"the first {limit} queries") if cut else "all judged queries"]
    said += [f"of category {' or '.join(categories)}"] if categories else []
    said += [f"of the {split} half"] if split else []
    said += [f"of {Path(options['queries_file']).name}"] if options["queries_file"] else []
    said += [f"of the set {options['query_set']}"] if options["query_set"] else []
    return found[:limit], ", ".join(told), " ".join(said)
