"""A task as a request: the prompt in the right language, rendered, and how its reply is to be read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from ir_core import prompts
from ir_core.language import detect
from ir_core.prompts import Prompt
from ir_core.schema import Task
from ir_core.writers._llm_call import Endpoint
from ir_core.writers._replies import read_passage, read_queries, read_query

STAYS_WHOLE = frozenset({"decompose"})
"""Tasks for which the query itself is an answer: nothing to split."""


@dataclass(frozen=True)
class Job:
    """A task with its prompt rendered."""

    task: Task
    prompt: Prompt
    messages: list[dict[str, str]]
    temperature: float
    note: str

    def read(self, reply: str) -> list[str]:
        """The texts in a reply; empty when there is nothing usable."""
        longest = self.prompt.max_chars
        if self.prompt.reply == "passage":
            passage = read_passage(reply, max_chars=longest)
            return [passage] if passage else []
        if self.prompt.reply == "query":
            query = read_query(reply, max_chars=longest)
            return [query] if query else []
        found = read_queries(reply, limit=self.task.n, max_chars=longest, original=self.task.query)
        if not found and self.prompt.task in STAYS_WHOLE:
            return read_queries(reply, limit=1, max_chars=max(longest, len(self.task.query)))
        return found

    def unusable(self, reply: str) -> str:
        wanted = {"query": "a query", "queries": "new queries", "passage": "a passage"}[self.prompt.reply]
        said = " ".join(reply.split())
        if not said:
            return "the reply was empty"
        return f"the reply could not be used as {wanted} ({said[:80]}{'…' if len(said) > 80 else ''})"

    def key(self, endpoint: Endpoint, seed: int) -> str:
        """Of the reply cache; a digest, so that no text and no base URL with a password lies about."""
        parts = [endpoint.model, endpoint.api_base, self.prompt.id, self.prompt.version, self.messages, seed]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def job_for(task: Task, corpus_language: str | None) -> Job:
    """Passages are asked for in the corpus' language, all else in the query's; the task may name another."""
    of_corpus = corpus_language if prompts.load(task.name).reply == "passage" else None
    language = task.language or of_corpus or detect(task.query)
    prompt = prompts.load(task.name, language)
    rendered = prompts.render_for(
        prompt, query=task.query, history=task.history, n=task.n, language=task.language or of_corpus
    )
    temperature = prompt.temperature if task.temperature is None else task.temperature
    note = f"Asked with the English prompt; there is none in {language!r}." if prompt.fell_back else ""
    return Job(task, prompt, rendered.messages, temperature, note)
