"""Saving what is in the form as a scene, a whole query set as scenes, and deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from ir_core.errors import BadInput, QueryPrismError
from ir_core.library import JudgedQuery, Scene, delete_scene, save_scene, save_scenes
from ir_core.library.own_scenes import MAX_NOTE_CHARS, MAX_TITLE_CHARS, MOST_AT_ONCE, of_queries
from ir_core.library.queries import read_queries
from pages._ui import numbers, resources, safe
from pages.compare.running import Asked
from pages.compare.setup import Ready

MAX_UPLOAD_BYTES = 2_000_000
EVERYBODY = "Everybody who opens this app sees saved scenes, with their history. Keys and servers are not in them."


def forms(ready: Ready, asked: Asked) -> None:
    """Behind two expanders; what went wrong or well is said above them."""
    said = st.session_state.pop("scenes_said", None)
    if said:
        safe.notice(*said)
    with st.expander("Save this question as a scene"):
        st.text_input("Title of the scene", key="scene_title", max_chars=MAX_TITLE_CHARS)
        st.text_area("Note (what there is to see)", key="scene_note", height=80, max_chars=MAX_NOTE_CHARS)
        safe.draw(f'<p class="qp-facts">{safe.text(EVERYBODY)}</p>')
        like = of_form(ready, asked)
        st.button("Save the scene", key="scene_save", on_click=_save, args=(like,), disabled=not like.query)
    with st.expander("Save a query set as scenes"):
        own = resources.queries(ready.corpus)
        safe.draw(
            f'<p class="qp-facts">At most {MOST_AT_ONCE} at once, with the transforms, mode and k of the form. '
            "Each looks for the document judged best.</p>"
        )
        given = st.file_uploader(
            "queries.jsonl of your own",
            type=["jsonl"],
            key="scene_queries",
            max_upload_size=MAX_UPLOAD_BYTES // 1_000_000,
        )
        if given is None:
            what = "their first " if len(own) > MOST_AT_ONCE else ""
            label = f"Save {what}{numbers.count(min(len(own), MOST_AT_ONCE), 'judged query', 'judged queries')}"
        else:
            label = "Save the uploaded queries"
        st.button(
            label,
            key="scene_save_set",
            on_click=_save_set,
            args=(replace(like, query=""), own, given),
            disabled=given is None and not own,
        )


def delete_button(scene: Scene) -> None:
    st.button("Delete", key=f"scene-drop-{scene.id}", on_click=_delete, args=(scene,))


def of_form(ready: Ready, asked: Asked) -> Scene:
    """What is in the form, as a scene; without title and id."""
    return Scene(
        id="",
        title="",
        corpus=ready.corpus,
        query=asked.query.strip(),
        history=tuple(cast(Any, dict(turn)) for turn in asked.history),
        transforms=tuple(asked.choices),
        mode=asked.mode,
        k=asked.k,
        looked_for=st.session_state["expected"],
        writer=asked.writer.name or None,
    )


def _save(like: Scene) -> None:
    held = st.session_state
    try:
        kept = save_scene(replace(like, title=held["scene_title"], note=held["scene_note"]))
    except BadInput as error:
        held["scenes_said"] = ("warning", str(error))
    else:
        held["scene_title"] = held["scene_note"] = ""
        held["scene"] = kept.id
        held["scenes_said"] = ("info", "The scene is saved.")


def _save_set(like: Scene, own: Sequence[JudgedQuery], given: Any) -> None:
    held = st.session_state
    try:
        if given is not None and given.size > MAX_UPLOAD_BYTES:
            raise BadInput(f"The file has {given.size:,} bytes; {MAX_UPLOAD_BYTES:,} is the most. Cut it.")
        queries = read_queries(given.getvalue()) if given is not None else own
        if not queries:
            raise BadInput("The file holds no query. Each line is a JSON object with _id and text.")
        qrels: Any = resources.judgements(like.corpus)
        kept = save_scenes(of_queries(like, queries, qrels))
    except QueryPrismError as error:
        held["scenes_said"] = ("warning", str(error))
        return
    left = len(queries) - len(kept)
    rest = f" {numbers.count(left, 'query', 'queries')} beyond the first {MOST_AT_ONCE} left out." if left else ""
    held["scenes_said"] = ("info", f"Saved {numbers.count(len(kept), 'scene')}.{rest}")


def _delete(scene: Scene) -> None:
    try:
        delete_scene(scene.id)
    except QueryPrismError as error:
        st.session_state["scenes_said"] = ("warning", str(error))
    else:
        st.session_state["scenes_said"] = ("info", f"Deleted: {scene.title}")
