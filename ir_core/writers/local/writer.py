"""The local writer: SmolLM2 with 135 million parameters, or any other GGUF file, with no key and no network.

It shows what a weak writer does to retrieval (docs/local-writer.md); it is never the default.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from ir_core.errors import QueryPrismError, TaskUnsupported, WriterError, WriterTimeout
from ir_core.language import of_query
from ir_core.protocols import RunContext
from ir_core.schema import Call, Foreseen, Task, Written
from ir_core.writers._kept_or_asked import kept_or_asked
from ir_core.writers._llm_foresee import tokens_of
from ir_core.writers._reply_language import note_on
from ir_core.writers.local import _model
from ir_core.writers.local._fewshot import TASKS
from ir_core.writers.local._installed import available, bundled
from ir_core.writers.local._model import TURN, Reply
from ir_core.writers.local._request import Request, requests_for
from ir_core.writers.reply_store import ReplyStore, store

DEADLINE_S = 30.0
"""Of one reply, from its turn on; 90 tokens take two seconds on a free core."""


class LocalWriter:
    """Writes with a model in this process, one reply at a time, at no cost.

    :param path: of a GGUF file; None is SmolLM2 from its package.
    :param replies: where usable replies are kept; None is the store of this process.
    :raises WriterError: where llama.cpp or the model is not installed, or the file is not there; says what to do.
    """

    is_llm = True
    reads_history = False  # it takes earlier turns for more examples, and answers those
    sends_to = None
    tasks = TASKS

    def __init__(
        self, path: Path | None = None, *, deadline_s: float = DEADLINE_S, replies: ReplyStore | None = None
    ) -> None:
        if reason := available(path):
            raise WriterError(reason)
        self.path = path or bundled()
        self.name = f"local:{path.name}" if path else "local"
        self.label = f"{path.stem} (local)" if path else "SmolLM2-135M (local, weak)"
        self.deadline_s = deadline_s
        self._replies = store() if replies is None else replies

    def warm(self) -> None:
        """Loads the model now (1 s, 270 MB) rather than at the first request."""
        with TURN.one(threading.Event()):
            _model.load(self.path)

    def foresee(self, task: Task, corpus_language: str | None) -> Foreseen:
        """What a task will take at most, as if no reply was kept."""
        requests = list(requests_for(task))
        tokens_in = sum(tokens_of(request.text) for request in requests)
        return Foreseen(len(requests), tokens_in, sum(one.prompt.max_tokens for one in requests), 0.0)

    def kept(self, task: Task, corpus_language: str | None) -> int:
        """How many of the calls foreseen have a reply from before."""
        return self._replies.count([request.key(self.path) for request in requests_for(task)])

    def temperature_of(self, task: Task, corpus_language: str | None) -> float:
        """0 unless the task says another."""
        return task.temperature or 0.0

    def write(self, task: Task, context: RunContext) -> list[Written]:
        """The texts for one task, best first. Of several passages, those that failed are left out as long as there is
        one.

        :raises TaskUnsupported: for a task without a prompt.
        :raises WriterTimeout: when the deadline passed, or the model had no turn for it.
        :raises WriterError: for a reply with nothing usable in it, and a model that cannot be loaded.
        :raises Cancelled: when the run is cancelled, also between two tokens.
        """
        if task.name not in self.tasks:
            raise TaskUnsupported(self.label, task.name)
        texts: list[str] = []
        failure: WriterError | None = None
        for request in requests_for(task):
            try:
                texts += self._texts(request, context)
            except WriterError as error:
                failure = error
        if failure and not texts:
            raise failure
        passage_language = context.corpus_language if task.name == "hyde" else None
        language = task.language or passage_language or of_query(task.query, context.corpus_language)
        return [Written(text, note=note_on(texts, language)) for text in texts]

    def _texts(self, request: Request, context: RunContext) -> list[str]:
        key = request.key(self.path)
        context = context.of_request(key)
        return kept_or_asked(
            self._replies, key, context, self.deadline_s,
            blank=self._call(request, Reply(), []),
            read=lambda kept: request.read(kept.text, kept.tokens_out),
            ask=lambda waited: self._written(request, waited, context),
        )  # fmt: skip

    def _written(self, request: Request, waited: float, context: RunContext) -> Call:
        reply, texts = Reply(), list[str]()
        failure: QueryPrismError | None = None
        started, queued = time.perf_counter(), 0.0
        try:
            with TURN.one(context.cancel) as queued:
                context.before_call()
                server = _model.load(self.path)
                started = time.perf_counter()
                reply = _model.generate(
                    server, request.text, request.options, shared=request.prompt.shared, place=request.place,
                    deadline_s=self.deadline_s, cancel=context.cancel,
                )  # fmt: skip
            texts = request.read(reply.text, reply.tokens_out)
            if not texts:
                said = request.unusable(reply.text)
                failure = WriterError(f"{self.label}: {said}. It is a weak writer: try another one for this query.")
        except TimeoutError:
            failure = WriterTimeout(f"{self.label}: it had no turn in time; try again when fewer are running.")
        except QueryPrismError as error:
            failure = error
        took = {"started": started, "seconds": time.perf_counter() - started, "queued": waited + queued}
        call = self._call(request, reply, texts, **took, error=str(failure) if failure else None)
        context.record(call)
        if failure:
            raise failure
        return call

    def _call(self, request: Request, reply: Reply, texts: list[str], **more: Any) -> Call:
        return Call(
            task=request.task.name,
            model=self.path.stem,
            prompt_id=request.prompt.id,
            prompt_version=request.prompt.version,
            raw=reply.text,
            texts=tuple(texts),
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            cost_usd=0.0,
            first_token_s=reply.first_token_s,
            **more,
        )
