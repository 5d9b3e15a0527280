"""E-books: the chapters of an EPUB in reading order (its package document, by lxml).

EPUB 3.3, W3C Recommendation 2023: META-INF/container.xml names the package document, whose spine orders the chapters.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, is_blank
from ir_core.loaders._package import package
from ir_core.loaders._xml import local, parse
from ir_core.loaders.html_page import read_page
from ir_core.schema import Artifact

_PAGES = frozenset({"application/xhtml+xml", "text/html"})


class Epub(FileFormat):
    name = "epub"
    label = "E-book (EPUB)"
    summary = "One document per chapter, in reading order; title, author and language of the book can be filtered on."
    suffixes = (".epub",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        with package(file.data(options.max_file_bytes), options, "an e-book", self.suffixes[0]) as book:
            path, root = _package_document(book)
            locked = _locked(book)
            about = {**_about(root), "book": _first(root, "title")}
            shown = 0
            for number, name in enumerate(_spine(root, path), start=1):
                if name in locked:
                    yield Problem(f"{file.name}/{name}", "is protected against copying (DRM) and was left out")
                    continue
                try:
                    page = read_page(_read(book, name))
                except (BadSource, KeyError, zipfile.BadZipFile) as error:
                    said = str(error) if isinstance(error, BadSource) else "is missing or damaged in the e-book"
                    yield Problem(f"{file.name}/{name}", said)
                    continue
                if page.is_cut:
                    yield Problem(f"{file.name}/{name}", "is nested deeper than can be read; its end was left out")
                if is_blank(page.text):
                    continue  # a cover or a plate: a picture, as every book has
                shown += 1
                found = {**about, "chapter": number, "title": page.title or about["book"]}
                yield Artifact(f"{file.name}/{name}", page.text, clean_metadata(found, options.unfit))
            if not shown:
                yield Problem(file.name, "has no chapter with text and was left out; save it again with text in it")


def _package_document(book: zipfile.ZipFile) -> tuple[str, Any]:
    """Its path and root element.

    :raises BadSource: when there is none.
    """
    try:
        container, _ = parse(_read(book, "META-INF/container.xml"))
        path = next(str(tag.get("full-path", "")) for tag in container.iter() if local(tag) == "rootfile")
        return path, parse(_read(book, path))[0]
    except (KeyError, StopIteration):
        what = "holds no package document, which says what its chapters are"
        raise BadSource(f"is not an e-book that can be read: it {what}; save it again as .epub") from None


def _spine(root: Any, path: str) -> Iterator[str]:
    """Paths of the pages in reading order, each once."""
    items = {tag.get("id"): tag for tag in root.iter() if local(tag) == "item"}
    seen = set()
    for tag in root.iter():
        item = items.get(tag.get("idref")) if local(tag) == "itemref" else None
        if item is None or item.get("media-type", "application/xhtml+xml") not in _PAGES:
            continue
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(item.get("href", ""))))
        if name not in seen:
            seen.add(name)
            yield name


def _about(root: Any) -> dict[str, str]:
    return {"author": _first(root, "creator"), "language": _first(root, "language")}


def _first(root: Any, name: str) -> str:
    """The first element of the metadata with that name that says something."""
    texts = ("".join(tag.itertext()).strip() for tag in root.iter() if local(tag) == name)
    return next((text for text in texts if text), "")


def _locked(book: zipfile.ZipFile) -> frozenset[str]:
    """Paths that META-INF/encryption.xml lists; obfuscated fonts stand there too."""
    if "META-INF/encryption.xml" not in book.namelist():
        return frozenset()
    root, _ = parse(_read(book, "META-INF/encryption.xml"))
    return frozenset(unquote(tag.get("URI", "")) for tag in root.iter() if local(tag) == "CipherReference")


def _read(book: zipfile.ZipFile, name: str) -> bytes:
    """:raises KeyError: when there is no such part."""
    return book.read(name)
