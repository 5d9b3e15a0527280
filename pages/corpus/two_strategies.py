"""Another strategy beside the one in use: both indexes stay, and a page says which is searched."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.analysis.two_strategies import Side, TwoStrategies, kept_builds, open_build, two_strategies
from ir_core.index import Index, IndexSettings, Manifest
from pages._ui import building, naming, numbers, resources, safe, visit
from pages._ui.building import Order
from pages.corpus import two_strategies_build, two_strategies_query

ANOTHER = "another"


def show(info: Any, index: Index) -> None:
    if two_strategies_build.under_way(info.name):
        two_strategies_build.follow_it()
    two_strategies_build.outcome()
    safe.draw(
        safe.block(
            "In use, here and on every page: "
            + _label(index.manifest)
            + ". What is built beside it takes nothing away "
            "from it; texts that were embedded before are not embedded again.",
            "qp-lead",
            "p",
        )
    )
    other = _choose(info, index)
    if other is None:
        return
    _sides(info, index, other)
    two_strategies_query.show(info, index, other)


def _label(made: Manifest) -> str:
    return f"{naming.strategy(made.strategy)}, {made.embedder}, {numbers.count(made.n_surfaces, 'surface')}"


def _choose(info: Any, index: Index) -> Index | None:
    """One of the builds there are, or a form for another; the other index, if it is there."""
    kept = {
        made.fingerprint: made for made in kept_builds(info.name) if made.fingerprint != index.manifest.fingerprint
    }
    options = [*kept, ANOTHER]
    key = f"beside.{info.name}"
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    with st.container(horizontal=True, vertical_alignment="bottom", key="beside_row"):
        chosen = st.selectbox(
            "Beside it", options, key=key, width=460,
            format_func=lambda one: "Build another …" if one == ANOTHER else safe.sound(_label(kept[one])),
        )  # fmt: skip
        if chosen in kept and visit.may_change(info.name):
            st.button(
                "Use this one", key="beside_use", on_click=_use, args=(info, kept[chosen]),
                help="Searches on every page go to it from then on; the one in use now stays on disk.",
            )  # fmt: skip
    if chosen == ANOTHER or chosen is None:
        two_strategies_build.form(info, index)
        return None
    return open_build(info.name, chosen)


def _use(info: Any, made: Manifest) -> None:
    settings = IndexSettings(made.k1, made.b, made.tokeniser, made.idf, made.filter_fields)
    building.start(Order(info.name, made.strategy, made.embedder, settings))


def _sides(info: Any, index: Index, other: Index) -> None:
    documents = resources.loaded(info.name).artifacts
    content = hash(tuple((artifact.id, repr(artifact.raw)) for artifact in documents))
    key = f"two {index.manifest.fingerprint} {other.manifest.fingerprint} {content}"
    found: TwoStrategies = resources.computed(key, lambda: two_strategies(index, other, documents))
    names = ("in use", "beside it")
    left, right = _figures(found.one), _figures(found.other)
    rows = "".join(
        f"<tr><th scope='row'>{safe.text(what)}</th><td>{safe.prose(left[what])}</td>"
        f"<td>{safe.prose(right[what])}</td></tr>"
        for what in left
    )
    head = "".join(
        f"<th scope='col'>{safe.text(name)}<span class='qp-board-how'>{safe.prose(naming.strategy(made.strategy))}, "
        f"{safe.text(made.embedder)}</span></th>"
        for name, made in zip(names, (index.manifest, other.manifest), strict=True)
    )
    safe.draw(
        f'<div class="qp-board qp-plain qp-narrow qp-sides"><table><thead><tr><td></td>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    safe.draw(safe.block(_overlap(found), "qp-lead", "p"))


def _figures(side: Side) -> dict[str, str]:
    unknown = "not known: its surfaces are no parts of the text"
    return {
        "documents": f"{side.n_documents:,}",
        "surfaces": f"{side.n_surfaces:,}",
        "kinds": ", ".join(f"{kind} {number:,}" for kind, number in side.kinds.items()),
        "characters": f"{side.shortest:,} to {side.longest:,}, median {side.median:,}",
        "longer than the embedder reads": f"{side.over_limit:,}",
        "of the source in a surface": unknown if side.covered is None else f"{side.covered:,} characters",
        "of that in several surfaces": unknown if side.doubled is None else f"{side.doubled:,} characters",
    }


def _overlap(found: TwoStrategies) -> str:
    overlap = found.overlap
    said = f"{overlap.texts:,} of {numbers.count(overlap.either, 'text')} are in both, word for word."
    if overlap.both is None or overlap.only is None or not overlap.source:
        return said
    share = overlap.both / overlap.source
    return (
        f"{said} Of the source, white space aside, {share:.1%} is searched by both; {overlap.only[0]:,} characters "
        f"only by the one in use, {overlap.only[1]:,} only by the other."
    )
