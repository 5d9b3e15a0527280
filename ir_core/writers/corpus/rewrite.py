"""Rewrite: typos corrected, the corpus' acronyms spelled out, filler dropped."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ir_core.schema import Task, Written
from ir_core.text import content_words, tokenise
from ir_core.writers.corpus.acronyms import acronyms, expansions
from ir_core.writers.corpus.spelling import candidates, correction, unknown_words
from ir_core.writers.corpus.statistics import CorpusStatistics, derived

_FILLER = [
    regex.compile(pattern, regex.IGNORECASE)
    for pattern in (
        r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[\s,!.:]+",
        r"(?:please|pls|kindly)\b[\s,]*",
        r"(?:(?:can|could|would|will) (?:you|anyone|someone|anybody|somebody)(?: please| kindly)?)"
        r" (?:tell|explain(?: to)?|show|help|give|inform|advise|let)(?: me| us)?(?: know| understand| find)?"
        r"(?: about| of| with)?\s+",
        r"(?:tell|show) (?:me|us)(?: about)?\s+",
        r"let me know\s+(?:about\s+)?",
        r"(?:do|does) (?:you|anyone|anybody|someone) know(?: if| whether)?\s+",
        r"(?:i|we)(?:'d| would|’d)? (?:just )?(?:want|wanted|need|like|love|wish) to"
        r" (?:know|find out|understand|learn|ask|hear)(?: more)?(?: about| if| whether)?\s+",
        r"(?:i|we)(?:'m| am|’m| are|'re|’re| was| were) (?:just )?(?:wondering|curious"
        r"|trying to (?:find out|understand)|looking for(?: information| info)?)(?: about| on| if| whether)?\s+",
        r"(?:i|we) have a question(?: about| on| regarding)?[\s:,]+",
        r"is there (?:a|any|some) way (?:to|of)\s+",
        r"(?:is it possible|would it be possible)(?: for (?:me|us))? to\s+",
        r"how (?:do|can|could|should|would|may|might) (?:i|we|you|one)\s+(?:go about\s+)?",
        r"what(?:'s|’s| is) the (?:best|easiest|right|quickest|proper) way (?:to|of|for)\s+",
    )
]
_TAIL = regex.compile(
    r"[\s,.!]*\b(?:please|pls|thanks(?: a lot| so much| in advance)?|thank you)[\s.!]*(\?*)\s*$", regex.I
)


def rewrite(task: Task, index: CorpusStatistics, language: str) -> list[Written]:
    """One text; the query itself, and a note that says so, when there is nothing to correct."""
    text, notes = _corrected(task.query, index, language)
    if language == "en":
        shorter = without_filler(text)
        if shorter != text:
            notes.append("filler dropped")
            text = shorter
    found = expansions(text, derived(index).get(acronyms), language)
    for short, long, others in found:
        more = f" (the commonest of {others + 1} meanings here)" if others else ""
        notes.append(f"{short} = {long}{more}")
    bag = _bag(text, [long for _, long, _ in found]) if found else None
    text = " ".join((text, *(long for _, long, _ in found)))
    return [Written(text, note="; ".join(notes) or "nothing to correct", terms=bag)]


def _bag(text: str, longs: Sequence[str]) -> dict[str, float]:
    """For BM25 a long form counts as much as its short form, one word, however many words it has: five rare words
    more would outweigh the rest of the query."""
    bag: dict[str, float] = {}
    for part in (text, *longs):
        words = tokenise(part)
        for word in words:
            bag[word] = bag.get(word, 0.0) + (1.0 if part is text else 1 / len(words))
    return bag


def _corrected(query: str, index: CorpusStatistics, language: str) -> tuple[str, list[str]]:
    spots = unknown_words(query, index, language)
    if not spots:
        return query, []
    speller = derived(index).get(candidates)
    notes: list[str] = []
    pieces: list[str] = []
    position = 0
    for start, end in spots:
        typed = query[start:end]
        meant = correction(typed, speller, language)
        if meant:
            notes.append(f"typo: {typed} → {meant}")
            pieces += [query[position:start], meant]
            position = end
    return "".join([*pieces, query[position:]]), notes


def without_filler(query: str) -> str:
    """The query without greetings, courtesies and question frames; unchanged when nothing telling would be left."""
    text = _TAIL.sub(r"\1", query.strip())
    asked_how = False
    again = True
    while again:
        again = False
        for pattern in _FILLER:
            match = pattern.match(text)
            if match:
                asked_how = asked_how or match.group().lower().startswith(("how", "what", "is"))
                text, again = text[match.end() :], True
    if asked_how:
        text = text.rstrip(" ?")
    return text if content_words(text, "en") else query
