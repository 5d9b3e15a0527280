"""Scenes: one click asks a question that shows something, two sentences say what, and "Next scene" goes on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import streamlit as st

from ir_core.library import Scene, count_own_scenes, own_scenes
from ir_core.library.scenes import IDENTITY, STRATEGY, outcome_of, rank_words
from ir_core.schema import SearchResult
from ir_core.transforms import TRANSFORMS
from pages._ui import links, resources, safe, state, writers
from pages.compare import predicting, scenes_saving, scenes_strategy
from pages.compare.running import Asked
from pages.compare.setup import Ready

SHAPES = {"wins": "▲", "loses": "▼", "original wins": "●", "nothing changes": "="}


def strip(ready: Ready, asked: Asked) -> None:
    """One button; behind it every scene by technique, people's own, and the switch to predict first."""
    with st.popover("Scenes", key="scenes_box"):
        predicting.toggle()
        safe.draw(
            '<p class="qp-facts">Each asks one question of a sample. The mark says what becomes of the document that '
            "is looked for, with the writer that needs no key.</p>"
        )
        by_corpus = [(name, list(found)) for name, found in groupby(_samples(), key=lambda one: one.corpus)]
        titles = {info.name: info.title for info in resources.corpora()}
        for name, found in by_corpus:
            with st.expander(safe.label(titles.get(name, name)), expanded=name == ready.corpus):
                _by_technique(found)
        kept = count_own_scenes()
        saved = st.expander(f"Saved scenes: {kept or 'none yet'}", key="saved_scenes", on_change="rerun")
        if kept and saved.open:
            with saved:
                _own(own_scenes())
        scenes_saving.forms(ready, asked)


def _samples() -> list[Scene]:
    """In the order of the list, by corpus and technique: "Next scene" goes down it."""
    found = list(resources.sample_scenes().values())
    corpora = list(dict.fromkeys(scene.corpus for scene in found))
    return sorted(found, key=lambda scene: (corpora.index(scene.corpus), _group(scene)))


def _by_technique(found: Sequence[Scene]) -> None:
    for technique, scenes in groupby(found, key=_group):
        with st.container(gap=None):
            safe.draw(safe.block(_named(technique[1]), "qp-h4", "p"))
            for scene in scenes:
                st.button(_label(scene), key=f"scene-{scene.id}", type="tertiary", on_click=take, args=(scene,))


def _group(scene: Scene) -> tuple[int, str]:
    name = scene.technique or IDENTITY
    return -1 if name == STRATEGY else TRANSFORMS.names().index(name), name


def _named(technique: str) -> str:
    return "Another strategy" if technique == STRATEGY else str(TRANSFORMS.get(technique).label)


def _label(scene: Scene) -> str:
    """The outcome by shape and word, but not where it is to be guessed."""
    if scene.outcome is None or st.session_state.get(predicting.ON):
        return safe.label(scene.title, 120)
    return safe.label(f"{SHAPES[scene.outcome]} {scene.outcome}: {scene.title}", 120)


def _own(own: Sequence[Scene]) -> None:
    for scene in own:
        with st.container(horizontal=True, vertical_alignment="center", key=f"own-row-{scene.id}"):
            st.button(_label(scene), key=f"scene-{scene.id}", type="tertiary", on_click=take, args=(scene,))
            scenes_saving.delete_button(scene)


def take(scene: Scene) -> None:
    """Fill in everything, and ask at once where that costs nothing."""
    held = st.session_state
    for key in [key for key in held if str(key).startswith("filter.")]:
        del held[key]
    held["expected"], held["problems"] = None, []
    link = links.of_scene(scene)
    state.fill(link)
    held["ask"] = not link.writer_is_paid and not writers.current().is_llm


def current(corpus: str, asked: Asked) -> Scene | None:
    """The scene that was taken, as long as its question is what is asked."""
    scene = resources.scene(st.session_state["scene"])
    same = scene and (scene.corpus, scene.query, [*scene.history]) == (
        corpus,
        asked.query.strip(),
        [dict(turn) for turn in asked.history],
    )
    return scene if same else None


def band(scene: Scene, *, hidden: bool) -> Any:
    """Above the cards: the two sentences, the reference, and the way on; returns the place for what is measured.

    :param hidden: a guess is to be made first, and the sentences would give it away."""
    place, of, following = _way_on(scene)
    with st.container(key="scene_band", gap="xsmall"):
        safe.heading(f"Scene: {scene.title}", 2)
        said = "What there is to see is told once you have guessed." if hidden else scene.sentences
        safe.draw(
            safe.block(said, "qp-lead", "p")
            + (safe.block(f"Source: {scene.reference}", "qp-facts", "p") if scene.reference else "")
        )
        below = st.container(key="scene_measured")
        with st.container(horizontal=True, vertical_alignment="center", key="scene_row"):
            st.button("Next scene", key="scene_next", on_click=take, args=(following,))
            safe.draw(f'<p class="qp-facts">Scene {place} of {of}</p>', width="content")
    return below


def _way_on(scene: Scene) -> tuple[int, int, Scene]:
    """Its place from 1, of how many, and the next one: the samples' come first, and saved ones are only read where
    they are needed."""
    order = _samples()
    of = len(order) + count_own_scenes()
    if scene.id in {one.id for one in order[:-1]}:
        at = [one.id for one in order].index(scene.id)
    else:
        order += own_scenes()
        at = next((number for number, one in enumerate(order) if one.id == scene.id), 0)
    return at + 1, of, order[(at + 1) % len(order)]


def measured(scene: Scene, results: Sequence[SearchResult], ready: Ready, asked: Asked) -> None:
    """What became of it here, by the ranks just measured; plainly, where it is not what the scene says."""
    if scene.technique is None or scene.outcome is None or scene.looked_for is None or not results:
        return
    places = {one.formulation.transform: one.place(scene.looked_for) for one in results}
    original = next((one for one in results if one.formulation.transform == IDENTITY), None)
    otherwise = scenes_strategy.other(scene, ready, asked, original) if scene.strategy and original else None
    if otherwise:
        places[STRATEGY] = otherwise.place(scene.looked_for)
    k = len(results[0].fused.hits)
    if IDENTITY not in places or not set(scene.ranks) <= set(places):
        return  # columns were taken out, or have failed
    shown = {name: places[name] for name in scene.ranks}
    labels = ", ".join(f"{_named(name)} {rank_words(rank, k)}" for name, rank in shown.items())
    found = outcome_of(scene.technique, shown, k)
    if found == scene.outcome and k == scene.k:
        who = "" if scene.technique == IDENTITY else f"{_named(scene.technique)} "
        said = f"{SHAPES[found]} {who}{found}. Measured here, for the looked-for document: {labels}."
        safe.draw(safe.block(said, "qp-facts", "p"))
    else:
        safe.notice(
            "info",
            f"Here it came out otherwise than the scene says. The looked-for document: {labels}.",
            detail="Scenes hold for the sample's own index, their k and the writer that needs no key.",
        )
    if otherwise and original:
        scenes_strategy.table(scene, ready, original, otherwise)
