"""What a model said, read tolerantly: JSON first, also inside prose or fences, then lines.

Thoughts, fences, labels, bullets, numbering, quotes, preambles and template text are taken off; numbers that belong
to the text ("3.11", "3. Liga") stay. Blank and repeated texts, refusals and questions back to the user are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ir_core.writers import _reply_marks as marks
from ir_core.writers._reply_echo import is_echo
from ir_core.writers._reply_json import texts_in_json
from ir_core.writers._reply_unfit import is_page, is_unfit

MAX_PARSED_CHARS = 20_000
"""More than any list of queries or passage needs; keeps every pattern cheap on a hostile reply."""

RUNS_ON = 4
"""A passage so many times longer than it may be is cut nowhere sensible: the model has lost its way."""


def read_queries(
    reply: str,
    *,
    limit: int,
    max_chars: int,
    original: str | None = None,
    given: frozenset[str] = frozenset(),
    telling: Callable[[str], bool] = bool,
) -> list[str]:
    """The queries in a reply, best first, at most ``limit``, none blank, repeated or longer than ``max_chars``.

    :param original: a text that does not count as new; None keeps it.
    :param given: the prompt's own lines and examples (:func:`_reply_echo.lines_of`), which are no reply.
    :param telling: whether a text says enough to be searched (:func:`_reply_telling.says_something`); all do where
        none is given.
    """
    said = _without_thoughts(reply)
    found = texts_in_json(said)
    texts = _lines(said) if found is None else list(_tidied(found))
    known = {_key(original)} if original is not None else set()
    new = (text for text in texts if not is_echo(text, given) and telling(text))
    return list(_usable(new, known, max_chars))[:limit]


def read_query(
    reply: str, *, max_chars: int, given: frozenset[str] = frozenset(), telling: Callable[[str], bool] = bool
) -> str | None:
    """The one query in a reply; None when there is nothing usable."""
    found = read_queries(reply, limit=1, max_chars=max_chars, given=given, telling=telling)
    return found[0] if found else None


def read_passage(reply: str, *, max_chars: int, given: frozenset[str] = frozenset()) -> str | None:
    """The passage in a reply on one line, cut at the end of a word; None when there is nothing usable."""
    said = _without_thoughts(reply)
    found = texts_in_json(said, whole=True)
    lines = [" ".join(found)] if found is not None else marks.FENCE.sub("", said).splitlines()
    kept = [
        _unwrap(marks.HEADING.sub("", line.strip())) for line in lines if line.strip() and not is_echo(line, given)
    ]
    if kept:
        kept[0] = marks.LABEL.sub("", marks.PREAMBLE.sub("", kept[0], count=1), count=1)
    if len(kept) > 1 and marks.CODA.match(kept[-1]):
        kept.pop()
    text = _unwrap(marks.TAG.sub("", " ".join(" ".join(kept).split())).strip())
    if not _says_something(text) or is_unfit(text) or is_echo(text, given) or len(text) > RUNS_ON * max_chars:
        return None
    return text if len(text) <= max_chars else text[: max_chars + 1].rsplit(None, 1)[0][:max_chars]


def read_answer(reply: str, *, max_chars: int, given: frozenset[str] = frozenset()) -> str | None:
    """What was said, as it stands but for thoughts, fences, a label and quotes around it, on one line and cut; None
    for nothing. Whether it is an answer is for whoever asked to say: "-3" stays "-3", "n/a" stays "n/a"."""
    if reply.strip().casefold() in marks.EMPTY_WORDS:
        return reply.strip()
    lines = marks.FENCE.sub("", _without_thoughts(reply)).splitlines()
    said = " ".join(line.strip() for line in lines if line.strip() and not is_echo(line, given))
    said = marks.TAG.sub("", marks.LABEL.sub("", _unwrap(said), count=1)).strip()
    said = _unwrap(" ".join(said.split()))
    return said[:max_chars] if _says_something(said) and not is_echo(said, given) else None


def _without_thoughts(reply: str) -> str:
    """The first turn, without ``<think>`` blocks, also one that was never closed or whose opening the template
    swallowed; nothing where it has no words or is a server's page."""
    said = marks.THOUGHT.sub("", reply[:MAX_PARSED_CHARS].lstrip("\ufeff"))
    said = marks.THOUGHT_END.sub("", said).replace("\u200b", "")
    turns = (turn.strip() for turn in marks.TURN_END.split(said))
    turn = next((turn for turn in turns if turn), "")
    page = is_page(marks.FENCE.sub("", turn))
    return turn if _says_something(turn) and not page else ""


def _lines(said: str) -> list[str]:
    """One text per line. Headings count only where there is nothing else, remarks only as the first thing said."""
    lines: list[str] = []
    headings: list[str] = []
    for line in marks.FENCE.sub("", said).splitlines():
        text = line.strip()
        if marks.HEADING.match(text):
            headings.append(marks.HEADING.sub("", text))
            continue
        if lines and marks.CODA.match(_unwrap(text)):
            continue
        if marks.ANSWER.match(text):
            lines.clear()
            text = marks.ANSWER.sub("", text, count=1).strip()
        rest = marks.PREAMBLE.sub("", text, count=1)
        bare = _unwrap(rest)
        if rest and not bare.endswith((":", "：")) and not marks.ANNOUNCED.match(bare) and not marks.is_label(bare):
            lines.append(rest)
    return list(_tidied(lines or headings))


def _tidied(texts: Iterable[str]) -> Iterator[str]:
    """Each text without bullet, number, label, tags and quotes, on one line.

    A number is taken off only where it counts 1, 2, 3 from the first numbered text on.
    """
    due = 1
    for raw in texts:
        text = " ".join(marks.TAG.sub("", raw).split())
        for _ in range(3):
            before = text
            text = marks.BULLET.sub("", _unwrap(text), count=1)
            numbered = marks.NUMBER.match(text)
            if numbered and int(numbered.group(1)) == due:
                text, due = text[numbered.end() :], due + 1
            text = marks.LABEL.sub("", text, count=1)
            if text == before:
                break
        yield text


def _unwrap(text: str) -> str:
    """Without a pair of quotes or stars around the whole of it, and the comma a list left behind."""
    text = marks.QUOTED_COMMA.sub(r"\1", text.strip())
    for start, end in marks.PAIRS:
        inner = text[len(start) : -len(end)]
        if text.startswith(start) and text.endswith(end) and inner.strip() and start not in inner:
            return inner.strip()
    return text


def _usable(texts: Iterable[str], known: set[str], max_chars: int) -> Iterator[str]:
    for text in texts:
        key = _key(text)
        if _says_something(text) and key not in known and len(text) <= max_chars and not is_unfit(text):
            known.add(key)
            yield text


def _says_something(text: str) -> bool:
    """True for words that are no program's way to say nothing; markup has none."""
    return text.casefold() not in marks.EMPTY_WORDS and any(map(str.isalnum, marks.MARKUP.sub("", text)))


def _key(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?؟.! ")
