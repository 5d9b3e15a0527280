"""Several questions in one: question marks, semicolons, "and how …", "and also …", lists of three."""

from __future__ import annotations

import regex

from ir_core.text import sentences, tokenise
from ir_core.writers.corpus.names import NAME, QUOTED, best_pair
from ir_core.writers.corpus.structures import AUX

_WH = r"(?:what|how|when|where|which|who|why|whose)(?!['’]s?\b)"
_SUBJECT = r"(?:it|they|i|we|you|he|she|there|the|an?|my|our|your|this|that|these|those)"
_ASKING = rf"(?:{_WH}|{AUX} {_SUBJECT})"
_ASKS = regex.compile(rf"^(?:(?:and|but|or|also|so),? )*{_ASKING}\b", regex.I)
_BETWEEN_QUESTIONS = regex.compile(
    rf",?\s+(?:and|but|or)(?:\s+also|\s+then)?,?\s+(?={_ASKING}\b)|,\s+(?=(?:what|how|why)\b)", regex.I
)
_RELATIVE = regex.compile(r"\w,? (?:who|which|whose|that|where)\b", regex.I)
_ALSO = regex.compile(
    r",?\s+(?:and|but|or)\s+(?:also|then|afterwards|additionally)\s+|,?\s+as well as\s+(?:how to\s+)?", regex.I
)
_FRAME = regex.compile(
    rf"^(?:{_WH}(?: to| (?:do|can|should|could|would|will|must) {_SUBJECT})|"
    rf"(?:can|do|should|could|may|must|will) {_SUBJECT})\s+",
    regex.I,
)
_LIST = regex.compile(
    r"^(?P<head>.+? (?:for|of|about|on|with|from|in|to|by|between|cover))\s+"
    r"(?P<items>[^,]{2,40}(?:, [^,]{2,40})+,? (?:and|or) [^,]{2,40})$",
    regex.I,
)
_OPENING = regex.compile(r"^(?:and|but|or|also|so),? ", regex.I)
_PRONOUN = regex.compile(r"\b(?P<word>it|its|they|them|their)\b", regex.I)
_NOUN_PHRASE = regex.compile(r"\b(?:an?|the|my|our|your|this)\s+(?:[^\s,?]+\s?){1,3}", regex.I)
_HIDE = {code: 0xE000 + code for code in map(ord, " ,;.?!")}
"""Inside quotes these separate nothing: they wait as private-use characters while a query is split."""
_SHOW = {hidden: plain for plain, hidden in _HIDE.items()}
_AFTER_NOUN = regex.compile(
    r"(?:in|on|at|for|of|to|with|by|from|is|are|was|works?|be|and|or|that|which|who)", regex.I
)
_ARABIC_DIFFERENCE = regex.compile(r"^ما\s+(?:هو\s+)?الفرق\s+بين\s+(?P<a>.+?)\s+و\s*(?:بين\s+)?(?P<b>.+?)\s*؟?$")


def clauses(query: str) -> list[str]:
    """The questions a query is made of, each readable alone; an empty list when it is one."""
    masked = QUOTED.sub(lambda match: match.group().translate(_HIDE), query.strip())
    for split in (_questions, _semicolons, _coordinated, _also, _arabic):
        found = [part.translate(_SHOW) for part in split(masked)]
        if len(found) > 1 and all(len(tokenise(part)) > 1 for part in found):
            return found
    return []


def _questions(query: str) -> list[str]:
    parts = [query[start:end] for start, end in sentences(query)]
    asked = [part for part in parts if part.endswith(("?", "؟", "？"))]
    return self_contained(asked) if len(asked) > 1 else []


def _semicolons(query: str) -> list[str]:
    parts = [part.strip() for part in regex.split(r"[;؛]\s", query)]
    long_enough = all(len(part.split()) > 2 for part in parts)
    return self_contained(parts) if long_enough and any(_ASKS.match(part) for part in parts) else []


