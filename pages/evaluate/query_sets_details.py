"""What is known of a query set, and its first queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from ir_core.evaluation.synthetic import mean_overlap
from ir_core.library.sets import KINDS
from pages._ui import numbers, resources, run_words, safe

SHOWN = 200


def show(corpus: str, chosen: str | None, delete: Callable[[str, str], None]) -> None:
    found = next(one for one in resources.query_sets(corpus) if chosen is None or one.name == chosen)
    queries, judged = resources.queries(corpus, chosen), resources.judgements(corpus, chosen)
    safe.heading(found.title, 3)
    facts = {
        "kind": KINDS[found.kind],
        "from": found.source,
        "added": run_words.when(found.created) if found.created else "",
        "holds": f"{numbers.count(len(queries), 'query', 'queries')}, "
        f"{numbers.count(sum(map(len, judged.values())), 'judgement')}",
    }
    overlap = mean_overlap(queries)
    if overlap is not None:
        facts["word overlap"] = (
            f"{overlap:.0%} of a question’s words, on average, stand in the passage it was made from: the higher, "
            "the more it flatters search by words"
        )
    rows = "".join(
        f"<dt>{safe.text(name)}</dt><dd dir='auto'>{safe.prose(said)}</dd>" for name, said in facts.items() if said
    )
    safe.draw(f'<dl class="qp-facts-list">{rows}</dl>')
    if queries:
        first = f"the first {SHOWN} of " if len(queries) > SHOWN else ""
        with st.expander(f"Its queries ({first}{len(queries):,})", key="ev_set_queries"):
            safe.table(
                [_row(one, judged.get(one.id, {})) for one in queries[:SHOWN]], hide_index=True, height=260,
                alt="Queries of this set",
            )  # fmt: skip
    if chosen:
        st.button("Delete this set", key="ev_set_delete", on_click=delete, args=(corpus, chosen))


def _row(query: Any, judged: dict[str, int]) -> dict[str, Any]:
    row = {
        "id": query.id,
        "query": query.text,
        "category": (query.category or "").replace("_", " "),
        "relevant": sum(grade > 0 for grade in judged.values()),
        "turns before": len(query.history),
        "answer": " | ".join(query.answers),
    }
    overlap = query.metadata.get("overlap")
    return {**row, "word overlap": f"{overlap:.0%}"} if isinstance(overlap, int | float) else row
