"""Any model through litellm: the prompt bank asks, the reply is read tolerantly, every request is on record.

One task is one request, but for several hypothetical passages: HyDE averages replies that were sampled apart, so each
is a request with its own seed, sent at the same time (Gao et al. 2023). The deadline runs from the moment a request
has its turn; waiting for the turn is ``queued``.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, stop_before_delay
from tenacity.nap import sleep_using_event
from tenacity.wait import wait_exponential, wait_random

from ir_core import prompts
from ir_core.errors import BadSetting, Cancelled, TaskUnsupported, WriterError, WriterTimeout
from ir_core.protocols import RunContext
from ir_core.schema import Call, Task, Written
from ir_core.secrets import Secret, host_of
from ir_core.writers import _litellm
from ir_core.writers._llm_call import Answer, Endpoint, ask
from ir_core.writers._llm_errors import RequestFailed
from ir_core.writers._llm_job import Job, job_for
from ir_core.writers._llm_models import available_models
from ir_core.writers._llm_prices import Price
from ir_core.writers._llm_slots import REPLIES, SLOTS, ReplyCache, Slots

__all__ = ["LlmWriter", "Price", "ReplyCache", "Slots", "available_models", "warm_up"]

DEADLINE_S = 30.0
"""A person waits no longer; a passage of 100 words takes a slow model about ten seconds."""
RETRIES = 2


class LlmWriter:
    """A writer for any litellm model string (``openai/gpt-4.1-mini``, ``ollama/llama3.1``, ``anthropic/…``).

    :param api_key: typed for this visit; None takes the provider's own environment variable. Never shown or stored.
    :param api_base: base URL of an OpenAI-style server, proxy or local runtime; None is the provider's own.
    :param deadline_s: seconds for one request with all its tries.
    :param retries: further tries after 429, 5xx or a lost connection, with back-off and Retry-After kept.
    :param price: what the tokens cost, where litellm's table does not know or another price holds.
    :raises BadSetting: for an empty model string, a base URL that is none, or a deadline of 0.
    """

    is_llm = True
    reads_history = True

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        api_base: str | None = None,
        deadline_s: float = DEADLINE_S,
        retries: int = RETRIES,
        backoff_s: float = 0.5,
        price: Price | None = None,
        slots: Slots = SLOTS,
        replies: ReplyCache = REPLIES,
    ) -> None:
        if not model.strip():
            raise BadSetting("The model is empty; write it as provider/model, such as openai/gpt-4.1-mini.")
        if api_base and not (api_base.startswith(("http://", "https://")) and host_of(api_base)):
            raise BadSetting("The base URL must begin with http:// or https:// and name a host.")
        if deadline_s <= 0:
            raise BadSetting(f"The deadline is {deadline_s:g} s; it must be above 0.")
        self.name = self.label = model.strip()
        self.tasks = frozenset(prompts.tasks())
        self.deadline_s = deadline_s
        self.retries = retries
        self.backoff_s = backoff_s
        key = Secret(api_key.strip()) if api_key and api_key.strip() else None
        self._endpoint = Endpoint(self.name, (api_base or "").strip() or None, key, price)
        self._slots = slots
        self._replies = replies

    def __repr__(self) -> str:
        return f"LlmWriter({self.name!r}, at {self._endpoint.where})"

    def warm(self) -> None:
        """Imports litellm now rather than at the first request, whose seconds it would be counted as."""
        _litellm.load()

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """The texts for one task, best first; every try is recorded as a ``Call``.

        A cached reply (same model, prompt, text and seed, temperature 0) is a ``Call`` with ``cached`` set, 0 seconds
        and the tokens and cost of the first time: nothing was spent again.

        :raises TaskUnsupported: for a task without a prompt.
        :raises WriterTimeout: when the deadline passed, or no request had its turn.
        :raises WriterError: for any other failure, and a reply with nothing usable in it.
        :raises Cancelled: at once when the run is cancelled; a request under way is cut off.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        job = job_for(task, context.corpus_language)
        if job.prompt.reply != "passage" or task.n < 2:
            texts = self._texts(job, task.seed, context)
        else:
            with ThreadPoolExecutor(max_workers=min(task.n, self._slots.n), thread_name_prefix="passage") as pool:
                seeds = range(task.seed, task.seed + task.n)
                found = list(pool.map(lambda seed: self._texts(job, seed, context), seeds))
            texts = [text for passages in found for text in passages]
        return [Written(text, note=job.note) for text in texts]

    def _texts(self, job: Job, seed: int, context: RunContext) -> list[str]:
        context.check()
        key = job.key(self._endpoint, seed)
        kept = self._replies.get(key) if context.use_cache and job.temperature == 0 else None
        if kept:
            texts = job.read(kept.text)
            context.record(self._call(job, kept, texts, started=time.perf_counter(), cached=True))
            return texts
        _litellm.load()
        started = time.perf_counter()
        try:
            with self._slots.one(context.cancel) as waited:
                answer, texts = self._with_retries(job, seed, context, waited)
        except TimeoutError:
            waited = time.perf_counter() - started
            message = f"{self.name}: no request had its turn within {waited:.0f} s; try again when fewer are running."
            context.record(self._call(job, Answer(), [], started=started, queued=waited, error=message))
            raise WriterTimeout(message) from None
        if job.temperature == 0:
            self._replies.put(key, answer)
        return texts

    def _with_retries(self, job: Job, seed: int, context: RunContext, waited: float) -> tuple[Answer, list[str]]:
        """Tries until it works, cannot work, or the deadline would pass before the next try."""
        until = time.perf_counter() + self.deadline_s
        backoff = wait_exponential(self.backoff_s, max=8) + wait_random(0, self.backoff_s)

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

        def one() -> tuple[Answer, list[str]]:
            context.check()
            first = retrying.statistics["attempt_number"] == 1
            return self._try(job, seed, context, until - time.perf_counter(), waited if first else 0.0)

        try:
            return retrying(one)
        except RequestFailed as failure:
            tries = retrying.statistics["attempt_number"]
            times = f" after {tries} tries" if tries > 1 else ""
            kind = WriterTimeout if failure.timeout else WriterError
            message = f"{self.name}: {failure.what}{times}; {failure.way_out}."
        # Outside the handler, so that no client's exception hangs on to the one that is shown.
        raise kind(message)

    def _try(
        self, job: Job, seed: int, context: RunContext, seconds: float, queued: float
    ) -> tuple[Answer, list[str]]:
        started = time.perf_counter()
        try:
            answer = ask(
                self._endpoint, job.messages, temperature=job.temperature, seed=seed, seconds=max(seconds, 0.0),
                deadline_s=self.deadline_s, cancel=context.cancel,
            )  # fmt: skip
        except (RequestFailed, Cancelled) as error:
            said = Answer(getattr(error, "said", ""))
            context.record(self._call(job, said, [], started=started, queued=queued, error=str(error)))
            raise
        texts = job.read(answer.text)
        unusable = None if texts else f"{self.name}: {job.unusable(answer.text)}; try again, or choose another model."
        context.record(self._call(job, answer, texts, started=started, queued=queued, error=unusable))
        if unusable:
            raise WriterError(unusable)
        return answer, texts

    def _call(self, job: Job, answer: Answer, texts: list[str], *, started: float, **more: Any) -> Call:
        return Call(
            task=job.prompt.task,
            model=self.name,
            prompt_id=job.prompt.id,
            prompt_version=job.prompt.version,
            raw=answer.text,
            texts=tuple(texts),
            tokens_in=answer.tokens_in,
            tokens_out=answer.tokens_out,
            cost_usd=answer.cost_usd,
            first_token_s=answer.first_token_s,
            started=started,
            seconds=0.0 if more.get("cached") else time.perf_counter() - started,
            **more,
        )


def warm_up() -> None:
    """Imports litellm now (some 6 to 10 seconds, no network), so that the first request does not wait for it."""
    _litellm.load()
