"""A prompt of the caller's own in place of the bank's, sent and read as the bank's multi-query prompt is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

from ir_core import prompts
from ir_core.api._callable_writer import CallableWriter
from ir_core.api._provider import LlmProvider, NoSearch, writer_of
from ir_core.errors import BadSetting
from ir_core.prompts import Prompt
from ir_core.protocols import RunContext
from ir_core.schema import Task
from ir_core.text import sha256
from ir_core.writers._llm_job import Job
from ir_core.writers.llm import LlmWriter

_TASK = "multi_query"
_MARK = re.compile(r"\$\{(\w+)\}")


class Asker:
    """Asks for ``n`` queries, with the bank's prompt (``template`` None) or the template.

    :raises BadSetting: when the template has no ``{query}``, or no place for one of ``values``.
    """

    def __init__(self, n: int, template: str | None, *, temperature: float | None = None, **values: Any) -> None:
        self.n = n
        self.temperature = temperature
        self.prompt = None if template is None else _prompt(template, values)

    def rewriter(self, provider: LlmProvider | None) -> Callable[[str], list[str]]:
        """:raises BadSetting: when there is no LLM, or none that can be asked with a prompt of one's own."""
        writer = writer_of(provider)
        if self.prompt and not isinstance(writer, LlmWriter | CallableWriter):
            raise BadSetting(f"The writer {writer.label!r} has its own way of writing; a prompt needs an LLM.")

        def rewrite(query: str) -> list[str]:
            context = RunContext(writer=writer, searcher=NoSearch())
            task = Task(_TASK, query, n=self.n, temperature=self.temperature)
            if self.prompt is None:
                return [written.text for written in context.write(task)]
            job = self._job(task, self.prompt)
            if isinstance(writer, CallableWriter):
                return writer.answer(job, context)
            assert isinstance(writer, LlmWriter)
            return writer._texts(job, 0, context)

        return rewrite

    def _job(self, task: Task, prompt: Prompt) -> Job:
        messages = prompts.render_for(prompt, query=task.query, n=task.n).messages
        temperature = prompt.temperature if task.temperature is None else task.temperature
        return Job(task, prompt, [part for part in messages if part["content"]], temperature, "")


def _prompt(template: str, values: dict[str, Any]) -> Prompt:
    """``{name}`` is read as the bank's ``${name}`` where the name is known; other braces are text."""
    text = template
    for name in ("query", "n", "language", *values):
        text = re.sub(rf"(?<!\$)\{{{re.escape(name)}\}}", f"${{{name}}}", text)
    for name, value in values.items():
        if f"${{{name}}}" not in text:
            raise BadSetting(f"The prompt has no {{{name}}} for the value given; put it in, or leave the value out.")
        text = text.replace(f"${{{name}}}", str(value))
    if "${history}" not in text:
        text = "${history}" + text
    used = tuple(dict.fromkeys(_MARK.findall(text)))
    return dataclasses.replace(
        prompts.load(_TASK), id="own", version=sha256(text)[:8], system="", user=text, placeholders=used
    )
