"""A writer that plans with MuSiQue's gold sub-questions (Trivedi et al., TACL 2022), to measure what comes after the
plan: never a setting, since it knows what a user's question does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir_core.errors import WriterError
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext, Timer, Writer
from ir_core.retrieval import clean_query
from ir_core.schema import Call, Task, Written


class GoldHops:
    """Gold plans; answers by another writer, or, with ``answered``, the gold ones, already in place.

    :param extractor: does the task ``extract_answer``.
    """

    is_llm = False

    def __init__(self, queries: Sequence[JudgedQuery], extractor: Writer, *, answered: bool) -> None:
        self.name = self.label = "MuSiQue's gold sub-questions" + (" and answers" if answered else "")
        self.tasks = frozenset({"plan_hops", "extract_answer"})
        self.extractor = extractor
        self.plans = {clean_query(query.text)[0]: plan_of(query, answered) for query in queries}

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """:raises WriterError: for a question without a gold plan."""
        if task.name == "extract_answer":
            return self.extractor.write(task, context)
        timer = Timer()
        plan = self.plans.get(task.query, ())
        context.record(
            Call(task.name, self.label, texts=plan, cost_usd=0.0, started=timer.started, seconds=timer.seconds)
        )
        if not plan:
            raise WriterError("This question has no gold sub-questions.")
        return [Written(text) for text in plan]


def plan_of(query: JudgedQuery, answered: bool) -> tuple[str, ...]:
    """The sub-questions in order, "#1" standing for the first one's answer, or with the gold answers in place."""
    steps: Sequence[Mapping[str, str]] = query.metadata.get("decomposition") or ()
    texts = [step["question"] for step in steps]
    if answered:
        for number, step in reversed(list(enumerate(steps, start=1))):
            texts = [text.replace(f"#{number}", step["answer"]) for text in texts]
    return tuple(texts)
