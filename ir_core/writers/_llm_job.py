"""A task as a request: the prompt in the right language, rendered, and how its reply is to be read."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ir_core import prompts
from ir_core.language import of_query
from ir_core.prompts import Prompt
from ir_core.schema import Task, Written
from ir_core.writers._replies import read_answer, read_passage, read_queries, read_query
from ir_core.writers._reply_echo import lines_of
from ir_core.writers._reply_language import note_on
from ir_core.writers._reply_telling import says_something
from ir_core.writers.reply_store import reply_key

STAYS_WHOLE = frozenset({"decompose", "plan_hops"})
"""Tasks for which the query itself is an answer: nothing to split."""
ANSWERS = frozenset({"extract_answer", "keywords", "classify"})
"""Tasks whose texts are no queries and may be a number, "unknown" or a single word."""
ASKS_ABOUT = re.compile(r"[^\W\d_].*#\d|#\d.*[^\W\d_]")
"""A word and the mark of an earlier hop's answer."""
AS_DOCUMENTS = frozenset({"keywords", "key_sentences"})
"""Lists that are compared with documents, as passages are, and so are asked for in the corpus' language."""


@dataclass(frozen=True)
class Asking:
    """What the user set for all tasks: prompts changed for this visit by id ("hyde.en"), and languages (ISO 639-1)
    in place of the query's own and the corpus'."""

    edited: Mapping[str, Prompt] = dataclasses.field(default_factory=dict)
    query_language: str | None = None
    passage_language: str | None = None


@dataclass(frozen=True)
class Job:
    """A task with its prompt rendered. ``language`` is the one its reply is expected in; None is any."""

    task: Task
    prompt: Prompt
    messages: list[dict[str, str]]
    temperature: float
    note: str = ""
    language: str | None = None

    @cached_property
    def _given(self) -> frozenset[str]:
        """The prompt's own lines, which are no reply."""
        # The language is named to the model or is "the language of the query"; a reply may repeat either.
        bare = [prompts.render_for(self.prompt, query="", n=self.task.n, language=it) for it in (self.language, None)]
        return lines_of(*(text for one in bare for text in (one.system, one.user)))

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema of a list, as an OpenAI-style ``response_format``. A single text has no structure to
        impose: wrapping it would only cost tokens."""
        if self.prompt.reply != "queries":
            return None
        texts = {"type": "array", "items": {"type": "string"}}
        schema = {
            "type": "object", "properties": {"queries": texts}, "required": ["queries"], "additionalProperties": False
        }  # fmt: skip
        return {"type": "json_schema", "json_schema": {"name": "queries", "schema": schema, "strict": True}}

    def read(self, reply: str) -> list[str]:
        """The texts in a reply; empty when there is nothing usable."""
        longest = self.prompt.max_chars
        if self.prompt.reply == "passage":
            passage = read_passage(reply, max_chars=longest, given=self._given)
            return [passage] if passage and self._tells(passage) else []
        if self.prompt.reply == "answer":
            answer = read_answer(reply, max_chars=longest, given=self._given)
            return [answer] if answer else []
        if self.prompt.reply == "query":
            query = read_query(reply, max_chars=longest, given=self._given, telling=self._tells)
            return [query] if query else []
        query = self.task.query
        found = read_queries(
            reply, limit=self.task.n, max_chars=longest, original=query, given=self._given, telling=self._tells
        )
        if not found and self.prompt.task in STAYS_WHOLE:
            return read_queries(reply, limit=1, max_chars=max(longest, len(query)), given=self._given)
        return found

    def _tells(self, text: str) -> bool:
        """A query or passage has to say something; "who is #1" does once the answer is filled in."""
        if self.prompt.task in ANSWERS or (self.prompt.task == "plan_hops" and ASKS_ABOUT.search(text)):
            return True
        return says_something(text, self.task.query, self.language)

    def written(self, texts: list[str]) -> list[Written]:
        """The texts with what is to be said about their language; a number or a name has none."""
        if self.prompt.reply == "answer":
            return [Written(text, note=self.note) for text in texts]
        note = " ".join(part for part in (self.note, note_on(texts, self.language)) if part)
        return [Written(text, note=note) for text in texts]

    def unusable(self, reply: str) -> str:
        wanted = {"query": "a query", "queries": "new queries", "passage": "a passage", "answer": "an answer"}[
            self.prompt.reply
        ]
        said = " ".join(reply.split())
        if not said:
            return "the reply was empty"
        return f"the reply could not be used as {wanted} ({said[:80]}{'…' if len(said) > 80 else ''})"

    def key(self, model: str, base_url: str | None, sample: int) -> str:
        """Of the kept reply; ``sample`` counts the texts that are sampled apart."""
        return reply_key(model, base_url, self.messages, self.temperature, self.task.seed + sample, sample)


def job_for(task: Task, corpus_language: str | None, asking: Asking | None = None) -> Job:
    """Passages and keywords are asked for in the corpus' language, all else in the query's; the task or the user may
    say another.

    The version of a prompt that was edited ends in "edited". A temperature that was edited is the user's wish and
    stands above the task's, with a note; else the task's does above the prompt's.
    """
    asking = asking or Asking()
    passage = task.name in AS_DOCUMENTS or prompts.load(task.name).reply == "passage"
    named = task.language or (asking.passage_language or corpus_language if passage else asking.query_language)
    language = named or of_query(task.query, corpus_language)
    prompt = prompts.load(task.name, language)
    note = f"Asked with the English prompt; there is none in {language!r}." if prompt.fell_back else ""
    temperature = prompt.temperature if task.temperature is None else task.temperature
    if changed := asking.edited.get(prompt.id):
        if changed.temperature not in {prompt.temperature, temperature}:
            if task.temperature is not None:
                instead = f"Written at temperature {changed.temperature:g}, as edited, in place of {temperature:g}."
                note = f"{note} {instead}".strip()
            temperature = changed.temperature
        prompt = dataclasses.replace(changed, version=f"{prompt.version}, edited")
    # A surface of dependencies is no text to write from, and names what is installed.
    passages = [hit.text for hit in task.hits if hit.kind != "deps"]
    messages = prompts.render_for(
        prompt,
        query=task.query,
        history=task.history,
        passages=passages,
        reference=task.reference,
        n=task.n,
        language=named,
    ).messages
    return Job(task, prompt, messages, temperature, note, language)
