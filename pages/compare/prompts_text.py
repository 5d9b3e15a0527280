"""A prompt on the screen: verbatim, its placeholders marked and explained, or with this query put in."""

from __future__ import annotations

from ir_core import prompts
from ir_core.compare import Choice
from ir_core.prompts import Prompt
from ir_core.schema import Task
from ir_core.transforms import TRANSFORMS
from ir_core.writers.local import FewShot
from pages._ui import safe
from pages.compare.running import Asked

RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
HISTORY = "Where there is a conversation, this is put in place of ${history}:"


def verbatim(prompt: Prompt) -> str:
    """Both texts as they stand."""
    return _parts(prompt.system, prompt.user, prompt.language)


def sent(prompt: Prompt, asked: Asked, language: str | None) -> str:
    """Both texts as they go out for this query, its history and its settings.

    :param language: the one that is named to the model; None is the query's own.
    """
    task = task_of(prompt, asked)
    made = prompts.render_for(prompt, query=task.query, history=task.history, n=task.n, language=language)
    return _parts(made.system, made.user, prompt.language, marked=False)


def task_of(prompt: Prompt, asked: Asked) -> Task:
    """The task that asks with this prompt, by the settings of the chosen transforms where one of them has it."""
    choices: list[Choice] = [*asked.choices, *((name, {}) for name in TRANSFORMS.names())]
    asked_for = (
        TRANSFORMS.make(name, settings).tasks(asked.query.strip(), asked.history) for name, settings in choices
    )
    usual = Task(prompt.task, asked.query.strip(), tuple(asked.history), n=3)
    return next((task for tasks in asked_for for task in tasks if task.name == prompt.task), usual)


def placeholders(prompt: Prompt) -> str:
    """What is put in place of each."""
    rows = "".join(
        f'<dt><code class="qp-slot">${{{name}}}</code></dt><dd>{safe.text(prompts.KNOWN_PLACEHOLDERS[name])}</dd>'
        for name in prompt.placeholders
    )
    history = _pre(prompt.history.strip(), prompt.language, marked=True, label="Conversation")
    return f'<dl class="qp-facts-list">{rows}</dl><p class="qp-facts">{HISTORY}</p>{history}'


def few_shot(prompt: FewShot, query: str) -> str:
    """What the small local model goes on with."""
    return _pre(prompt.prompt(query), "en", marked=False, label="Prompt")


def _parts(system: str, user: str, language: str, *, marked: bool = True) -> str:
    return "".join(
        f'<p class="qp-facts"><b>{name}</b></p>{_pre(text.strip(), language, marked=marked, label=name)}'
        for name, text in (("System", system), ("User", user))
    )


def _pre(text: str, language: str, *, marked: bool, label: str) -> str:
    """It can be focused, so that a long one can be scrolled by keyboard."""
    shown = safe.text(text)
    if marked:
        shown = prompts.PLACEHOLDER.sub(lambda mark: f'<bdi class="qp-slot">{mark.group()}</bdi>', shown)
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    return (
        f'<pre class="qp-prompt" tabindex="0" role="region" aria-label="{label} text" dir="{direction}" '
        f'lang="{safe.text(language)}">{shown}</pre>'
    )
