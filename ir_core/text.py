"""Words, sentences and slugs: the one tokeniser, and what is read off text with it."""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache

import regex

TOKENISER = "prism-words-1"
"""Name of the default tokeniser; part of every index fingerprint. A changed rule needs a new name."""

_ARABIC_MARKS = regex.compile(r"[\u064B-\u065F\u0670\u06D6-\u06ED\u0640]")
_ALEF = str.maketrans("أإآٱ", "اااا")
_WORD = regex.compile(r"[\w](?:[\w.\-]*\w)?")
_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー]+")
_HUMP = regex.compile(r"(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
_PART = regex.compile(r"[^\W_]+")
_SURROGATE = regex.compile(r"[\ud800-\udfff]")
_SENTENCE = regex.compile(r"[^.!?؟。！？\n]*(?:[.!?؟](?=\w)[^.!?؟。！？\n]*)*(?:[.!?؟。！？]+[\"'”’)\]]*|\n+|$)")


def normalise(text: str) -> str:
    """NFKC, casefolded, Arabic marks and tatweel removed, alef folded."""
    return str(_ARABIC_MARKS.sub("", unicodedata.normalize("NFKC", text))).translate(_ALEF).casefold()


def tokenise(text: str) -> list[str]:
    """The words of a text, in order, as the lexical leg sees them.

    Identifiers (``max_upload_rate``, ``ForkServer``, ``ERR-4207``) give their parts and the whole; Japanese and
    Chinese runs give character bigrams.
    """
    words: list[str] = []
    for word in _WORD.findall(_ARABIC_MARKS.sub("", unicodedata.normalize("NFKC", text)).translate(_ALEF)):
        words.extend(_tokens_of(word))
    return words


@lru_cache(maxsize=65_536)
def _tokens_of(word: str) -> tuple[str, ...]:
    """Kept, because a corpus repeats its words: counting 100,000 surfaces takes a third of the time."""
    if _CJK.search(word):
        return tuple(_with_cjk(word))
    parts = [part.casefold() for piece in _PART.findall(word) for part in _HUMP.split(piece)]
    return (*parts, word.casefold()) if len(parts) > 1 else tuple(parts)


def _with_cjk(word: str) -> list[str]:
    out: list[str] = []
    position = 0
    for run in _CJK.finditer(word):
        out.extend(tokenise(word[position : run.start()]))
        chars = run.group()
        out.extend([chars] if len(chars) == 1 else [chars[i : i + 2] for i in range(len(chars) - 1)])
        position = run.end()
    return out + tokenise(word[position:])


_ENGLISH_PART = re.compile(r"[^\W_]+")
_LUCENE_STOP = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
        "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this",
        "to", "was", "will", "with",
    }
)  # fmt: skip


def tokenise_english(text: str) -> list[str]:
    """The words as published English BM25 baselines often see them, for comparing with their figures.

    Lower-cased runs of letters and digits as Python's ``re`` sees them (so combining marks split a word), Lucene's 33
    English stop words left out, plurals by Harman's S-stemmer (JASIS 1991).
    """
    return [_s_stem(word) for word in _ENGLISH_PART.findall(text.lower()) if word not in _LUCENE_STOP]


def _s_stem(word: str) -> str:
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word if word.endswith(("us", "ss")) else word[:-1]


TOKENISERS: Mapping[str, Callable[[str], list[str]]] = {TOKENISER: tokenise, "english-s-1": tokenise_english}


@lru_cache(maxsize=32)
def stopwords(language: str = "en") -> frozenset[str]:
    """Stop words of a language (ISO 639-1) from stopwordsiso, normalised; empty where it has none."""
    import stopwordsiso

    return frozenset(normalise(word) for word in stopwordsiso.stopwords(language)) if language else frozenset()


def content_words(text: str, language: str = "en") -> list[str]:
    """The words that are not stop words, in order, repeated ones kept."""
    stop = stopwords(language)
    return [word for word in tokenise(text) if word not in stop]


_STEMMERS = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese",
             "nl": "dutch", "ar": "arabic", "ru": "russian", "sv": "swedish", "tr": "turkish"}  # fmt: skip
_own = threading.local()


@lru_cache(maxsize=65_536)
def stem(word: str, language: str = "en") -> str:
    """The Snowball stem; the word itself in a language Snowball does not know."""
    if language not in _STEMMERS:
        return word
    # a stemmer keeps the word it works on in itself: shared between threads it gives other words' stems, or fails
    stemmers = _own.__dict__.setdefault("stemmers", {})
    if language not in stemmers:
        import snowballstemmer

        stemmers[language] = snowballstemmer.stemmer(_STEMMERS[language])
    return str(stemmers[language].stemWord(word))


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end (characters) of each sentence, blank ones left out.

    A line break ends a sentence; a full stop inside a number or a name (``7.4``, ``app.py``) does not.
    """
    found = []
    for match in _SENTENCE.finditer(text):
        piece = match.group()
        if piece.strip():
            lead = len(piece) - len(piece.lstrip())
            found.append((match.start() + lead, match.start() + len(piece.rstrip())))
    return found


QUOTED = 300
"""Characters shown of a document that is searched with as a whole."""


def quoted(text: str, limit: int = QUOTED) -> str:
    """The beginning of a text, whole sentences where the first one fits."""
    text = text.strip()
    if len(text) <= limit:
        return text
    end = max((stop for _, stop in sentences(text[: 3 * limit]) if stop <= limit), default=0)
    if end >= limit // 3:
        return text[:end]
    cut = text[: limit + 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut[:limit]) + " …"


def slug(name: str, limit: int = 48) -> str:
    """An ASCII name for folders and collections; a name with nothing ASCII in it gets a hash of itself."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    short = regex.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:limit].strip("-")
    mark = hashlib.sha256(name.encode()).hexdigest()[:8]
    lost = len(regex.sub(r"\W", "", plain)) < len(regex.sub(r"\W", "", name))
    return f"{short}-{mark}".strip("-") if lost or not short else short


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def encodable(text: str) -> str:
    """The text with lone surrogates, which no UTF-8 can hold, replaced one for one; offsets stay what they were."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
