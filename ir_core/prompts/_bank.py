"""Finds, reads and checks the prompt files."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

from ir_core.errors import BadSetting, UnknownName

Reply = Literal["query", "queries", "passage", "answer"]
"""What comes back: one query, a list of queries, one passage, or an answer that is taken as it stands."""

PLACEHOLDER = re.compile(r"\$\{(\w+)\}")
KNOWN_PLACEHOLDERS: Mapping[str, str] = {
    "query": "the query, between tags that it cannot close",
    "history": "the conversation so far, oldest turn first; nothing where there is none",
    "hits": "passages of the corpus that a first search found, between tags",
    "reference": "answers known to be right, between tags",
    "n": "how many texts are wanted",
    "language": "the language to write in, by its English name",
}
"""Each mark a prompt may hold, and what is put in its place."""
DEFAULT_LANGUAGE = "en"
LANGUAGE_NAMES: Mapping[str, str] = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fa": "Persian", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish",
    "pt": "Portuguese", "ru": "Russian", "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "zh": "Chinese",
}  # fmt: skip
"""ISO 639-1 code to the English name a prompt uses; any other code is named by itself."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt. ``system`` and ``user`` are templates with ``${placeholder}`` marks.

    ``max_chars`` is the longest text that can be a reply (a longer query is refused, a longer passage is cut);
    ``history`` is the block that stands for ``${history}`` where there is a conversation, its turns at ``${turns}``.
    ``edited`` is set where the text or the temperature is not the bank's own.
    """

    id: str
    version: str
    task: str
    language: str
    reply: Reply
    placeholders: tuple[str, ...]
    temperature: float
    max_chars: int
    note: str
    reference: str
    system: str
    user: str
    history: str
    fell_back: bool = False
    edited: bool = False

    def __post_init__(self) -> None:
        used = set(PLACEHOLDER.findall(self.system + self.user))
        if unknown := used - KNOWN_PLACEHOLDERS.keys():
            raise BadSetting(_message(self.id, f"uses {_marks(unknown)}, which nothing fills", "Take it out"))
        if used != set(self.placeholders):
            odd = used ^ set(self.placeholders)
            raise BadSetting(_message(self.id, f"and its list of placeholders differ in {_marks(odd)}", "Change one"))
        if missing := {"query", "history"} - used:
            raise BadSetting(_message(self.id, f"has no {_marks(missing)}", "Put it into the user text"))
        if "${turns}" not in self.history:
            raise BadSetting(_message(self.id, "has a history without ${turns}", "Put it where the turns belong"))
        if self.reply not in get_args(Reply):
            raise BadSetting(_message(self.id, f"has reply {self.reply!r}", f"Use one of {get_args(Reply)}"))


@lru_cache(maxsize=1)
def tasks() -> tuple[str, ...]:
    """Every task that has an English prompt, by name."""
    found = (item.name for item in files(__package__).iterdir() if item.joinpath("en.yaml").is_file())
    return tuple(sorted(found))


def reads_hits(task: str) -> bool:
    """Whether passages of the corpus go into what this task asks."""
    return task in tasks() and "hits" in load(task).placeholders


@lru_cache(maxsize=256)
def languages(task: str) -> tuple[str, ...]:
    """The languages (ISO 639-1) this task has a prompt in.

    :raises UnknownName: for a task there is no folder for.
    """
    if task not in tasks():
        raise UnknownName("prompt task", task, tasks())
    names = (item.name for item in files(__package__).joinpath(task).iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def load(task: str, language: str | None = None) -> Prompt:
    """The prompt for a task in a language (``"ar"``, ``"ar-EG"``); None is English.

    Where there is none in that language it is the English one, with ``fell_back`` set.

    :raises UnknownName: for a task there is no prompt for.
    :raises BadSetting: for a file whose placeholders do not fit.
    """
    wanted = re.split(r"[-_]", language.strip().lower())[0] if language else DEFAULT_LANGUAGE
    there = wanted in languages(task)
    prompt = _read(task, wanted if there else DEFAULT_LANGUAGE)
    return prompt if there else dataclasses.replace(prompt, fell_back=True)


def every() -> tuple[Prompt, ...]:
    """All prompts in all languages, by task, English first."""
    return tuple(
        load(task, language)
        for task in tasks()
        for language in sorted(languages(task), key=lambda code: (code != DEFAULT_LANGUAGE, code))
    )


@lru_cache(maxsize=256)
def _read(task: str, language: str) -> Prompt:
    import yaml

    name = f"{task}/{language}.yaml"
    data: Any = yaml.safe_load(files(__package__).joinpath(task, f"{language}.yaml").read_text(encoding="utf-8"))
    fields = {item.name for item in dataclasses.fields(Prompt)} - {"fell_back", "edited"}
    if not isinstance(data, dict) or set(data) != fields:
        odd = sorted(fields ^ set(data)) if isinstance(data, dict) else "everything"
        raise BadSetting(_message(name, f"has the wrong fields ({odd})", f"A prompt has {sorted(fields)}"))
    if (data["task"], data["language"]) != (task, language):
        raise BadSetting(_message(name, "names another task or language", "Move it, or change the two fields"))
    return Prompt(**{**data, "version": str(data["version"]), "placeholders": tuple(data["placeholders"])})


def _marks(names: set[str]) -> str:
    return ", ".join(f"${{{name}}}" for name in sorted(names))


def _message(name: str, what: str, way_out: str) -> str:
    return f"The prompt {name} {what}. {way_out}."
