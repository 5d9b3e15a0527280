"""Any model through litellm: the prompt bank asks, the reply is read tolerantly, every request is on record.

One task is one request, but for several hypothetical passages: HyDE averages replies that were sampled apart, so each
is a request with its own seed, sent at the same time (Gao et al. 2023). The deadline runs from the moment a request
has its turn; waiting for the turn is ``queued``. Usable replies are kept on disk (``reply_store``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from ir_core import prompts, visits
from ir_core.errors import TaskUnsupported, WriterTimeout
from ir_core.prompts import Prompt
from ir_core.protocols import RunContext
from ir_core.schema import Call, Foreseen, Task, Written
from ir_core.secrets import Secret, host_of
from ir_core.writers import _litellm
from ir_core.writers._kept_or_asked import kept_or_asked
from ir_core.writers._litellm import forget_keys, is_loading
from ir_core.writers._llm_call import Answer, Endpoint
from ir_core.writers._llm_checks import check_limits, checked_base, checked_model
from ir_core.writers._llm_foresee import calls_of, foreseen
from ir_core.writers._llm_job import Asking, Job, job_for
from ir_core.writers._llm_models import available_models
from ir_core.writers._llm_prices import Price, is_listed
from ir_core.writers._llm_probe import probe
from ir_core.writers._llm_slots import SLOTS, Slots
from ir_core.writers._llm_tries import Tries, call_of
from ir_core.writers.reply_store import ReplyStore, store

__all__ = ["LlmWriter", "Price", "Slots", "available_models", "forget_keys", "is_loading", "probe", "warm_up"]

DEADLINE_S = 30.0
"""A person waits no longer; a passage of 100 words takes a slow model about ten seconds."""
RETRIES = 2


def has_price(model: str) -> bool:
    """True when litellm's own table prices that model; imports litellm.

    :raises MissingPackage: without it.
    """
    return is_listed(_litellm.load(), model)


class LlmWriter:
    """A writer for any litellm model string (``openai/gpt-4.1-mini``, ``ollama/llama3.1``, ``anthropic/…``).

    :param api_key: typed for this visit; None takes the provider's own environment variable. Never shown or stored.
    :param api_base: base URL of an OpenAI-style server, proxy or local runtime; None is the provider's own.
    :param deadline_s: seconds for one request with all its tries.
    :param retries: further tries after 429, 5xx or a lost connection, with back-off and Retry-After kept.
    :param price: what the tokens cost, where litellm's table does not know or another price holds.
    :param edited: prompts in place of the bank's, by id (``hyde.en``).
    :param query_language: of what is written from queries (ISO 639-1); None is each query's own.
    :param passage_language: of hypothetical passages; None is the corpus'.
    :param structured: whether lists are asked for by JSON schema; None leaves it to litellm's table, and to no for a
        server of one's own. A server that refuses it is asked once more without it, on record, and then no more.
    :param replies: where usable replies are kept; None is the store of this process.
    :raises BadSetting: for no model string, a base URL that is none or holds a password, a deadline that is none, or
        fewer than no retries.
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
        edited: Mapping[str, Prompt] | None = None,
        query_language: str | None = None,
        passage_language: str | None = None,
        structured: bool | None = None,
        slots: Slots = SLOTS,
        replies: ReplyStore | None = None,
    ) -> None:
        check_limits(deadline_s, retries)
        self.name = self.label = checked_model(model)
        self.tasks = frozenset(prompts.tasks())
        key = Secret(api_key.strip()) if api_key and api_key.strip() else None
        self.endpoint = Endpoint(self.name, checked_base(api_base), key, price)
        self.slots = slots
        self._asking = Asking(edited or {}, query_language, passage_language)
        self._tries = Tries(self.endpoint, deadline_s, retries, backoff_s, structured)
        self._replies = store() if replies is None else replies

    def __repr__(self) -> str:
        return f"LlmWriter({self.name!r}, at {self.endpoint.where})"

    def warm(self) -> None:
        """Imports litellm now rather than at the first request, whose seconds it would be counted as."""
        _litellm.load()

    @property
    def sends_to(self) -> str:
        """The host that reads the query."""
        return host_of(self.endpoint.api_base) or f"the provider of {self.name}"

    def foresee(self, task: Task, corpus_language: str | None) -> Foreseen:
        """What a task will take as if no reply was kept. Nothing is sent or imported."""
        return foreseen(job_for(task, corpus_language, self._asking), self.endpoint)

    def kept(self, task: Task, corpus_language: str | None) -> int:
        """How many of the calls foreseen have a reply from before."""
        job = job_for(task, corpus_language, self._asking)
        return self._replies.count([self._key(job, sample) for sample in range(calls_of(job))])

    def temperature_of(self, task: Task, corpus_language: str | None) -> float:
        """What the task is asked at: the prompt's own temperature, the task's, or the user's."""
        return job_for(task, corpus_language, self._asking).temperature

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """The texts for one task, best first; every try is recorded as a ``Call``, and so is a kept reply
        (``kept_or_asked``).

        :raises TaskUnsupported: for a task without a prompt.
        :raises WriterTimeout: when the deadline passed, or no request had its turn.
        :raises WriterError: for any other failure, and a reply with nothing usable in it.
        :raises Cancelled: at once when the run is cancelled; a request under way is cut off.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        job = job_for(task, context.corpus_language, self._asking)
        if calls_of(job) < 2:
            return job.written(self._texts(job, 0, context))
        with ThreadPoolExecutor(
            max_workers=min(task.n, self.slots.n), thread_name_prefix="passage", initializer=visits.carried()
        ) as pool:
            passages = list(pool.map(lambda sample: self._texts(job, sample, context), range(task.n)))
        return [written for texts in passages for written in job.written(texts)]

    def _texts(self, job: Job, sample: int, context: RunContext) -> list[str]:
        key = self._key(job, sample)
        context = context.of_request(key)
        return kept_or_asked(
            self._replies, key, context, self._tries.deadline_s,
            blank=call_of(self.name, job, Answer(), [], started=0.0),
            read=lambda kept: job.read(kept.text),
            ask=lambda waited: self._asked(job, sample, context, waited),
        )  # fmt: skip

    def _key(self, job: Job, sample: int) -> str:
        return job.key(self.name, self.endpoint.api_base, sample)

    def _asked(self, job: Job, sample: int, context: RunContext, waited: float) -> Call:
        _litellm.load()
        started = time.perf_counter()
        try:
            with self.slots.one(context.cancel) as queued:
                return self._tries.ask(job, job.task.seed + sample, context, waited + queued)
        except TimeoutError:
            queued = time.perf_counter() - started
            message = f"{self.name}: no request had its turn within {queued:.0f} s; try again when fewer are running."
            context.record(
                call_of(self.name, job, Answer(), [], started=started, queued=waited + queued, error=message)
            )
            raise WriterTimeout(message) from None


def warm_up() -> None:
    """Imports litellm now (some 6 to 10 seconds, no network), so that the first request does not wait for it."""
    _litellm.load()
