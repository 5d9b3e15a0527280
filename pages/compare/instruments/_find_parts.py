"""How a document that was looked for is drawn: verdicts, stages, the best surface, what would have to change."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.analysis.find import Document, Place, Whereabouts, Word
from ir_core.analysis.find.words import best_sentence, excerpt, marked
from ir_core.index import Index
from pages._ui import cards, safe

SHAPES = {True: "✓", False: "✕", None: "·"}
WORDS = 12
STAGE_WIDTH = {"stage": st.column_config.TextColumn(width="small", pinned=True)}


def verdicts(found: Document) -> None:
    """One sentence per transform."""
    rows = "".join(
        f'<li class="qp-verdict"><span class="qp-verdict-name" dir="auto"><span class="qp-no">{number}</span>'
        f'{safe.text(row.title)}</span><span class="qp-verdict-said">'
        f'<span class="qp-verdict-mark" aria-hidden="true">'
        f"{SHAPES[row.outcome == 'found']}</span> {safe.prose(row.verdict)}</span></li>"
        for number, row in enumerate(found.transforms, start=1)
    )
    more = "".join(safe.block(said, "qp-facts", "p") for said in found.changes)
    safe.draw(f'<ol class="qp-verdicts">{rows}</ol>{more}')


def stage_table(found: Document) -> None:
    """Rows are stages, columns the transforms."""
    names = list(dict.fromkeys(stage.name for row in found.transforms for stage in row.stages))
    rows = []
    for name in names:
        cells = {"stage": name}
        for number, row in enumerate(found.transforms, start=1):
            stage = next((stage for stage in row.stages if stage.name == name), None)
            cells[f"{number}. {row.title}"] = f"{SHAPES[stage.passed]} {stage.said}" if stage else "·"
        rows.append(cells)
    safe.heading("Stage by stage", 3)
    safe.table(
        rows,
        hide_index=True,
        column_config=STAGE_WIDTH,
        alt="Every stage a document passes, and what became of it there under each transform",
    )
    safe.draw(
        safe.block(
            "Ranks are exact and read to the end of the list, however deep the search itself went. Of several "
            "queries the one with the best rank is named. ✓ came through, ✕ was lost, · came never so far.",
            "qp-lead",
            "p",
        )
    )


def detail(index: Index, found: Document) -> None:
    """One transform: its lists, the best surface, the words, what would have to change."""
    titles = [f"{number}. {row.title}" for number, row in enumerate(found.transforms, start=1)]
    lost = next((number for number, row in enumerate(found.transforms) if row.outcome != "found"), 0)
    safe.heading("In detail", 3)
    number = st.selectbox(
        "Transform",
        range(len(titles)),
        index=lost,
        format_func=lambda i: safe.sound(titles[i]),
        key="find_of",
        width=340,
    )
    row = found.transforms[min(number or 0, len(titles) - 1)]
    if row.best is not None:
        _surface(index, row, row.best)
    if row.changes:
        safe.heading("What would have to change", 4)
        items = "".join(f'<li dir="auto">{safe.prose(said)}</li>' for said in row.changes)
        safe.draw(f'<ul class="qp-changes">{items}</ul>')
    if row.places:
        safe.heading("In every list", 4)
        _lists(row)


def _surface(index: Index, row: Whereabouts, best: Place) -> None:
    """The best surface with the words it shares with the query that ranks it best."""
    worded = [
        place for place in row.places if place.query_id == best.query_id and place.surface_id == best.surface_id
    ]
    place = next((one for one in worded if one.shared), best)
    surface = index.surfaces[index.row_of[best.surface_id or ""]]
    start, end = excerpt(surface.text, best_sentence(surface.text, place.shared, index))
    shared = {word.token for word in place.shared if not word.common} or {word.token for word in place.shared}
    pieces = "".join(
        f"<mark>{safe.text(piece)}</mark>" if flag else safe.text(piece)
        for piece, flag in marked(surface.text[start:end], shared, index)
    )
    before, after = "… " if start else "", " …" if end < len(surface.text) else ""
    safe.heading("Its best surface", 4)
    said = f"{surface.id} · {best.rank:,} of {best.of:,} in {_leg(best.leg)} for {cards.short_id(best.query_id)}"
    facts = _words("shares", place.shared) + _words("lacks", place.lacking)
    safe.draw(
        safe.block(said, "qp-facts", "p")
        + f'<p class="qp-passage qp-found" dir="auto">{before}{pieces}{after}</p>'
        + (f'<dl class="qp-facts-list">{facts}</dl>' if facts else "")
    )


def _words(name: str, words: Sequence[Word]) -> str:
    """A row of the list of facts; a word with how many surfaces hold it."""
    if not words:
        return ""
    said = ", ".join(f"<bdi>{safe.text(word.token)}</bdi>&nbsp;({word.surfaces:,})" for word in words[:WORDS])
    more = f" and {len(words) - WORDS} more" if len(words) > WORDS else ""
    return f"<dt>{name} (in surfaces)</dt><dd>{said}{more}</dd>"


def _lists(row: Whereabouts) -> None:
    safe.table(
        [
            {
                "query": cards.short_id(place.query_id),
                "leg": _leg(place.leg),
                "rank": f"{place.rank:,} of {place.of:,}" if place.rank else f"none of {place.of:,}",
                "within depth": f"{SHAPES[place.listed is not None]} {'yes' if place.listed else 'no'}",
                "best surface": place.surface_id or "–",
                "shares": ", ".join(word.token for word in place.shared),
                "lacks": ", ".join(word.token for word in place.lacking),
                "text": place.text,
            }
            for place in row.places
        ],
        hide_index=True,
        alt="The document's exact rank in the list of every query and leg, its best surface there, and the words",
    )


def _leg(leg: str) -> str:
    return "words" if leg == "lexical" else leg
