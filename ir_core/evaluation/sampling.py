"""A text written at a temperature above 0 is one of many that could have come: several are drawn, and averaged.

One draw says as much about luck as about the transform. At temperature 0, from the corpus' statistics and from a
recording the same text comes again, so one is enough.
"""

from __future__ import annotations

from dataclasses import replace

from ir_core import prompts
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext, Transform, Writer
from ir_core.schema import Task, Written
from ir_core.writers.around import WriterAround

SAMPLES = 3
STRIDE = 1_000
"""Between the seeds of two samples: passages that are sampled apart within one text count up from its seed."""


def temperature_of(writer: Writer, task: Task, corpus_language: str | None = None) -> float:
    """What the writer says it writes this at; where it says nothing, what the task or its prompt asks for."""
    own = getattr(writer, "temperature_of", None)
    if callable(own):
        return float(own(task, corpus_language))
    if task.temperature is not None:
        return task.temperature
    return prompts.load(task.name).temperature if task.name in prompts.tasks() else 0.0


def samples_of(
    transform: Transform, query: JudgedQuery, writer: Writer, most: int, corpus_language: str | None = None
) -> int:
    """How many texts of this transform are written for the query: ``most`` where a model may write any of it at a
    temperature above 0, else 1."""
    if not writer.is_llm or most < 2:
        return 1
    asked = [task for task in transform.tasks(query.text, query.history) if task.name in writer.tasks]
    return most if any(temperature_of(writer, task, corpus_language) > 0 for task in asked) else 1


def nth_sample(writer: Writer, number: int) -> Writer:
    """The writer as it is asked for the sample of that number, from 0."""
    return SampledWriter(writer, number) if number else writer


class SampledWriter(WriterAround):
    """Everything ``inner`` is, asked with another seed for what it writes at a temperature above 0: another draw,
    with a kept reply of its own."""

    def __init__(self, inner: Writer, number: int) -> None:
        super().__init__(inner)
        self.number = number

    def kept(self, task: Task, corpus_language: str | None) -> int:
        """As ``inner``, of this sample's own replies; 0 from a writer that keeps none."""
        own = getattr(self.inner, "kept", None)
        return int(own(self._of_sample(task, corpus_language), corpus_language)) if callable(own) else 0

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """As ``inner``; raises what it raises."""
        return self.inner.write(self._of_sample(task, context.corpus_language), context)

    def _of_sample(self, task: Task, corpus_language: str | None) -> Task:
        if not temperature_of(self.inner, task, corpus_language) > 0:
            return task
        return replace(task, seed=task.seed + self.number * STRIDE)
