"""One hit in full: the passage, what is known about the document, and what its score is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core.schema import Hit, SearchResult
from pages._ui import cards, safe
from pages.compare import marking
from pages.compare.setup import Ready


def show(
    ready: Ready, result: SearchResult, hit: Hit, *, marks: Mapping[str, str], history: Sequence[Any] = ()
) -> None:
    """Open the drawer. Its title is ours; the document's own stands inside, escaped.

    :param history: what was said before the query, with which a mark is kept."""

    def body() -> None:
        safe.heading(hit.title, 2)
        mark = marks.get(hit.artifact_id)
        said = f"rank {hit.rank} of {result.formulation.title}" + (f" · {mark}" if mark else "")
        safe.draw(safe.block(said, "qp-facts", "p"))
        marking.control(ready.corpus, result.formulation.original.text, history, hit.artifact_id)
        # It can be focused, so that the drawer can be scrolled by keyboard.
        safe.draw(f'<p class="qp-passage" dir="auto" tabindex="0">{safe.text(hit.text)}</p>')
        _whole(ready, hit)
        safe.heading("What its score is made of", 3)
        _shares(result, hit)
        safe.heading("Metadata", 3)
        safe.draw(_facts(_about(ready, hit)))

    # The badges on the cards follow once it is closed.
    st.dialog("Passage", width=760, position="right", on_dismiss="rerun")(body)()


def _whole(ready: Ready, hit: Hit) -> None:
    """The document's other surfaces, where it has several."""
    index = ready.engine.index
    row = index.row_of.get(hit.surface_id)
    if row is None:
        return
    rows = [int(i) for i in (index.artifact_of == index.artifact_of[row]).nonzero()[0]]
    if len(rows) < 2:
        return
    with st.expander(f"All {len(rows)} surfaces of this document", key="whole_document"):
        for i in rows[:60]:
            surface = index.surfaces[i]
            here = " (the one that was found)" if surface.id == hit.surface_id else ""
            safe.draw(
                f'<div class="qp-surface"><p class="qp-facts">{safe.text(surface.id + here)}</p>'
                f"{safe.block(surface.text, 'qp-text', 'p')}</div>"
            )


def _shares(result: SearchResult, hit: Hit) -> None:
    texts = {query.id: query.text for query in (*result.formulation.queries, *result.derived)}
    rows = [
        {
            "query": cards.short_id(part.query_id),
            "text": texts.get(part.query_id, ""),
            "leg": "words" if part.leg == "lexical" else part.leg,
            "rank there": part.rank,
            "share": round(part.share, 6),
        }
        for part in sorted(hit.contributions, key=lambda part: -part.share)
    ]
    six = {"share": st.column_config.NumberColumn(format="%.6f")}
    safe.table(
        rows,
        hide_index=True,
        column_config=six,
        alt="The lists this hit was found in, and the share of its score each gave",
    )
    extra = "" if hit.rerank_score is None else f" · reranker's score {hit.rerank_score:.4f}"
    legs = "".join(f" · {'words' if leg == 'lexical' else leg} {score:.4f}" for leg, score in hit.leg_scores.items())
    safe.draw(safe.block(f"The shares add up to the fused score {hit.score:.6f}{extra}{legs}", "qp-facts", "p"))


def _about(ready: Ready, hit: Hit) -> dict[str, Any]:
    index = ready.engine.index
    row = index.row_of.get(hit.surface_id)
    fields = index.fields[int(index.artifact_of[row])] if row is not None else {}
    return {
        "document": hit.artifact_id,
        "surface": hit.surface_id,
        "kind": hit.kind,
        **fields,
        **hit.metadata,
    }


def _facts(facts: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<dt dir='auto'>{safe.text(name)}</dt><dd dir='auto'>{safe.text(value)}</dd>"
        for name, value in facts.items()
    )
    return f'<dl class="qp-facts-list">{rows}</dl>'
