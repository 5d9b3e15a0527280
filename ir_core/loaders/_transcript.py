"""Sessions of Claude Code (``~/.claude/projects/<project>/<session>.jsonl``) as turns: what was asked and answered.

Its maker does not document the format; this follows what readers of it have in common. One line is one entry: its
``type`` (user, assistant, and a dozen kinds of bookkeeping), ``uuid``, ``parentUuid``, ``sessionId``, ``message``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ir_core.loaders._base import Item, Options, Problem
from ir_core.loaders._json import parse_line
from ir_core.loaders._records import read_records
from ir_core.loaders._transcript_turns import Turn, Turns, turns_of

_PROBED = 500
"""So many lines are looked at for a first message; bookkeeping comes before it."""


def is_transcript(text: str) -> bool:
    """Whether JSON Lines are a session's: each line (damaged ones apart) has a ``type``, and the first message among
    them has a role of that name, an id, a place in the tree and a session; or there are bookkeeping lines only."""
    bookkeeping = False
    for line in islice(_lines(text), _PROBED):
        value = parse_line(line[1], line[0], "")
        if isinstance(value, Problem):
            continue
        if not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
            return False
        if value["type"] in ("user", "assistant"):
            return _is_message(value) and isinstance(value.get("sessionId"), str)
        bookkeeping = bookkeeping or _is_bookkeeping(value)
    return bookkeeping


def read_transcript(text: str, name: str, options: Options) -> Iterator[Item]:
    """A document per turn, its id that of the prompt: {user, assistant, session, project, branch, time, model, tools,
    interrupted}, with a Problem for damaged lines and a remark on what was left out on purpose.

    The assistant's text is its last message of the turn. Thoughts, and what tools were given and gave back, are in
    no document; what looks like a credential is hidden.
    """
    entries: list[tuple[int, Mapping[str, Any]]] = []
    for number, line in _lines(text):
        value = parse_line(line, number, name)
        if isinstance(value, Problem):
            yield value
        elif not isinstance(value, Mapping) or not isinstance(value.get("type"), str):
            yield Problem(name, f"line {number} is no entry of a session; it was left out")
        elif value["type"] not in ("user", "assistant") or _is_message(value):
            entries.append((number, value))
        else:
            yield Problem(name, f"line {number} is a message without an id or a text; it was left out")
    turns = turns_of(entries)
    yield from read_records(((f"line {turn.line}", f"{name}:{turn.line}", _record(turn)) for turn in turns.kept),
                            name, options)  # fmt: skip
    if what := _left_out(turns):
        yield Problem(name, what, lost=False)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    lines = enumerate(text.split("\n"), start=1)
    return ((number, line) for number, line in lines if line.strip())


def _is_message(value: Mapping[str, Any]) -> bool:
    message = value.get("message")
    known = isinstance(message, Mapping) and message.get("role") == value["type"] and "content" in message
    return known and isinstance(value.get("uuid"), str) and "parentUuid" in value


def _is_bookkeeping(value: Mapping[str, Any]) -> bool:
    pairs = {"summary": "leafUuid", "file-history-snapshot": "messageId", "queue-operation": "sessionId"}
    return pairs.get(value["type"], "") in value


def _record(turn: Turn) -> dict[str, Any]:
    entry = turn.prompt
    folder = entry.get("cwd")
    return {
        "id": entry["uuid"],
        "user": turn.asked,
        "assistant": turn.answer,
        "session": entry.get("sessionId"),
        # The folder's own name: the path above it says who and where, and is nobody's business.
        "project": folder.replace("\\", "/").rstrip("/").rpartition("/")[2] if isinstance(folder, str) else None,
        "branch": entry.get("gitBranch"),
        "time": entry.get("timestamp"),
        "model": turn.model,
        "tools": list(turn.tools),
        "interrupted": turn.interrupted,
    }


def _left_out(turns: Turns) -> str:
    parts = [
        (turns.nested, "of nested agents, which no person asked"),
        (turns.given_up, "of branches that were given up (a prompt sent again, a session rewound)"),
    ]
    said = [f"{count} turn{'s' * (count > 1)} {what}" for count, what in parts if count]
    if turns.lost:
        said.append(f"{turns.lost} message{'s' * (turns.lost > 1)} whose prompt is not in the file")
    if not turns.kept:
        said.append("it holds no turn of a person and the assistant")
    return f"was read as a session of Claude Code; left out: {'; '.join(said)}" if said else ""
