"""What models put around the texts they were asked for, as patterns (English and Arabic)."""

from __future__ import annotations

import re

THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.S | re.I)
THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.S | re.I)
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.M)
TURN_END = re.compile(r"<\|\w+\|>|</s>|\A<s>|<(?:start|end)_of_turn>|\[/?INST\]")
"""Of a chat template that was not taken off: what follows is the next turn, which the model invented."""
TAG = re.compile(
    r"</?(?:\w+[_-])?(?:query|queries|conversation|passage|document|answer|output|questions?|result)_*>", re.I
)
HEADING = re.compile(r"^#{1,6}\s+")
BULLET = re.compile(r"^(?:(?:[-*–—+>→]|->|=>)\s+|[•‣▪·]\s*|[a-h]\)\s+)")
NUMBER = re.compile(r"^(?:\*\*|[(\[])?(\d{1,2})\s?(?:[.)\]:]|-(?=\s))[*)]{0,2}(?:\s+|(?=[\"'“«*A-Z]))")
"""A number that counts. "3.11", "5.x" and "2-factor" are no such numbers."""
MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)|</?[a-z][^<>]*(?:>|\Z)|"
    r"!\[[^\[\]]*\]\([^()]*\)|&#?\w{1,10};",
    re.I | re.S,
)
"""What a browser would draw or run, not read: tags, comments, images, entities."""
PAIRS = (
    ('"', '"'),
    ("'", "'"),
    ("“", "”"),
    ("‘", "’"),
    ("«", "»"),
    ("`", "`"),
    ("**", "**"),
    ("*", "*"),
    ("__", "__"),
)
EMPTY_WORDS = frozenset({"null", "none", "undefined", "n/a", "na", "nil"})
"""What a program writes where it has nothing."""
QUOTED_COMMA = re.compile(r"([\"'”»])[,;]$")

_ADJECTIVES = (
    r"(?:(?:the|final|new|best|better|improved|rewritten|reformulated|optimi[sz]ed|alternative|expanded|search|"
    r"standalone|step-?\s?back|broader|hypothetical|user|my)\s+)"
)
LABEL = re.compile(
    rf"^\W{{0,2}}(?:{_ADJECTIVES}*(?:query|queries|question|questions|rewrite|variants?|variations?|passage|answer|output|"
    rf"sub-?\s?(?:questions?|quer(?:y|ies))|q)\s*#?\d{{0,2}}|{_ADJECTIVES}+(?:document|version|result)|"
    r"(?:version|option|alternative)\s*\d{1,2}|(?:ال)?(?:استعلام|سؤال|فقرة|مقطع|جواب|إجابة|صيغة)"
    r"(?:\s+(?:ال\w+|فرعي|بديل|المعاد\s+صياغته))*\s*\d{0,2})\W{0,2}(?:[:：](?:\*\*)?|(?<=\d )[-–—](?= ))\s*",
    re.I,
)
ANSWER = re.compile(
    r"^\W{0,2}(?:assistant|(?:(?:final|rewritten|reformulated|improved|optimi[sz]ed|standalone|step-?\s?back|broader)\s+)+"
    r"(?:query|question|answer|output))\W{0,2}[:：](?:\*\*)?",
    re.I,
)
"""Begins the answer of a model that thought aloud, or repeated the query, before it."""
PREAMBLE = re.compile(
    r"^(?:(?:sure|certainly|of course|absolutely|okay|ok|great|بالتأكيد|بالطبع|حسنًا|حسنا)(?: thing)?\s*[,!.:،]\s*)?"
    r"(?:(?:here(?:'s|’s| is| are)|below (?:is|are)|the following(?: is| are)?|these are|"
    r"i(?:'ve| have) (?:re)?written|إليك|فيما يلي|هذه هي)\b[^\n:：]{0,120}[:：]\s*)?",
    re.I,
)
ANNOUNCED = re.compile(
    r"^(?:here (?:is|are)|below (?:is|are)|these are)\b.*"
    r"\b(?:quer|question|varia|version|passage|rewrit|alternative)\w*[.!]?$",
    re.I,
)
"""A line that announces the texts without a colon."""
CODA = re.compile(
    r"^(?:note|explanation|reasoning|rationale|ملاحظة|شرح)\s*[:：]|"
    r"^(?:i hope|let me know|feel free|would you like|this (?:query|rewrite|version|question|passage)|"
    r"these (?:queries|variants|variations|questions|sub-?questions))\b",
    re.I,
)


def is_label(line: str) -> bool:
    """True for a line that is nothing but a label ("Rewritten query")."""
    return LABEL.fullmatch(f"{line}:") is not None
