"""A result as it was: nobody is asked, nothing is searched. It came from this instance's store, or from a bundle."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ir_core.errors import QueryPrismError
from ir_core.export import Comparison, from_bundle, run_store
from ir_core.export.conversation import LEFT_OUT, left_out_words
from ir_core.export.whole import SUFFIX
from ir_core.retrieval import Engine
from ir_core.schema import SearchResult
from pages._ui import cards, links, moves, resources, safe
from pages._ui.card_badges import badges
from pages._ui.card_details import details
from pages.compare import taking

MAX_UPLOAD = 32_000_000


def show(name: str) -> None:
    """Draw the frozen result of that id."""
    st.button("Back to live comparisons", key="thaw", on_click=_leave, type="tertiary")
    try:
        made = run_store().get(name)
    except QueryPrismError as error:
        safe.notice("error", error)
        upload()
        return
    safe.notice(
        "info",
        f"A frozen result of {made.made[:16].replace('T', ' ')} UTC: it shows what was found then.",
        detail=f"{' · '.join(taking.facts(made.config))}. Nothing is asked or searched again.",
    )
    safe.draw(safe.block(made.query, "qp-query", "p"))
    for turn in made.config.get("history") or ():
        safe.draw(safe.block(f"{turn.get('role', '')}: {turn.get('content', '')}", "qp-facts", "p"))
    if missing := left_out_words(made.config):
        safe.draw(safe.block(f"{missing} Asked again, the query stands alone.", "qp-facts", "p"))
    engine = _engine(made)
    safe.heading("Side by side", 2)
    with st.container(key="cards"):
        for slot, result in enumerate(made.results):
            with st.container(key=f"card-{slot}"), st.container(key=f"inner-{slot}", gap="xsmall"):
                _card(made, slot, result, engine)
    with st.container(horizontal=True, key="frozen_below"):
        st.button("Ask it again", key="ask_again", on_click=_again, args=(made,), type="primary")
    taking.files(made, f"query-prism-{made.config.get('corpus', 'comparison')}")


def upload() -> None:
    """Opens a bundle that another instance, or this one, exported."""
    with st.popover("Open a bundle"):
        found = st.file_uploader(
            f"Open a bundle ({SUFFIX})", key="bundle", max_upload_size=MAX_UPLOAD // 1_000_000,
            help="A comparison that was exported whole. It is kept here among the frozen results.",
        )  # fmt: skip
    if found is None or found.file_id == st.session_state["bundle_seen"]:
        return
    st.session_state["bundle_seen"] = found.file_id
    try:
        name = run_store().put(from_bundle(found.getvalue()))
    except QueryPrismError as error:
        safe.notice("error", error)
    except OSError as error:
        safe.notice("error", f"The bundle cannot be kept: {error.strerror}. Free some space.")
    else:
        st.query_params.from_dict({"run": name})
        st.rerun()


def _card(made: Comparison, slot: int, result: SearchResult, engine: Engine | None) -> None:
    original = made.results[0]
    found, lost = moves.moves(result, original), moves.gone(result, original)
    had_turns = made.config.get("history") or made.config.get(LEFT_OUT)
    saw = result.formulation.saw_history if had_turns else None
    safe.draw(
        cards.head(
            slot, result.formulation.title, result=result, badges=badges(result, saw_history=saw),
            moved=moves.summary(found, len(lost)),
        )
        + cards.body(result, _titles(result, engine))
    )  # fmt: skip
    with st.container(key=f"hits-{slot}", gap=None):
        for hit in result.fused.hits:
            grade = made.grades.get(hit.artifact_id, 0)
            safe.draw(cards.hit_row(hit, found.get(hit.artifact_id), "judged relevant" if grade > 0 else None))
        if not result.fused.hits and not result.formulation.skip_reason:
            safe.draw(cards.empty_hits(filtered=bool(made.config.get("filter")), mode=made.config.get("mode", "")))
        if lost:
            safe.draw(cards.gone_row(lost))
        safe.draw(details(result))


def _engine(made: Comparison) -> Engine | None:
    """The index it was made with, where it is still here; and a sentence where it is not."""
    name = made.config.get("corpus")
    known = [info.name for info in resources.corpora()]
    engine = None
    if name in known:
        try:
            engine = resources.engine(name)
        except QueryPrismError:
            engine = None
    if engine is not None and engine.index.manifest.fingerprint == made.config.get("index"):
        return engine
    why = "is not here" if name not in known else "has another index now"
    safe.notice("info", f"The corpus {name!r} {why}, so asking again may rank differently.")
    return None


def _titles(result: SearchResult, engine: Engine | None) -> cards.Titles:
    """From the result's own lists; the index knows the others."""
    known = {hit.surface_id: hit.title for ranking in result.rankings for hit in ranking.hits}

    def title_of(surface: str) -> str:
        return known.get(surface) or (engine.index.title_of(surface) if engine else surface)

    return title_of


def _leave() -> None:
    st.query_params.clear()


def _again(made: Comparison) -> None:
    """Fills in the form with what was asked then; a writer that may cost waits for Compare."""
    config: Any = made.config
    chosen = tuple((item["name"], item["settings"]) for item in config.get("transforms") or ())
    link = links.Link(
        corpus=config.get("corpus"), query=made.query, mode=config.get("mode"), k=config.get("k"), transforms=chosen,
        writer=config.get("writer"), index=config.get("index"), filter=config.get("filter"),
        kinds=tuple(config.get("surfaces") or ()) or None, history=tuple(config.get("history") or ()),
    )  # fmt: skip
    st.session_state.pop("link_seen", None)  # the form may hold something else since this very link was seen
    st.query_params.from_dict(links.to_params(link))
