"""One short call to a model, as in Adaptive-RAG (Jeong et al., NAACL 2024), where a classifier picks the strategy."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ir_core.errors import Cancelled, QueryPrismError
from ir_core.protocols import RunContext, Timer
from ir_core.retrieval import IndexSearcher
from ir_core.router.deciders.rules import Rules
from ir_core.router.decision import Context, Decision, Reason
from ir_core.router.labels import TITLES, label_named
from ir_core.schema import Task, Turn
from ir_core.secrets import log_failure

log = logging.getLogger(__name__)
TASK = "classify"
MOST_QUOTED = 60
FELL_BACK = "Rules decided in place of the model. "
"""Begins the reason; what follows says why."""


@dataclass(frozen=True)
class Llm:
    """The answer has to be the name of a label; whatever else it is, rules decide and the decision says so."""

    name: ClassVar[str] = "llm"
    label: ClassVar[str] = "LLM"
    summary: ClassVar[str] = "Asks the writer's model for one label by name; rules decide where it gives none."
    reference: ClassVar[str] = "Jeong et al., Adaptive-RAG, NAACL 2024"
    order: ClassVar[int] = 1
    needs_writer: ClassVar[bool] = True
    needs_examples: ClassVar[bool] = False

    def decide(self, query: str, history: Sequence[Turn], context: Context) -> Decision:
        """See ``Decider``. A model's certainty is not asked for, so ``confidence`` is None.

        :raises Cancelled: when a newer query took over.
        """
        timer = Timer()
        run = RunContext(
            writer=context.writer,
            searcher=IndexSearcher(context.engine, context.settings),
            cancel=context.cancel,
            corpus_language=context.engine.index.manifest.language,
            use_cache=context.use_cache,
        )
        label, said, why = None, "", None
        try:
            said = run.write(Task(TASK, query, tuple(history)))[0].text
            label = label_named(said)
            why = _unusable(said, label, history)
        except Cancelled:
            raise
        except QueryPrismError as error:
            why = str(error)
        except Exception as error:
            why = f"The writer failed unexpectedly (reference {log_failure(log, 'decider llm failed', error)})."
        if label is None or why:
            decided = Rules().decide(query, history, context)
            reason = f"{FELL_BACK}{why}"
            return replace(decided, calls=run.calls, seconds=timer.seconds, fallback_reason=reason)
        told = Reason(f"{context.writer.label} answered “{TITLES[label]}”")
        return Decision(label, self.name, (told,), calls=run.calls, seconds=timer.seconds)


def _unusable(said: str, label: str | None, history: Sequence[Turn]) -> str | None:
    if label is None:
        short = " ".join(said.split())
        return f"It answered “{short[:MOST_QUOTED]}{'…' if len(short) > MOST_QUOTED else ''}”, which is no label."
    if label == "follow_up" and not any(turn.get("content", "").strip() for turn in history):
        return "It answered “follow-up”, but nothing was said before."
    return None
