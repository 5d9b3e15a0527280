"""The prompt bank: what an LLM is asked, as data that people can read and change.

``<task>/<language>.yaml`` is one prompt. A new language is another file; a language that has none falls back to
English, and :attr:`Prompt.fell_back` says so. A new task is another folder. :func:`edit` changes one without touching
its file.

::

    prompt = load("rewrite", "ar")
    asked = render_for(prompt, query="متى تفتح البوابة", history=turns)
    asked.messages                      # system and user, ready for a chat model
"""

from __future__ import annotations

from ir_core.prompts._bank import (
    KNOWN_PLACEHOLDERS,
    LANGUAGE_NAMES,
    PLACEHOLDER,
    Prompt,
    every,
    languages,
    load,
    reads_hits,
    tasks,
)
from ir_core.prompts._editing import MAX_CHARS, doubts, edit
from ir_core.prompts._render import MAX_JUDGED_CHARS, MAX_PASSAGE_CHARS, MAX_PASSAGES, Rendered, render, render_for

__all__ = [
    "KNOWN_PLACEHOLDERS",
    "LANGUAGE_NAMES",
    "MAX_CHARS",
    "MAX_JUDGED_CHARS",
    "MAX_PASSAGES",
    "MAX_PASSAGE_CHARS",
    "PLACEHOLDER",
    "Prompt",
    "Rendered",
    "doubts",
    "edit",
    "every",
    "languages",
    "load",
    "reads_hits",
    "render",
    "render_for",
    "tasks",
]
