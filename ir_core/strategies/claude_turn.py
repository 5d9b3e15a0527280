"""One exchange of a session with an assistant: what was asked, and what was done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from ir_core.params import param
from ir_core.schema import IndexPlan, Raw
from ir_core.strategies._payload import as_text, plain_fields
from ir_core.strategies._settings import check_settings, single
from ir_core.text import sentences

SUMMARY_CHARS = 300
_KEYS: Mapping[str, tuple[str, ...]] = {
    "user": ("user", "user_prompt", "prompt"),
    "assistant": ("assistant", "assistant_full", "response"),
    "summary": ("summary", "assistant_summary"),
    "session": ("session", "session_id"),
    "project": ("project",),
    "time": ("time", "timestamp"),
    "model": ("model",),
    "tools": ("tools", "tool_use", "has_tool_use"),
}


@dataclass(frozen=True, kw_only=True)
class ClaudeTurn:
    """Surfaces of a turn: ``user_prompt``, ``assistant_summary`` and, with ``include_full``, ``assistant_full``.

    ``raw`` is a record {user, assistant, summary, session, project, time, model, tools}; these names are read too:
    user_prompt or prompt; assistant_full or response; assistant_summary; session_id; timestamp; tool_use or
    has_tool_use. Where no summary is given it is the leading sentences of the assistant's text, up to 300
    characters, or so much of the first one. A text alone is taken for the user's prompt.

    Filter fields: session, project, time (ISO text), model, tools (their names, where they are given), tool_use
    (whether any was used), and the metadata. None of them is embedded.
    """

    name: ClassVar[str] = "ClaudeTurn"
    label: ClassVar[str] = "Session turn"
    summary: ClassVar[str] = "A turn is found by what was asked or by what was answered; when and where are filters."
    reference: ClassVar[str] = ""
    order: ClassVar[int] = 5

    include_full: bool = param(False, help="Index the assistant's whole text as well, as a surface of its own.")

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("user_prompt", "assistant_summary", *(("assistant_full",) if self.include_full else ()))

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan:
        record: Mapping[str, Any] = {"user": raw} if isinstance(raw, str) else raw
        turn = {name: next((record[key] for key in keys if record.get(key) is not None), None)
                for name, keys in _KEYS.items()}  # fmt: skip
        full = as_text(turn["assistant"]).strip()
        texts = {
            "user_prompt": as_text(turn["user"]).strip(),
            "assistant_summary": as_text(turn["summary"]).strip() or leading(full),
            "assistant_full": full if self.include_full else "",
        }
        kept = [(kind, text) for kind, text in texts.items() if text]
        surfaces = tuple(
            single(artifact_id, kind, text, number, "document" if kind == "assistant_full" else "field")
            for number, (kind, text) in enumerate(kept)
        )
        return IndexPlan(plain_fields({"tool_use": False, **(metadata or {}), **_fields(turn)}), surfaces)


def leading(text: str, limit: int = SUMMARY_CHARS) -> str:
    """The first sentences of a text that fit into ``limit`` characters; at least the first, cut at a word."""
    spans = sentences(text)
    if not spans:
        return text[:limit].strip()
    ends = [end for _, end in spans if end - spans[0][0] <= limit]
    if ends:
        return text[spans[0][0] : ends[-1]]
    head = text[spans[0][0] : spans[0][0] + limit]
    return (head.rsplit(None, 1)[0] if len(head.split()) > 1 else head) + "…"


def _fields(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Those that the record gives: what it does not say, the metadata may."""
    tools, time = turn["tools"], turn["time"]
    names = [str(tool) for tool in tools] if isinstance(tools, list | tuple) else None
    found = {
        "session": turn["session"],
        "project": turn["project"],
        "time": time.isoformat() if isinstance(time, datetime) else time,
        "model": turn["model"],
        "tools": [tools] if isinstance(tools, str) and tools else names,
        "tool_use": None if tools is None else bool(tools),
    }
    return {name: value for name, value in found.items() if value is not None}
