"""The passages of averaged HyDE, one by one: how far apart they are, and what each alone would find."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ir_core.analysis.samples import Samples, alone, samples
from ir_core.charts.samples import samples_figure
from ir_core.schema import SearchResult
from pages._ui import numbers, safe
from pages._ui.theme import CHART, PALETTE
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Samples"
ORDER = 55
TEXT = {"text": st.column_config.TextColumn(width="large")}


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    measured = {i: samples(ready.engine, result.formulation) for i, result in enumerate(results)}
    found = {i: one for i, one in measured.items() if one is not None}
    if not found:
        safe.notice("info", "No transform wrote several passages.", detail=_way_out(asked, results))
        return
    number = st.selectbox(
        "Transform",
        list(found),
        format_func=lambda i: safe.sound(f"{i + 1}. {results[i].formulation.title}"),
        key="samples_of",
        width=340,
    )
    number = number if number in found else next(iter(found))
    _spread(found[number])
    _alone(ready, asked, results[number], found[number])


def _way_out(asked: Asked, results: Sequence[SearchResult]) -> str:
    """What to do about it; where several were asked for already, why only one came."""
    wanted = {name for name, settings in asked.choices if (settings.get("passages") or 1) > 1}
    made = [result.formulation for result in results if result.formulation.transform in wanted]
    if not wanted:
        return "Open Settings beside the transforms, set HyDE’s passages above 1, and press Compare."
    if any(one.fallback_reason or one.skip_reason for one in made):
        return "Several were asked for; the reason why none came stands on the card."
    if asked.writer.may_cost:
        return "Several were asked for, and this writer gave one."
    if any(one.written_by == "authored" for one in made):
        return (
            "Several were asked for, but of this query there is one authored example. Change its wording, choose a "
            "model in Writer, and press Compare."
        )
    return "Several were asked for, but this writer gives one. Choose a model in Writer, and press Compare."


def _spread(found: Samples) -> None:
    said = (
        f"{numbers.count(len(found.samples), 'passage')}; two of them are {1 - found.spread:.2f} alike on average, "
        f"so the spread is {found.spread:.2f}. A spread near 0 means that averaging had nothing to even out."
    )
    safe.draw(safe.block(said, "qp-lead", "p"))
    st.plotly_chart(
        samples_figure(found, PALETTE),
        key="chart_samples",
        config=CHART,
        alt=f"Cosines between {len(found.samples)} passages; the table below says the same",
    )
    names = [f"to passage {number}" for number, _ in enumerate(found.samples, start=1)]
    safe.table(
        [
            {
                "passage": str(number),
                "to the mean": f"{one.to_mean:.2f}",
                "to the others": f"{one.to_others:.2f}",
                "to the original": f"{one.to_original:.2f}",
                **{name: f"{value:.2f}" for name, value in zip(names, row, strict=True)},
                "text": one.text,
            }
            for number, (one, row) in enumerate(zip(found.samples, found.cosines, strict=True), start=1)
        ],
        hide_index=True,
        column_config=TEXT,
        alt="Each passage with its cosines to the mean, to the other passages and to the original",
    )


def _alone(ready: Ready, asked: Asked, result: SearchResult, found: Samples) -> None:
    safe.heading("What each alone would find", 3)
    if st.session_state.get("samples_alone") != result.fingerprint:
        st.button(
            "Search each alone",
            key="samples_search",
            on_click=_want,
            args=(result.fingerprint,),
            help="One batched search of the dense leg; nothing is written and no model is asked.",
        )
        return
    each = alone(ready.engine, result.formulation, asked.settings)
    together = {hit.artifact_id for hit in result.fused.hits}
    safe.draw(
        safe.block(
            f"By meaning only, the first {asked.k} of each passage; • marks what the transform’s own list has too.",
            "qp-lead",
            "p",
        )
    )
    deepest = max((len(one.fused.hits) for one in each), default=0)
    rows = []
    for rank in range(deepest):
        row = {"rank": str(rank + 1)}
        for number, one in enumerate(each, start=1):
            hit = one.fused.hits[rank] if rank < len(one.fused.hits) else None
            row[f"passage {number}"] = (
                "–" if hit is None else f"{'• ' if hit.artifact_id in together else ''}{hit.title}"
            )
        rows.append(row)
    if rows:
        safe.table(rows, hide_index=True, alt="The first documents each passage finds alone, by rank")
    else:
        safe.notice("info", "None of them finds anything: no surface passes the filter.")


def _want(fingerprint: str) -> None:
    st.session_state["samples_alone"] = fingerprint
