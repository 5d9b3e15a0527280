"""The best span of the first hits in place of a model's answer.

The kind of answer by the question's words (Li and Roth, COLING 2002), spans of that kind, and the question's words
near them (MURAX, Kupiec, SIGIR 1993). English cues; elsewhere a span is any capitalised run, date or number.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import regex

from ir_core.errors import WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Hit, Task, Written
from ir_core.text import normalise, sentences, stem, stopwords, tokenise
from ir_core.writers.corpus.feedback import feedback
from ir_core.writers.corpus.statistics import CorpusStatistics

MAX_WORDS = 8
LATER = 0.8
"""What a span of the next hit is worth beside one of the hit before."""
NEAR = 20
"""Characters at which a word of the question counts half."""
CUED = 1.5
"""What a span is worth where the words before it announce its kind ("born in", "written by")."""

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}|{_MONTH} \d{{4}}|(?<!\d)(?:1\d|20)\d\d(?!\d)"
_NO_NAME = regex.compile(rf"\d|^{_MONTH}\b")
_TRIMMED = regex.compile(r"^[^\w]+|[^\w]+$|^(?:the|an?)\s+", regex.I)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’\-]*")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Which questions ask for it, what it looks like, and what announces it."""

    asked: regex.Pattern[str]
    span: regex.Pattern[str]
    cue: regex.Pattern[str]


_CAPITAL = r"\p{Lu}[\w'’\-]*(?:\.\w+)*"
_NAMED = regex.compile(rf"{_CAPITAL}(?:\.?\s(?:(?:of|de|del|la|le|du|von|van|der|den|the|&)\s){{0,2}}{_CAPITAL})*")
"""Names end before "in", "at" and "for", which stand inside those of a question more often than inside an answer."""
_KINDS = (
    _Kind(
        regex.compile(r"\bwhen\b|\b(?:year|date|day|month) ", regex.I),
        regex.compile(_DATE),
        regex.compile(r"\b(?:in|on|since|of)\s$", regex.I),
    ),
    _Kind(
        regex.compile(r"\bhow (?:many|much|long|old|far|tall|high)\b|\bpopulation\b|\bnumber of\b", regex.I),
        regex.compile(r"(?<![\d.,])\d[\d,.]*\d|(?<![\d.,])\d(?![\d,])"),
        regex.compile(r"\b(?:of|about|to|has|had)\s$", regex.I),
    ),
    _Kind(
        regex.compile(r"\bwhere\b|\b(?:country|city|state|place|county|town|continent|locat\w+|borders?)\b", regex.I),
        _NAMED,
        regex.compile(r"(?:\b(?:in|at|from|near|of)|,)\s(?:the\s)?$", regex.I),
    ),
    _Kind(
        regex.compile(r"\bwho|\b(?:performer|author|composer|director|producer|founder|writer|spouse)\b", regex.I),
        _NAMED,
        regex.compile(r"\b(?:by|with|to|son of|daughter of|singer|author|artist|band)\s$", regex.I),
    ),
    _Kind(regex.compile(""), _NAMED, regex.compile(r"\b(?:is|was|the|for|by)\s$", regex.I)),
)


def extract_answer(task: Task, index: CorpusStatistics, language: str, context: RunContext) -> list[Written]:
    """The best span of the task's hits, as it is written there; ``surface_ids`` names the surface.

    :raises WriterError: when nothing is found, or it holds nothing that could be an answer.
    """
    stop = stopwords(language) | stopwords("en")
    n = len(index.surfaces)
    asked = {
        stem(word, language): math.log(1 + n / (1 + index.document_frequency(word)))
        for word in tokenise(task.query)
        if word not in stop
    }
    kind = next(kind for kind in _KINDS if kind.asked.search(task.query))
    best: tuple[float, str, Hit] | None = None
    for place, hit in enumerate(feedback(task, context)):
        for score, span in _scored(hit, asked, kind, language, stop):
            if best is None or score * LATER**place > best[0]:
                best = (score * LATER**place, span, hit)
    if best is None:
        raise WriterError("The first documents hold no name, date or number that could be the answer.")
    _, span, hit = best
    return [Written(span, surface_ids=(hit.surface_id,), note=f"best span, by counting words, of “{hit.title}”")]


def _scored(
    hit: Hit, asked: Mapping[str, float], kind: _Kind, language: str, stop: frozenset[str]
) -> Iterator[tuple[float, str]]:
    """Each span with the weight of the question's words in the hit and, once more, near the span."""
    whole = sum(asked.get(word, 0.0) for word in {stem(word, language) for word in tokenise(hit.text)})
    for start, end in sentences(hit.text):
        text = hit.text[start:end]
        if text.rstrip(".") == hit.title.rstrip("."):
            continue
        words = [(found.start(), stem(normalise(found.group()), language)) for found in _WORD.finditer(text)]
        for found, span in _spans(text, kind, asked, language, stop):
            near: dict[str, float] = {}
            for at, word in words:
                if word in asked:
                    distance = max(found.start() - at, at - found.end(), 0)
                    near[word] = max(near.get(word, 0.0), asked[word] / (1 + distance / NEAR))
            cued = CUED if kind.cue.search(text[: found.start()]) else 1.0
            yield (whole + sum(near.values())) * cued, span


def _spans(
    text: str, kind: _Kind, asked: Collection[str], language: str, stop: frozenset[str]
) -> Iterator[tuple[regex.Match[str], str]]:
    """Spans of the kind asked for that hold none of the question's own words."""
    for found in kind.span.finditer(text):
        span = str(_TRIMMED.sub("", _TRIMMED.sub("", found.group())))
        words = [normalise(word) for word in _WORD.findall(span)]
        telling = [word for word in words if word not in stop]
        if kind.span is _NAMED and _NO_NAME.search(span):
            continue
        if telling and len(words) <= MAX_WORDS and not any(stem(word, language) in asked for word in telling):
            yield found, span
