"""A set from files: looked at, its columns mapped where it has any, its first queries shown before it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import streamlit as st

from ir_core.errors import QueryPrismError
from ir_core.library.sets import QuerySet, imported_set, read_set
from ir_core.loaders import judged
from pages._ui import numbers, resources, safe, trouble

LABELS = {
    "id": "Id", "text": "Query", "category": "Category", "answers": "Gold answers", "history": "History",
    "documents": "Relevant documents", "grade": "Grade", "split": "Split",
}  # fmt: skip
KINDS = ["jsonl", "json", "csv", "tsv", "txt", "xml", "zip", "topics", "trec", "qrels"]
NONE = "–"
SHOWN = 3
HINT = (
    "A zip in BEIR’s layout or its queries.jsonl, TREC topics, JSON Lines, CSV or TSV. Judgements may stand in the "
    "same file, or in another: BEIR’s three columns or TREC’s four."
)


def show(corpus: str, added: Callable[..., None]) -> None:
    safe.draw(f'<p class="qp-facts">{HINT}</p>')
    file = st.file_uploader("Queries", type=KINDS, key="ev_set_file")
    other = st.file_uploader("Judgements, where they are in another file", type=KINDS, key="ev_set_qrels")
    if file is None:
        return
    try:
        seen = _seen(file)
        columns = _columns(seen)
        qrels = (other.name, other.getvalue()) if other else None
        queries, grades = read_set(seen, qrels, columns)
    except QueryPrismError as error:
        safe.notice("error", error)
        return
    except Exception as error:
        safe.notice("error", trouble.report(error))
        return
    count = numbers.count(sum(map(len, grades.values())), "judgement")
    safe.draw(
        f'<p class="qp-facts"><b>{numbers.count(len(queries), "query", "queries")}</b>, {count} · '
        f"{safe.text(seen.what)}</p>"
    )
    safe.table([_preview(one, grades) for one in queries[:SHOWN]], hide_index=True, alt="The first queries")
    if not grades:
        way = f"Where a column names what is relevant, choose it under {LABELS['documents']}."
        safe.notice("info", "No judgement came with these queries, so they can be kept and judged by hand, and not "
                    "measured yet.", detail=way if columns and not columns.documents else "")  # fmt: skip
    title = st.text_input("Name of the set", key="ev_set_title", max_chars=80, placeholder=safe.sound(seen.name))
    st.button(
        "Keep this set", type="primary", key="ev_set_keep", on_click=_keep,
        args=(lambda: imported_set(corpus, title, seen, qrels, columns), added),
    )  # fmt: skip
    if problem := st.session_state.pop("ev_set_problem", None):
        safe.notice("error", problem)


def _seen(file: Any) -> judged.Seen:
    data: bytes = file.getvalue()
    mark = hashlib.sha256(file.name.encode("utf-8", "replace") + b"\n" + data).hexdigest()
    found: judged.Seen = resources.seen_queries(mark, file.name, data)
    return found


def _columns(seen: judged.Seen) -> judged.Columns | None:
    """A select box for each field, the guess chosen; None where there is nothing to map."""
    if seen.table is None:
        return None
    guess = judged.guess(seen.table)
    choices = [NONE, *seen.table.columns]
    found: dict[str, str | None] = {}
    with st.container(horizontal=True, gap="small", key="ev_set_columns"):
        for field, label in LABELS.items():
            # Another file has other columns, so it has select boxes of its own.
            key = f"ev_map.{field}.{hashlib.sha256(repr(choices).encode('utf-8', 'replace')).hexdigest()[:8]}"
            own = getattr(guess, field)
            picked = st.selectbox(
                label, choices, key=key, index=choices.index(own) if own else 0, format_func=safe.sound, width=150
            )
            found[field] = None if picked == NONE else picked
    return judged.Columns(**found)


def _preview(query: Any, grades: dict[str, dict[str, int]]) -> dict[str, Any]:
    return {
        "id": query.id,
        "query": query.text,
        "category": query.category or "",
        "answers": " | ".join(query.answers),
        "turns before": len(query.history),
        "judged": ", ".join(f"{name} ({grade})" for name, grade in list(grades.get(query.id, {}).items())[:4]),
    }


def _keep(work: Callable[[], QuerySet], added: Callable[..., None]) -> None:
    try:
        added(work())
    except QueryPrismError as error:
        st.session_state["ev_set_problem"] = str(error)
