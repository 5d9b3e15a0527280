"""What is wrong with the index: a line that says how much, then each finding with what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ir_core.analysis.health import SEVERITIES, Finding, Health
from ir_core.charts.health_lengths import lengths_figure, rows
from ir_core.index import Index
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.corpus import health_finding, health_run


def show(info: Any, index: Index) -> None:
    health = health_run.result(info, index)
    if health is None:
        health_run.invite(info, index)
        return
    _summary(info, index, health)
    for finding in health.of("found"):
        health_finding.show(info, finding)
    _rest(health.of("unmeasured"), "Not measured")
    _rest(health.of("clear"), "Nothing found", what="summary")
    _lengths(health)


def _summary(info: Any, index: Index, health: Health) -> None:
    found, left = health.of("found"), health.of("unmeasured")
    by_severity = [(name, sum(one.severity == name for one in found)) for name in SEVERITIES]
    counts = ", ".join(f"{number} {name}" for name, number in by_severity if number)
    said = (
        f"{numbers.count(len(found), 'finding')} ({counts})" if found else "Nothing is wrong that could be measured"
    )
    clear = len(health.of("clear"))
    parts = [said] + ([f"{numbers.count(clear, 'check')} found nothing"] if clear else [])
    parts += [f"{len(left)} could not be measured"] if left else []
    with st.container(horizontal=True, vertical_alignment="center", key="health_row"):
        safe.draw(safe.block(" · ".join(parts), "qp-lead", "p"), width="content")
        st.button(
            "Look again", key="health_again", type="tertiary", on_click=health_run.begin, args=(info, index, True)
        )


def _rest(findings: Sequence[Finding], title: str, what: str = "said") -> None:
    """Those with nothing to show, folded away."""
    if not findings:
        return
    with st.expander(f"{title}: {', '.join(one.label.lower() for one in findings)}", key=f"health_{title}"):
        parts = []
        for one in findings:
            note = "" if one.said == "None found." else one.said
            said = f"{one.summary} {note}" if what == "summary" else f"{one.summary} {one.said}"
            parts.append(f"<dt>{safe.text(one.label)}</dt><dd>{safe.prose(said.strip())}</dd>")
        safe.draw(f'<dl class="qp-facts-list">{"".join(parts)}</dl>')


def _lengths(health: Health) -> None:
    lengths = health.lengths
    safe.heading("How long the surfaces are", 3)
    limit = f"the embedder reads {lengths.limit:,}" if lengths.limit else "the embedder names no limit"
    said = (
        f"In the embedder's tokens: shortest {lengths.shortest:,}, median {lengths.median:,}, 95 of 100 up to "
        f"{lengths.most:,}, longest {lengths.longest:,}; {limit}."
    )
    if lengths.lost:
        said += f" {lengths.lost:,} of {lengths.total:,} tokens ({lengths.lost / lengths.total:.1%}) are beyond it."
    safe.draw(safe.block(said, "qp-lead", "p"))
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.plotly_chart(
            lengths_figure(lengths, PALETTE), key="chart_lengths", config=CHART,
            alt="How many surfaces have how many tokens; the table beside says the same",
        )  # fmt: skip
    with right:
        safe.table(
            [{**row, "share": f"{row['share']:.1%}"} for row in rows(lengths)],
            hide_index=True, height=280, alt="Surfaces by their number of tokens, and whether they are read whole",
        )  # fmt: skip
