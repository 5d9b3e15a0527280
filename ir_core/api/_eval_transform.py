"""A lecture's one-line evaluation of a transform: recall, answers, and the time it adds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ir_core import compare
from ir_core.api._base import turns_of
from ir_core.api._provider import LlmProvider, NoSearch, NoWriter, writer_of
from ir_core.api._ranks import rrf
from ir_core.errors import BadInput, WriterError
from ir_core.evaluation.answer_scores import answer_of, gold_of
from ir_core.evaluation.judging import ANSWER_TASK
from ir_core.evaluation.means import mean
from ir_core.evaluation.measures import parse, score
from ir_core.protocols import RunContext, Timer
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Hit, SearchResult, Task, Turn
from ir_core.transforms import TRANSFORMS

RECALL = "recall@10"
READ = 10
"""Hits that recall looks at; an answerer reads the first five."""
ANSWERED_FROM = 5


@dataclass(frozen=True, slots=True)
class Example:
    """One item of an evaluation set."""

    query: str
    relevant: Mapping[str, int]
    answers: tuple[str, ...]
    history: tuple[Turn, ...]
    more: Mapping[str, Any]


def examples_of(eval_set: Iterable[Mapping[str, Any]]) -> list[Example]:
    """:raises BadInput: naming the item that has no query, or when there is none at all."""
    found = []
    for number, item in enumerate(eval_set, start=1):
        query = item.get("query") if isinstance(item, Mapping) else None
        if not isinstance(query, str) or not query.strip():
            raise BadInput(
                f"Item {number} of the evaluation set has no query. Write each as "
                '{"query": "…", "relevant": ["document id"], "answers": ["…"], "history": []}.'
            )
        relevant, answers = item.get("relevant") or (), item.get("answers") or ()
        grades = relevant if isinstance(relevant, Mapping) else dict.fromkeys(_several(relevant), 1)
        found.append(
            Example(
                query, {str(name): int(grade) for name, grade in grades.items()}, tuple(map(str, _several(answers))),
                tuple(turns_of(item.get("history") or ())), item,
            )
        )  # fmt: skip
    if not found:
        raise BadInput("The evaluation set is empty. Give at least one query with its relevant documents.")
    return found


def measured(
    fn: Callable[..., Any],
    examples: Sequence[Example],
    engine: Engine,
    provider: LlmProvider | None,
    answerer: LlmProvider | None,
) -> dict[str, float | None]:
    """See ``lecture.eval_transform``."""
    _searched(engine, examples[0].query)  # what is loaded once is nobody's latency
    given = _given(fn, corpus=engine, llm_provider=provider)
    runs: dict[str, list[str]] = {}
    right: list[float] = []
    extra = []
    for number, one in enumerate(examples):
        base = Timer()
        _searched(engine, one.query)
        seconds, timer = base.seconds, Timer()
        hits = _hits(fn(one.query, **given, **_own(fn, one)), engine)
        extra.append(timer.seconds - seconds)
        runs[str(number)] = list(dict.fromkeys(hit.artifact_id for hit in hits))[:READ]
        if answerer is not None and gold_of(one.answers):
            answer = _answered(writer_of(answerer, engine), one, hits)
            right += [] if answer is None else [answer]
    judged = {str(n): one.relevant for n, one in enumerate(examples) if max(one.relevant.values(), default=0) > 0}
    scores = score([parse(RECALL)], judged, {name: runs[name] for name in judged})
    return {
        RECALL: mean([own[RECALL] for own in scores.values()]),
        "answer_acc": mean(right),
        "extra_latency_ms": 1_000 * sum(extra) / len(extra),
    }


def _answered(writer: Any, one: Example, hits: Sequence[Hit]) -> float | None:
    """1 for a right answer, 0 for a wrong one and for none; None where the writer failed."""
    context = RunContext(writer=writer, searcher=NoSearch())
    try:
        said = context.write(Task(ANSWER_TASK, one.query, one.history, hits=tuple(hits[:ANSWERED_FROM])))[0].text
    except WriterError:
        return None
    found = answer_of(said, one.answers, ANSWERED_FROM)
    return float(found.exact or found.holds)


def _hits(given: Any, engine: Engine) -> list[Hit]:
    """What a function of the lecture or the course gave, as one list: hits as they are, texts searched with."""
    if isinstance(given, str):
        return _searched(engine, given)
    if isinstance(given, SearchResult):
        return list(given.fused.hits)
    if isinstance(given, Mapping) and "results" in given:  # of course.query
        return [_hit(one["id"], one.get("text", ""), rank) for rank, one in enumerate(given["results"], start=1)]
    if isinstance(given, Mapping):  # evidence by sub-question
        return rrf([list(hits) for hits in given.values()])
    items = list(given)
    if items and all(isinstance(one, str) for one in items):
        return rrf([_searched(engine, text) for text in items])
    if all(isinstance(one, Hit) for one in items):
        return items
    raise BadInput("The function gave neither hits nor texts to search with. Return a text, texts or a list of hits.")


def _hit(name: str, text: str, rank: int) -> Hit:
    return Hit(name, name, "", text, "", {}, rank, 1.0 / rank)


def _searched(engine: Engine, text: str) -> list[Hit]:
    settings = SearchSettings(k=READ)
    made = compare.formulate(engine, TRANSFORMS.make("identity"), text, (), NoWriter(), settings)
    return list(search(engine, made, settings).fused.hits)


def _own(fn: Callable[..., Any], one: Example) -> dict[str, Any]:
    """What the function wants to know of a query besides."""
    return _given(fn, history=one.history, qtype=one.more.get("qtype"))


def _given(fn: Callable[..., Any], **values: Any) -> dict[str, Any]:
    try:
        wanted = inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return {}
    return {name: value for name, value in values.items() if name in wanted and value is not None}


def _several(value: Any) -> Sequence[Any]:
    return (value,) if isinstance(value, str) else tuple(value)