def _coordinated(query: str) -> list[str]:
    """As in "what is X and how does it work"; after a noun, "who did A and who did B" is no question."""
    if not _ASKS.match(query):
        return []
    parts = []
    position = 0
    for match in _BETWEEN_QUESTIONS.finditer(query):
        left, right = query[position : match.start()], query[match.end() :]
        if _RELATIVE.search(left) and regex.match(r"(?:who|which|whose|where)\b", right, regex.I):
            continue
        if len(right.split()) < 3 or len(left.split()) < 2:
            continue
        parts.append(left)
        position = match.end()
    return self_contained([*parts, query[position:]]) if parts else []


def _also(query: str) -> list[str]:
    frame = _FRAME.match(query)
    parts = _ALSO.split(query)
    if frame is None or len(parts) < 2:
        return []
    rest = [part if _ASKS.match(part) else frame.group() + part for part in parts[1:]]
    return self_contained([parts[0], *rest])


def listed(query: str) -> list[str]:
    """The same question for each item, when the list ends the question: "what are the rules for A, B and C"."""
    text = query.rstrip(" ?")
    match = _LIST.match(text) if _ASKS.match(query) else None
    if match is None:
        return []
    *most, last = [item.strip() for item in match["items"].split(", ")]
    pair = best_pair(last, "(?:and|or)", ()) if regex.search(r" (?:and|or) ", last) else None
    items = [*most, *(pair or (regex.sub(r"^(?:and|or) ", "", last),))]
    if any(len(item.split()) > 5 for item in items):
        return []
    return [f"{match['head']} {item}?" for item in items]


def _arabic(query: str) -> list[str]:
    match = _ARABIC_DIFFERENCE.match(query)
    return [f"ما هو {match['a']}؟", f"ما هو {match['b']}؟"] if match else []


def self_contained(parts: list[str]) -> list[str]:
    """The parts as questions; in a later one a pronoun gives way to what the first is about, and a bare fragment
    ("any side effects?") is put under it."""
    first, *rest = [_OPENING.sub("", part.strip(" ,")) for part in parts]
    topic = _topic(first)
    done = [_asked(first)]
    for part in rest:
        if topic and topic.casefold() not in part.casefold():
            own = _PRONOUN.sub(lambda match: _in_place_of(match["word"], topic), part, count=1)
            fragment = own == part and not _ASKS.match(part) and len(part.split()) <= 4
            part = f"{topic}: {part}" if fragment else own
        done.append(_asked(part))
    return done


def _topic(question: str) -> str | None:
    """What "it" most likely is: X of "what is X", else the first name, else the last noun phrase with an article."""
    plain = question.strip(" ?؟")
    what = regex.match(r"^(?:what|who) (?:is|are|was|were) (?P<thing>.+)$", plain, regex.I)
    if what and len(what["thing"].split()) <= 6:
        return str(what["thing"])
    named = regex.search(rf"(?<=\p{{Ll}},? )(?=\p{{Lu}}\p{{Ll}}){NAME}", plain)
    if named:
        return str(named.group())
    phrases = _NOUN_PHRASE.findall(plain)
    if not phrases:
        return None
    words = str(phrases[-1]).split()
    end = next((n for n, word in enumerate(words) if n > 1 and _AFTER_NOUN.fullmatch(word)), len(words))
    if regex.match(r"(?:is|are|was|were) ", plain, regex.I) and plain.endswith(" ".join(words)) and end > 2:
        end -= 1
    return " ".join(words[:end])


def _in_place_of(pronoun: str, topic: str) -> str:
    return f"{topic}'s" if pronoun.lower() in {"its", "their"} else topic


def _asked(part: str) -> str:
    text = part.strip(" ,")
    text = text[:1].upper() + text[1:]
    return text if text.endswith(("?", "؟", "？", ".", "!")) or not _ASKS.match(text) else text + "?"
