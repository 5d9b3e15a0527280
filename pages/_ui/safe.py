"""The one place where text from outside (corpus, upload, link, writer) becomes something a browser shows.

Markdown, labels, plotly and spreadsheets each read markup of their own in plain text, and a remote image in any of
them would be fetched. Everything the pages show therefore goes through here, as escaped HTML; a test looks for other
ways.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from ir_core.charts.palette import plain
from ir_core.export.csv_table import cell as cell
from ir_core.export.csv_table import is_formula
from ir_core.export.csv_table import sound as sound

plot = plain
"""Text for a plotly label or hover box."""

_MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")
_FOREIGN = re.compile(
    "“[^”]*”|[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]+)*"
)
_JOINER = "\u2060"
_REWRITTEN = re.compile(r"(?<=:)(?=[\w+/-])|(?<=@)|(?<=-)(?=[->])|(?<=[<=])(?=[-=>])|(?<=www)(?=\.)", re.IGNORECASE)


def text(value: object) -> str:
    """Escaped for HTML. Line breaks are written as entities, so that nothing re-indents a passage."""
    return html.escape(sound(value)).replace("\n", "&#10;")


def block(value: object, css: str = "", tag: str = "div") -> str:
    """One element around escaped text, reading in the text's own direction."""
    return f'<{tag} class="{text(css)}" dir="auto">{text(value)}</{tag}>'


def prose(value: object) -> str:
    """A sentence of ours, escaped; what it quotes, and words of the other direction, stand isolated in it, so that
    they do not turn the commas and figures around them."""
    return _FOREIGN.sub(lambda found: f"<bdi>{found.group()}</bdi>", text(value))


def label(value: object, limit: int = 80) -> str:
    """Text for a label, which Streamlit reads as Markdown with emoji codes, icons and links of its own."""
    line = " ".join(sound(value).split())
    short = line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    return _MARKDOWN.sub(r"\\\1", _REWRITTEN.sub(_JOINER, short))


def draw(markup: str, *, width: Literal["stretch", "content"] = "stretch") -> None:
    """Show HTML whose parts from outside have gone through :func:`text` or :func:`block`."""
    st.html(markup, width=width)


def heading(value: object, level: int = 2, css: str = "") -> None:
    draw(block(value, f"qp-h{level} {css}".strip(), f"h{level}"))


Kind = Literal["info", "warning", "error", "success"]
MARKS: dict[Kind, str] = {"info": "Note", "warning": "Attention", "error": "Problem", "success": "Done"}


def notice(kind: Kind, sentence: object, *, detail: object = "") -> None:
    """A sentence about the state of things, in the page's own direction whatever names it holds.

    The word in front says what colour would."""
    role = "alert" if kind == "error" else "status"
    more = f'<div class="qp-detail">{prose(detail)}</div>' if detail else ""
    draw(
        f'<div class="qp-notice qp-{kind}" role="{role}"><span class="qp-mark">{MARKS[kind]}</span>'
        f'<div><div class="qp-sentence">{prose(sentence)}</div>{more}</div></div>'
    )


def passing(sentence: object) -> None:
    """Good news in a corner, which goes by itself: nothing moves under a pointer that is about to click."""
    st.toast(label(sentence, 200), duration="long")


def table(rows: list[dict[str, Any]], **options: Any) -> None:
    """Rows as a data frame: cells are drawn as text on a canvas and never read as markup.

    The frame's own toolbar exports CSV, so what looks like a formula gets an invisible character in front, with which
    it is none and still shows as it is."""
    st.dataframe([{name: _shown(value) for name, value in row.items()} for row in rows], **options)


def editable(rows: list[dict[str, Any]], **options: Any) -> None:
    """The same with columns that can be changed; a widget, whose changes are under its key."""
    st.data_editor([{name: _shown(value) for name, value in row.items()} for row in rows], **options)


def _shown(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return f"{_JOINER}{sound(value)}" if is_formula(value) else sound(value)


def guarded(work: Callable[[], Any]) -> Any:
    """Run a part of a page; an error of ours is shown as its sentence, any other with a reference id only."""
    from ir_core.errors import QueryPrismError
    from pages._ui.trouble import report

    try:
        return work()
    except QueryPrismError as error:
        notice("error", error)
    except Exception as error:  # reruns are BaseException in Streamlit and pass through
        notice("error", report(error))
    return None
