"""HTML: the text a reader would see, and the title (beautifulsoup4 over lxml)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import regex

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_text, is_blank
from ir_core.loaders._decode import decode
from ir_core.schema import Artifact

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_UNSEEN = ["script", "style", "noscript", "template", "head", "iframe", "object", "svg"]
_BLOCKS = [
    "address", "article", "aside", "blockquote", "br", "caption", "dd", "details", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav",
    "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "thead", "tr", "ul",
]  # fmt: skip
_BREAK, _CELL = "\x1e", "\x1f"
"""Stand for a line's and a table cell's end while white space is folded; no HTML text holds them."""
_HIDDEN = regex.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", regex.IGNORECASE)


class Html(FileFormat):
    name = "html"
    label = "HTML page"
    summary = "The visible text and the title; no scripts or styles."
    suffixes = (".html", ".htm", ".xhtml")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        from bs4 import BeautifulSoup

        text, note = _decode_page(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # XHTML read as HTML, text that looks like a path: both are fine here
            soup = BeautifulSoup(text.replace(_BREAK, " ").replace(_CELL, " "), "lxml")
        title = " ".join(soup.title.get_text().split()) if soup.title else ""
        body = visible_text(soup)
        if is_blank(body):
            yield Problem(file.name, "shows no text and was left out")
        else:
            yield Artifact(file.name, body, {"title": title} if title else {})


def _decode_page(data: bytes) -> tuple[str, str | None]:
    """A page that is not UTF-8 says what it is, mostly."""
    from bs4.dammit import EncodingDetector

    try:
        return clean_text(data.decode("utf-8-sig")), None
    except UnicodeDecodeError:
        declared = EncodingDetector.find_declared_encoding(data, is_html=True)
    try:
        return clean_text(data.decode(declared or "")), None
    except (LookupError, ValueError):
        return decode(data)


def visible_text(soup: BeautifulSoup) -> str:
    """The text as lines: one for each block, cells of a table row with a bar between them."""
    for tag in soup(_UNSEEN):
        tag.decompose()
    for tag in soup.find_all(_is_hidden):
        if not tag.decomposed:
            tag.decompose()
    for tag in soup("pre"):
        for piece in list(tag.strings):
            piece.replace_with(piece.replace("\n", _BREAK))
    for tag in soup(_BLOCKS):
        tag.insert_before(_BREAK)
        tag.insert_after(_BREAK)
    for tag in soup(["td", "th"]):
        tag.insert_after(_CELL)
    folded = " ".join(soup.get_text().split())
    lines = (" | ".join(cell.strip() for cell in line.split(_CELL) if cell.strip()) for line in folded.split(_BREAK))
    return "\n".join(line for line in lines if line)


def _is_hidden(tag: Tag) -> bool:
    style = tag.get("style")
    return tag.has_attr("hidden") or (isinstance(style, str) and bool(_HIDDEN.search(style)))
