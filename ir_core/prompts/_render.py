"""Puts values into a prompt. Nothing in a value is ever read as a placeholder, and the query stands in a fence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ir_core.errors import BadSetting
from ir_core.prompts._bank import LANGUAGE_NAMES, PLACEHOLDER, Prompt
from ir_core.schema import Turn

MAX_TURNS = 6
"""Older turns are left out: what a follow-up points back to is nearly always in the last three exchanges."""
MAX_PASSAGES = 5
MAX_PASSAGE_CHARS = 800
"""Of the passages that a first search found; LameR and CSQE read ten and more, at many times the price."""
MAX_JUDGED_CHARS = 2_000
"""Of a passage that is rated or answered from, all of which are shown: a chunk whole, a long document its start."""
MAX_TURN_CHARS = 600
"""A long answer of the assistant is cut: its beginning names what it is about, and every token is paid for."""


@dataclass(frozen=True, slots=True)
class Rendered:
    system: str
    user: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """OpenAI-style, system first."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]


def render(prompt: Prompt, **values: str) -> Rendered:
    """The prompt with its placeholders filled, each in one pass: braces and ``$`` in a value stay as they are.

    :raises BadSetting: when a placeholder of the prompt has no value.
    """
    if missing := sorted(set(prompt.placeholders) - set(values)):
        raise BadSetting(f"The prompt {prompt.id} needs a value for {', '.join(missing)}.")
    return Rendered(_fill(prompt.system, values), _fill(prompt.user, values).strip())


def render_for(
    prompt: Prompt,
    *,
    query: str,
    history: Sequence[Turn] = (),
    passages: Sequence[str] = (),
    reference: Sequence[str] = (),
    n: int = 1,
    language: str | None = None,
) -> Rendered:
    """The prompt for one query: the query and each turn fenced, the conversation before the query.

    :param passages: texts of the first hits, best first; the first ``MAX_PASSAGES`` are used, but for an answer,
        which is asked from all of them.
    :param reference: answers known to be right.
    :param history: ``{"role", "content"}`` turns, oldest first; the last ``MAX_TURNS`` are used.
    :param language: ISO 639-1 code of the language to write in; None is the query's own.
    """
    values = {
        "query": fenced("query", query),
        "history": _conversation(prompt, history),
        "hits": _passages(passages, prompt.reply == "answer"),
        "reference": fenced("reference", "\n".join(reference)),
        "n": str(n),
        "language": LANGUAGE_NAMES.get(language, language) if language else "the language of the query",
    }
    return render(prompt, **{name: values[name] for name in prompt.placeholders})


def fenced(tag: str, text: str) -> str:
    """``<tag>…</tag>`` around a text; the tag grows until the text does not hold it, in any case and spacing, so it
    cannot close its fence."""
    bare = "".join(text.split()).lower()
    while f"{tag}>" in bare:
        tag += "_"
    return f"<{tag}>\n{text.strip()}\n</{tag}>"


def _passages(texts: Sequence[str], whole: bool) -> str:
    most, longest = (len(texts), MAX_JUDGED_CHARS) if whole else (MAX_PASSAGES, MAX_PASSAGE_CHARS)
    return "\n".join(fenced("passage", _cut(" ".join(text.split()), longest)) for text in texts[:most])


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[:most].rstrip() + "…"


def _conversation(prompt: Prompt, history: Sequence[Turn]) -> str:
    lines = []
    for turn in list(history)[-MAX_TURNS:]:
        words = " ".join(str(turn.get("content", "")).split())
        if words:
            lines.append(f"{turn.get('role', 'user')}: {_cut(words, MAX_TURN_CHARS)}")
    return _fill(prompt.history, {"turns": fenced("conversation", "\n".join(lines))}) if lines else ""


def _fill(template: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values[match.group(1)], template)
