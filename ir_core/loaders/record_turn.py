"""One exchange of a session: what the user asked and what the assistant answered."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, ClassVar

from ir_core.loaders._base import Options, RecordKind
from ir_core.loaders._clean import clean_id, clean_metadata, is_blank
from ir_core.loaders._records import ID_COLUMNS, as_text, pick
from ir_core.schema import Artifact

_USER = ("user", "user_prompt", "prompt")
_ASSISTANT = ("assistant", "assistant_full", "assistant_summary", "response")
_TITLE_CHARS = 80


class TurnRecord(RecordKind):
    name = "turn"
    label = "Session turn"
    summary = "Records with user and assistant; session, project, time, model and tool use can be filtered on."
    strategy: ClassVar[str | None] = "ClaudeTurn"
    order: ClassVar[int] = 10

    def claims(self, record: Mapping[str, Any]) -> bool:
        return any(key in record for key in _USER) and any(key in record for key in _ASSISTANT)

    def artifact(self, record: Mapping[str, Any], fallback_id: str, options: Options) -> Artifact | None:
        if is_blank("".join(as_text(record.get(key)) for key in (*_USER, *_ASSISTANT))):
            return None
        id_column = pick(record, ID_COLUMNS)
        own_id = clean_id(record[id_column] if id_column else None, fallback_id)
        texts = {*_USER, *_ASSISTANT, "summary", id_column}
        fields = {k: v for k, v in record.items() if k not in texts}
        return Artifact(own_id, record, clean_metadata({**_title(record), **fields}, options.unfit))


def _title(record: Mapping[str, Any]) -> dict[str, str]:
    """The beginning of what was asked: a turn has no other name."""
    asked = next((text for text in (as_text(record.get(key)) for key in _USER) if not is_blank(text)), "")
    return {"title": textwrap.shorten(asked, _TITLE_CHARS, placeholder=" …")} if asked else {}
