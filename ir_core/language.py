"""Which language a text is in: by py3langid, which is small, offline and kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

import regex

_ARABIC = regex.compile(r"\p{Arabic}")
_LETTER = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}")
_NAMES = {
    "af": "Afrikaans", "am": "Amharic", "an": "Aragonese", "ar": "Arabic", "as": "Assamese", "az": "Azerbaijani",
    "ba": "Bashkir", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "br": "Breton", "bs": "Bosnian",
    "ca": "Catalan", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German", "dz": "Dzongkha", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fo": "Faroese", "fr": "French", "fy": "Western Frisian", "ga": "Irish",
    "gd": "Scottish Gaelic", "gl": "Galician", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "ht": "Haitian Creole", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "ig": "Igbo",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "jv": "Javanese", "ka": "Georgian", "kk": "Kazakh",
    "km": "Khmer", "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "ky": "Kyrgyz", "la": "Latin",
    "lb": "Luxembourgish", "lg": "Ganda", "ln": "Lingala", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian",
    "mg": "Malagasy", "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay",
    "mt": "Maltese", "my": "Burmese", "ne": "Nepali", "nl": "Dutch", "nn": "Norwegian Nynorsk", "no": "Norwegian",
    "oc": "Occitan", "om": "Oromo", "or": "Odia", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto",
    "pt": "Portuguese", "qu": "Quechua", "ro": "Romanian", "ru": "Russian", "rw": "Kinyarwanda", "sa": "Sanskrit",
    "se": "Northern Sami", "si": "Sinhala", "sk": "Slovak", "sl": "Slovenian", "sn": "Shona", "so": "Somali",
    "sq": "Albanian", "sr": "Serbian", "st": "Southern Sotho", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil",
    "te": "Telugu", "tg": "Tajik", "th": "Thai", "tk": "Turkmen", "tl": "Tagalog", "tr": "Turkish", "tt": "Tatar",
    "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "vo": "Volapük",
    "wa": "Walloon", "xh": "Xhosa", "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu", "ace": "Acehnese",
    "ary": "Moroccan Arabic", "arz": "Egyptian Arabic", "bcl": "Central Bikol", "crh": "Crimean Tatar",
    "ext": "Extremaduran", "fuv": "Nigerian Fulfulde", "gcf": "Guadeloupean Creole", "gcr": "Guianese Creole",
    "gom": "Goan Konkani", "grc": "Ancient Greek", "gug": "Guarani", "guw": "Gun", "hbo": "Ancient Hebrew",
    "kab": "Kabyle", "kik": "Kikuyu", "lij": "Ligurian", "ltg": "Latgalian", "nso": "Northern Sotho",
    "pcm": "Nigerian Pidgin", "sdh": "Southern Kurdish", "uzs": "Southern Uzbek", "vec": "Venetian",
    "wuu": "Wu Chinese", "yue": "Cantonese",
}  # fmt: skip
_ALIKE = (
    {"no", "nb", "nn", "da"},
    {"hr", "bs", "sr"},
    {"id", "ms"},
    {"cs", "sk"},
    {"gl", "pt", "es"},
    {"ar", "fa", "ur"},
)
"""Languages a detector takes for each other."""
_OTHER_SCRIPTS = {
    "am": r"\p{Ethiopic}", "ar": r"\p{Arabic}", "bn": r"\p{Bengali}", "el": r"\p{Greek}", "fa": r"\p{Arabic}",
    "he": r"\p{Hebrew}", "hi": r"\p{Devanagari}", "ja": r"\p{Han}\p{Hiragana}\p{Katakana}", "ko": r"\p{Hangul}",
    "ru": r"\p{Cyrillic}", "ta": r"\p{Tamil}", "th": r"\p{Thai}", "uk": r"\p{Cyrillic}", "ur": r"\p{Arabic}",
    "zh": r"\p{Han}",
}  # fmt: skip
"""Languages that are not written in Latin letters, and their own."""
_TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_WORD = regex.compile(r"\p{L}[\p{Ll}\p{Lo}\p{M}]+")
"""An ordinary word, capitalised at most: OAuth, PKCE and S256 are names in any language."""


def detect(text: str) -> str | None:
    """ISO 639-1 code, or None where there is too little to tell (fewer than three letters).

    Short Latin queries are a coin toss for any detector, so under 20 letters of plain ASCII count as English.
    """
    letters = _LETTER.findall(text[:4_000])
    if len(letters) < 3:
        return None
    if len(letters) < 20 and all(letter.isascii() for letter in letters):
        return "en"
    arabic = len(_ARABIC.findall(text[:4_000]))
    if arabic > len(letters) / 2 and not regex.search(r"[پچژگکی]", text[:4_000]):
        return "ar"
    found = _classify(text[:4_000])
    return None if found == "zxx" else found


@lru_cache(maxsize=4_096)
def _classify(text: str) -> str:
    import py3langid

    return str(py3langid.classify(text)[0])


def of_query(query: str, of_corpus: str | None) -> str | None:
    """The language of a query. A few words are too little for a detector, so the corpus has a say: a query in Latin
    letters on a corpus in Latin letters counts as the corpus', unless it is long enough to be sure (60 letters).
    """
    letters = _LETTER.findall(query)
    latin = all(_LATIN.match(letter) for letter in letters)
    if of_corpus and latin and of_corpus not in _OTHER_SCRIPTS and (query.isascii() or len(letters) < 60):
        return of_corpus
    return detect(query)


def other_language(text: str, expected: str) -> str | None:
    """The language of a text that is surely not in the ``expected`` one; None where it is, or cannot be told.

    Letters of another script tell after 12 of them (names in Latin letters are common, so it takes four in five), and
    in two ordinary words where all are; a single word may be a product's name. Within one script it takes 100, since
    a detector is a coin toss on a few words.
    """
    letters = _LETTER.findall(text[:4_000])
    base = expected.lower().split("-")[0].split("_")[0]
    own = regex.compile(f"[{_OTHER_SCRIPTS.get(base, _LATIN.pattern)}]")
    wrong = sum(own.match(letter) is None for letter in letters)
    if len(letters) < (12 if wrong > 0.8 * len(letters) else 100):
        words = sum(_WORD.fullmatch(token) is not None for token in _TOKEN.findall(text[:4_000]))
        if wrong < len(letters) or words < 2:
            return None
    found = detect(text)
    alike = any({found, base} <= group for group in _ALIKE)
    return None if found == base or alike else found


def outside(texts: Iterable[str], languages: Collection[str]) -> dict[str, int]:
    """How many of the texts are surely in none of the languages, by the one they are in, the commonest first."""
    counts: dict[str, int] = {}
    for text in texts:
        found = {other_language(text, code) for code in languages}
        if found and None not in found:
            code = str(found.pop())
            counts[code] = counts.get(code, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def name_of(code: str) -> str:
    """The English name of a language (ISO 639), or its code in quotes."""
    return _NAMES.get(code, repr(code))


def main_language(texts: Iterable[str], sample: int = 60) -> str | None:
    """The commonest language of the first ``sample`` texts, or None where none could be told."""
    counts: dict[str, int] = {}
    for _, text in zip(range(sample), texts, strict=False):
        found = detect(text)
        if found:
            counts[found] = counts.get(found, 0) + 1
    return max(sorted(counts), key=lambda code: counts[code]) if counts else None
