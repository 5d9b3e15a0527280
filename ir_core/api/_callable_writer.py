"""A function from a prompt to a reply, as a Writer: the prompt bank asks it, its reply is read as an LLM's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ir_core import prompts
from ir_core.errors import QueryPrismError, WriterError
from ir_core.protocols import RunContext, Timer
from ir_core.schema import Call, Task, Written
from ir_core.secrets import redacted
from ir_core.writers._llm_job import Job, job_for


class CallableWriter:
    """One call of the function per text asked for (several passages are several calls). The function is given the
    system and user part of the prompt as one text, and decides about its own temperature. Tokens and cost are
    unknown."""

    is_llm = True

    def __init__(self, ask: Callable[[str], str]) -> None:
        self.ask = ask
        self.name = self.label = str(getattr(ask, "__name__", type(ask).__name__))
        self.tasks = frozenset(prompts.tasks())

    def temperature_of(self, task: Task, corpus_language: str | None) -> float:
        """Unknown, so taken for 0: an evaluation asks once."""
        return 0.0

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """See ``protocols.Writer``.

        :raises WriterError: when the function fails, or its reply is not usable.
        """
        job = job_for(task, context.corpus_language)
        times = task.n if job.prompt.reply == "passage" else 1
        return [written for _ in range(times) for written in job.written(self.answer(job, context))]

    def answer(self, job: Job, context: RunContext) -> list[str]:
        """The texts in the reply to one prompt; the call is recorded, failed or not."""
        context.check()
        timer = Timer()
        raw, texts, error = "", list[str](), None
        try:
            raw = self._reply(job)
            texts = job.read(raw)
            if not texts:
                raise WriterError(f"{self.label}: {job.unusable(raw)}.")
        except QueryPrismError as problem:
            error = str(problem)
            raise
        finally:
            context.record(
                Call(
                    task=job.prompt.task,
                    model=self.name,
                    prompt_id=job.prompt.id,
                    prompt_version=job.prompt.version,
                    raw=raw,
                    texts=tuple(texts),
                    started=timer.started,
                    seconds=timer.seconds,
                    error=error,
                )
            )
        return texts

    def _reply(self, job: Job) -> str:
        try:
            reply: Any = self.ask("\n\n".join(part["content"] for part in job.messages if part["content"]))
        except QueryPrismError:
            raise
        except Exception as error:
            failure = f"{self.label} failed with {type(error).__name__}: {redacted(str(error))}"
        else:
            if isinstance(reply, str):
                return reply
            failure = f"{self.label} returned a {type(reply).__name__}; a reply is a str"
        # Outside the handler: a client's exception may hold the request with its key.
        raise WriterError(f"{failure}.")
