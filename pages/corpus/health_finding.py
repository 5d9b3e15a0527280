"""One finding: what was found, what it does to retrieval, what to change, and where."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.analysis.health import Example, Finding
from pages._ui import numbers, safe
from pages.corpus import browse_state

SHOWN = 5
IDS = 4
SETTINGS = {"strategy": "The indexing strategy", "embedder": "The embedder"}


def show(info: Any, finding: Finding) -> None:
    severity = str(finding.severity)
    with st.expander(f"{severity.capitalize()} · {finding.label}: {finding.count:,}", key=f"finding.{finding.name}"):
        note = f" {finding.note}" if finding.note else ""
        safe.draw(f'<p class="qp-finding">{safe.prose(finding.said + note)}</p>')
        rows = [("What it does", finding.effect), ("What to change", finding.change)]
        rows += [("Where", f"{SETTINGS[finding.setting]}, higher up on this page.")] if finding.setting else []
        facts = "".join(f"<dt>{safe.text(name)}</dt><dd>{safe.prose(said)}</dd>" for name, said in rows)
        safe.draw(f'<dl class="qp-facts-list">{facts}</dl>')
        _examples(finding)
        if finding.rows:
            st.button(
                f"Browse {numbers.count(len(set(finding.rows)), 'surface')}",
                key=f"finding_browse.{finding.name}",
                on_click=browse_state.of_finding,
                args=(info.name, finding.name),
            )


def _examples(finding: Finding) -> None:
    key = f"finding_all.{finding.name}"
    more = len(finding.examples) - SHOWN
    shown = finding.examples if st.session_state.get(key) else finding.examples[:SHOWN]
    safe.draw(f'<ol class="qp-examples">{"".join(map(_example, shown))}</ol>')
    if more > 0:
        st.toggle(f"All {len(finding.examples)} examples", key=key)


def _example(one: Example) -> str:
    ids = ", ".join(one.ids[:IDS]) + (f" and {len(one.ids) - IDS} more" if len(one.ids) > IDS else "")
    quote = safe.block(one.text, "qp-quoted", "p") if one.text else ""
    return (
        f'<li><p class="qp-example-head"><bdi class="qp-ids">{safe.text(ids)}</bdi> '
        f"<span>{safe.prose(one.said)}</span></p>{quote}</li>"
    )
