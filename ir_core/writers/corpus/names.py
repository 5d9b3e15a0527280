"""Names and pairs of names in an English question, by capitals and quotes; the corpus' titles break ties."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import regex

from ir_core.text import normalise

QUOTED = regex.compile(r"[\"“][^\"“”]+[\"”]")
_CAP = r"(?:[\"“][^\"“”]{1,60}[\"”]|[\p{Lu}\d][^\s,;:?]*)"
_INSIDE = r"(?:(?:of|de|del|la|le|du|von|van|der|den|in|on|for|to|at|with|the|&)\s)"
NAME = rf"(?:(?:[Tt]he|[Aa]n?)\s)?{_CAP}(?:\s{_INSIDE}{{0,3}}{_CAP})*"
"""A run of capitalised or quoted words, with the small words inside it and an article before it."""
_NAME_START = regex.compile(NAME)
_ARTICLE = regex.compile(r"^(?:the|an?)\s+", regex.IGNORECASE)


def title_key(title: str) -> str:
    """A title or name for comparison: no article, quotes or bracketed addition."""
    plain = regex.sub(r"\s*\([^)]*\)\s*$", "", normalise(title))
    return _ARTICLE.sub("", regex.sub(r"[\"“”'‘’]", "", plain)).strip()


def is_name(text: str) -> bool:
    return bool(_NAME_START.fullmatch(text.strip(" ,")))


def leading_name(text: str) -> int | None:
    """Length of the name a text begins with, or None."""
    match = _NAME_START.match(text)
    return len(match.group()) if match else None


def trailing_name(text: str) -> int | None:
    """Where the name a text ends with begins, or None. The first word of a question is not one."""
    text = text.rstrip(" ,")
    best = None
    for match in regex.finditer(NAME, text, overlapped=True):
        if match.end() == len(text) and match.start() > 0 and not text[match.start() - 1].isalnum():
            best = match.start() if best is None else min(best, match.start())
    return best


def splits(text: str, word: str) -> Iterator[tuple[str, str]]:
    """(left, right) around every ``word`` ("and", "or"), an Oxford comma dropped."""
    for match in regex.finditer(rf",?\s+{word}\s+", text):
        left, right = text[: match.start()].strip(" ,"), text[match.end() :].strip(" ,")
        if left and right:
            yield left, right


def best_pair(text: str, word: str, titles: Collection[str]) -> tuple[str, str] | None:
    """The two sides of ``word`` that are most likely one thing each: titles first, then names, then any words.

    A side of more than eight words is a clause, and no side.
    """
    found = [
        (-sum(title_key(side) in titles for side in pair), -sum(map(is_name, pair)), order, pair)
        for order, pair in enumerate(splits(text, word))
        if all(len(side.split()) <= 8 for side in pair)
    ]
    return min(found)[3] if found else None


def bare(side: str) -> str:
    """The name alone: "the drinks Gibson" and "two bands, Mastodon" lose the common noun, "X, a town," the town."""
    text = regex.sub(r"^(?:the )?(?:two )?\p{Ll}+s,? (?=\p{Lu})", "", side.strip(" ,"))
    name, comma, addition = text.partition(",")
    return name if comma and is_name(name) and addition.strip()[:1].islower() else text


def is_plural(thing: str) -> bool:
    """A common noun in -s ("invoices"), not a name ("James") nor "a bus"."""
    last = thing.split()[-1]
    return last.islower() and bool(regex.search(r"[^suai\W]s$|[^\W]es$", last)) and not regex.match(r"an? ", thing)
