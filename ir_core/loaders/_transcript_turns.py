"""From the entries of a Claude Code session to its turns: which entry belongs to which prompt.

Entries form a tree by ``parentUuid``, not a list: parallel tool calls, a prompt that was edited and sent again, a
session rewound. An entry belongs to the nearest prompt above it. Of two prompts with the same prompt above them the
later is what the person went on with; the earlier and what follows it is a branch given up. What hangs on a line that
is not there has no prompt: it is nobody's answer, rather than another question's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ir_core.loaders._transcript_words import blocks, is_interruption, text_of, typed, without_credentials

Entry = Mapping[str, Any]


@dataclass(slots=True)
class Turn:
    """A prompt, and what the assistant said and used until the next one. ``above`` is the prompt before it."""

    line: int
    prompt: Entry
    asked: str
    is_command: bool
    above: str | None
    said: list[tuple[Any, str]] = field(default_factory=list)
    tools: dict[str, None] = field(default_factory=dict)
    model: str | None = None
    interrupted: bool = False

    @property
    def answer(self) -> str:
        """The last message with text: what came before it led up to a tool call."""
        last = self.said[-1][0] if self.said else None
        return without_credentials("\n\n".join(text for message, text in self.said if message == last))

    @property
    def counts(self) -> bool:
        """A command that nobody answered (/clear, /model) asked nothing."""
        return bool(self.said) or not self.is_command


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns, and how many were left out: of nested agents, of branches given up, and entries (not turns) whose
    prompt is not in the file."""

    kept: tuple[Turn, ...]
    nested: int
    given_up: int
    lost: int


def turns_of(entries: Iterable[tuple[int, Entry]]) -> Turns:
    """:param entries: (line number, entry), in the order of the file; one that comes twice counts once."""
    prompt_of: dict[str, str | None] = {}
    turns: dict[str, Turn] = {}
    nested = lost = 0
    for line, entry in entries:
        own = entry.get("uuid")
        if not isinstance(own, str) or own in prompt_of:
            continue
        if entry.get("isSidechain") is True:
            nested += _asked(entry) is not None
            continue
        above = prompt_of.get(_parent(entry))
        before = turns.get(above or "")
        if before and entry["type"] == "user" and is_interruption(entry["message"]["content"]):
            before.interrupted = True
        asked = _asked(entry)
        prompt_of[own] = above if asked is None else own
        if asked is not None:
            turns[own] = Turn(line, entry, *asked, above)
        elif entry["type"] == "assistant" and before:
            _answered(before, entry)
        elif entry["type"] == "assistant":
            lost += 1
    kept, given_up = _gone_on_with(turns)
    return Turns(tuple(turn for turn in kept if turn.counts), nested, given_up, lost)


def _parent(entry: Entry) -> str:
    """Where a session was compacted the chain begins anew, and ``logicalParentUuid`` says where it went on."""
    found = entry.get("parentUuid") or entry.get("logicalParentUuid")
    return found if isinstance(found, str) else ""


def _asked(entry: Entry) -> tuple[str, bool] | None:
    """What was typed and whether it is a command, where the entry is a person's prompt; "" is a picture alone."""
    unasked = any(entry.get(mark) for mark in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"))
    if entry.get("type") != "user" or unasked or entry.get("promptSource") == "system":
        return None
    if _holds(entry, "tool_result"):
        return None
    text, is_command = typed(entry["message"]["content"])
    return (text, is_command) if text or _holds(entry, "image") else None


def _holds(entry: Entry, kind: str) -> bool:
    message = entry.get("message")
    return isinstance(message, Mapping) and any(blocks(message.get("content"), kind))


def _answered(turn: Turn, entry: Entry) -> None:
    message = entry["message"]
    if entry.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
        return
    turn.model = message["model"] if isinstance(message.get("model"), str) else turn.model
    turn.tools.update(
        (str(block["name"]), None) for block in blocks(message["content"], "tool_use") if block.get("name")
    )
    if text := text_of(message["content"]):
        # One message may be written block by block, a line each, under the same id.
        turn.said.append((message.get("id") or entry.get("uuid"), text.strip()))


def _gone_on_with(turns: Mapping[str, Turn]) -> tuple[list[Turn], int]:
    last = {turn.above: own for own, turn in turns.items() if turn.above}
    dead: set[str] = set()
    for own, turn in turns.items():
        if turn.above and (turn.above in dead or last[turn.above] != own):
            dead.add(own)
    return [turn for own, turn in turns.items() if own not in dead], len(dead)
