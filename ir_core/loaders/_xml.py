"""XML parsed without trust: no entity is resolved, nothing is fetched, libxml2's limits on depth and growth hold."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import regex

from ir_core.errors import BadSource
from ir_core.loaders._decode import decode

_OPTION = regex.compile(r", (use|try) XML_PARSE_HUGE( option)?|, see xmlCtxt\w+\.?")
"""Advice of libxml2 for programmers."""


def parser(encoding: str | None = None) -> Any:
    """:param encoding: of the bytes, whatever they say of themselves; None believes them."""
    from lxml import etree  # type: ignore[import-untyped]

    return etree.XMLParser(
        encoding=encoding, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True,
        remove_pis=True, huge_tree=False,
    )  # fmt: skip


def parse(data: bytes) -> tuple[Any, str | None]:
    """The root element, and a remark when the encoding had to be guessed or bytes were replaced.

    :raises BadSource: when it is not well formed, or is no text; it names the line.
    """
    from lxml import etree

    with suppress(etree.XMLSyntaxError):
        return etree.fromstring(data, parser=parser()), None
    text, note = decode(data)  # it may be in another encoding than it says, or say none
    try:
        return etree.fromstring(text.strip().encode(), parser=parser("utf-8")), note
    except etree.XMLSyntaxError as error:
        said = _OPTION.sub("", " ".join((error.msg or "it is empty").split()))[:160]
        raise BadSource(f"is not XML that can be read ({said}); correct that place") from None


def local(tag: Any) -> str:
    """An element's name without its namespace."""
    return tag.tag.rpartition("}")[2] if isinstance(tag.tag, str) else ""
