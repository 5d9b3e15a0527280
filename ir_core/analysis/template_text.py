"""What in a written text is the writer's form and not an answer: place-holders, labels, announcements, refusals."""

from __future__ import annotations

import re

from ir_core.writers._reply_marks import CODA, LABEL, PREAMBLE, TAG, THOUGHT, TURN_END
from ir_core.writers._reply_unfit import is_unfit

_PLACEHOLDER = re.compile(
    r"\$?\{+\s*[^\W\d][\w.]*\s*\}+|\[(?:insert|your|the|query|question|topic|name)\b[^\]\n]{0,60}\]", re.I
)
_FENCE = re.compile(r"```|~~~")
_MAX_QUOTED = 60


def template_text(text: str) -> tuple[str, ...]:
    """Each find in words that quote it ('left-over place-holder “{query}”'); empty where there is none.

    The patterns are those by which replies are cleaned (English and Arabic): a find here came through all the same,
    as from a recording, a person's own text, or the corpus.
    """
    stripped = text.strip()
    found = [
        *(f"left-over place-holder {_quoted(one.group())}" for one in _PLACEHOLDER.finditer(text)),
        *(f"left-over tag {_quoted(one.group())}" for one in TAG.finditer(text)),
        *(f"end mark of a chat {_quoted(one.group())}" for one in TURN_END.finditer(text)),
    ]
    if THOUGHT.search(text):
        found.append("a model's thinking aloud")
    if _FENCE.search(text):
        found.append("a code fence")
    for pattern, what in ((PREAMBLE, "announcement"), (LABEL, "label")):
        match = pattern.match(stripped)
        if match and match.group().strip():
            found.append(f"{what} {_quoted(match.group())}")
    if any(CODA.match(line.strip()) for line in stripped.splitlines()[1:]):
        found.append("a remark to the reader at the end")
    if is_unfit(stripped):
        found.append("no answer but a refusal, a question back, or an unfilled template")
    return tuple(dict.fromkeys(found))


def _quoted(found: str) -> str:
    return f"“{' '.join(found.split())[:_MAX_QUOTED]}”"
