"""Bytes to text, whatever encoding a person's file has: byte order mark, UTF-8, then charset-normalizer's guess."""

from __future__ import annotations

import codecs

from ir_core.errors import BadSource
from ir_core.loaders._clean import clean_text

# UTF-32 first: its little-endian mark begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNATURES = (
    (b"%PDF-", "a PDF document; name it .pdf"),
    (b"PK\x03\x04", "a zip archive (or a .docx, .xlsx, .pptx, .epub); name it so"),
    (b"\xd0\xcf\x11\xe0", "an old Office document; save it as .docx, .xlsx or .pptx"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"7z\xbc\xaf", "a 7z archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
)
_NO_TEXT = "is not text: its bytes fit no known encoding; save it as UTF-8 text, or leave it out"
# Code pages in use somewhere; with the rarer ones a short text in any of these is taken for theirs.
_CODE_PAGES = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "koi8_r",
    "koi8_u", "cp866", "cp437", "cp850", "cp932", "euc_jp", "iso2022_jp", "gb18030", "big5", "cp949", "iso8859_2",
    "iso8859_5", "iso8859_6", "iso8859_7", "mac_roman", "utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be",
]  # fmt: skip


def decode(data: bytes) -> tuple[str, str | None]:
    """The cleaned text, and a remark when its encoding had to be guessed or bytes had to be replaced.

    :raises BadSource: when the bytes are no text.
    """
    for start, what in _SIGNATURES:
        if data.startswith(start):
            way_out = "" if ";" in what else "; leave it out, or save what it says as text"
            raise BadSource(f"is not text: its bytes are those of {what}{way_out}")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _with_replacements(data, encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _halves(data) or _nearly_utf8(data) or _guessed(data)
    if b"\x1b$B" in data or _controls(text) > min(len(text), 100_000) / 10:
        # ISO-2022-JP, and UTF-16 without a mark, can be valid UTF-8 that reads as control characters.
        return _guessed(data)
    return clean_text(text), None


def _with_replacements(data: bytes, encoding: str) -> tuple[str, str | None]:
    text = data.decode(encoding, "replace")
    lost = text.count("\ufffd") - data.count("\ufffd".encode(encoding.removesuffix("-sig")))
    if lost > len(text) / 10:
        raise BadSource(
            f"is not text: it begins like {encoding}, but its bytes are none; save it again as UTF-8 text"
        )
    note = f"has bytes that are not {encoding}; they are shown as \ufffd ({lost} times)" if lost > 0 else None
    return clean_text(text), note


def _halves(data: bytes) -> tuple[str, str] | None:
    """UTF-8 with halves of surrogate pairs in it, as programs write it that think in UTF-16."""
    try:
        text = data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return clean_text(text), "has bytes that are not UTF-8 (halves of characters); they are shown as \ufffd"


def _nearly_utf8(data: bytes) -> tuple[str, str] | None:
    """UTF-8 with a few broken places is still UTF-8: a guess would spoil every other letter of it."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    good = sum(1 for char in text if char > "\x7f") - broken
    if good < 10 * broken or _controls(text) > min(len(text), 100_000) / 100:
        return None
    return clean_text(text), f"has bytes that are not UTF-8; they are shown as \ufffd ({broken} times)"


def _guessed(data: bytes) -> tuple[str, str | None]:
    from charset_normalizer import from_bytes

    best = from_bytes(data, cp_isolation=_CODE_PAGES).best() or from_bytes(data).best()
    if best is None:
        raise BadSource(_NO_TEXT)
    if best.encoding == "cp1250":
        # Both fit most western texts; cp1252 is far the commoner unless cp1250 reads better.
        western = from_bytes(data, cp_isolation=["cp1252"]).best()
        if western and western.chaos <= best.chaos and western.coherence >= best.coherence:
            best = western
    text = clean_text(str(best))
    if _controls(text) > min(len(text), 100_000) / 100:
        raise BadSource(_NO_TEXT)
    wide = best.encoding.startswith("utf_")
    note = f"is not UTF-8; it was read as {best.encoding}, a guess: save it as UTF-8 if letters look wrong"
    return text, None if wide else note


def _controls(text: str) -> int:
    return sum(1 for char in text[:100_000] if char == "\x7f" or (char < " " and char not in "\t\n\r\f\v\x1b"))
