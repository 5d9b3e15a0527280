"""One reply with all its tries: what is asked again, how long it waits, and the record of each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.nap import sleep_using_event
from tenacity.wait import wait_exponential, wait_random

from ir_core.errors import Cancelled, WriterError, WriterTimeout
from ir_core.protocols import RunContext
from ir_core.schema import Call
from ir_core.writers import _litellm
from ir_core.writers._llm_call import Answer, Endpoint, ask
from ir_core.writers._llm_errors import RequestFailed
from ir_core.writers._llm_job import Job
from ir_core.writers._llm_prices import takes_schema

MAX_BACKOFF_S = 8.0


@dataclass
class Tries:
    """Seconds for one reply with all its tries, further tries after a failure that may pass, and the first back-off.

    ``structured`` says whether a list is asked for by JSON schema: None leaves it to litellm's table, and is no for a
    server of one's own. A server that refuses the schema is asked once more without it, and then no more with it.
    """

    endpoint: Endpoint
    deadline_s: float
    retries: int
    backoff_s: float
    structured: bool | None = None

    def ask(self, job: Job, seed: int, context: RunContext, waited: float) -> Call:
        """Tries until it works, cannot work, or the deadline would pass before the next try; each is on record.

        :param waited: seconds that are ``queued`` of the first try.
        :raises WriterTimeout, WriterError, Cancelled: as ``LlmWriter.write``.
        """
        until = time.perf_counter() + self.deadline_s
        backoff = wait_exponential(self.backoff_s, max=MAX_BACKOFF_S) + wait_random(0, self.backoff_s)

        def pause(state: RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            return max(backoff(state), getattr(error, "retry_after", None) or 0.0)

        retrying = Retrying(
            stop=stop_after_attempt(1 + self.retries) | stop_before_delay(self.deadline_s),
            wait=pause,
            retry=retry_if_exception(lambda error: isinstance(error, RequestFailed) and error.again),
            sleep=sleep_using_event(context.cancel),
            reraise=True,
        )

        def one() -> Call:
            queued = waited if retrying.statistics["attempt_number"] == 1 else 0.0
            schema = job.schema if self._takes_schema() else None
            try:
                return self._one(job, seed, context, until - time.perf_counter(), queued, schema)
            except RequestFailed as failure:
                if not (schema and failure.of_schema):
                    raise
                self.structured = False
            return self._one(job, seed, context, until - time.perf_counter(), 0.0, None)

        try:
            return retrying(one)
        except RequestFailed as failure:
            tries = retrying.statistics["attempt_number"]
            times = f" after {tries} tries" if tries > 1 else ""
            kind = WriterTimeout if failure.timeout else WriterError
            message = f"{self.endpoint.model}: {failure.what}{times}; {failure.way_out}."
        # Outside the handler, so that no client's exception hangs on to the one that is shown.
        raise kind(message)

    def _takes_schema(self) -> bool:
        if self.structured is None:
            self.structured = not self.endpoint.api_base and takes_schema(_litellm.load(), self.endpoint.model)
        return self.structured

    def _one(
        self, job: Job, seed: int, context: RunContext, seconds: float, queued: float, schema: dict[str, Any] | None
    ) -> Call:
        context.before_call()
        model, started = self.endpoint.model, time.perf_counter()
        try:
            answer = ask(
                self.endpoint, job.messages, temperature=job.temperature, seed=seed, seconds=max(seconds, 0.0),
                deadline_s=self.deadline_s, cancel=context.cancel, schema=schema,
            )  # fmt: skip
        except (RequestFailed, Cancelled) as error:
            said = Answer()
            if isinstance(error, RequestFailed):
                said = Answer(error.said, first_token_s=error.first_token_s, sent=error.sent)
            context.record(call_of(model, job, said, [], started=started, queued=queued, error=str(error)))
            raise
        texts = job.read(answer.text)
        unusable = None if texts else f"{model}: {job.unusable(answer.text)}; try again, or choose another model."
        call = call_of(model, job, answer, texts, started=started, queued=queued, error=unusable)
        context.record(call)
        if unusable:
            raise WriterError(unusable)
        return call


def call_of(model: str, job: Job, answer: Answer, texts: list[str], *, started: float, **more: Any) -> Call:
    """The record of one request; its seconds are those since ``started``, unless ``more`` says otherwise."""
    return Call(
        task=job.prompt.task,
        model=model,
        prompt_id=job.prompt.id,
        prompt_version=job.prompt.version,
        raw=answer.text or answer.sent,
        texts=tuple(texts),
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        cost_usd=answer.cost_usd,
        first_token_s=answer.first_token_s,
        started=started,
        **{"seconds": time.perf_counter() - started, **more},
    )
