"""The prompt bank: what an LLM is asked, as data that people can read and change.

``<task>/<language>.yaml`` is one prompt. A new language is another file; a language that has none falls back to
English, and :attr:`Prompt.fell_back` says so. A new task is another folder.

::

    prompt = load("rewrite", "ar")
    asked = render_for(prompt, query="متى تفتح البوابة", history=turns)
    asked.messages                      # system and user, ready for a chat model
"""

from __future__ import annotations

from ir_core.prompts._bank import LANGUAGE_NAMES, Prompt, languages, load, tasks
from ir_core.prompts._render import Rendered, render, render_for

__all__ = ["LANGUAGE_NAMES", "Prompt", "Rendered", "languages", "load", "render", "render_for", "tasks"]
