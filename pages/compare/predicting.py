"""Predict first: rankings wait until a guess was made which transform does best. Texts and queries can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from ir_core.analysis.guessing import NONE, Answer, answer
from ir_core.library.scenes import rank_words
from ir_core.schema import SearchResult
from ir_core.text import sentences
from ir_core.transforms import TRANSFORMS
from pages._ui import cards, numbers, safe
from pages._ui.card_badges import badges
from pages._ui.jobs import Job
from pages.compare import wanted
from pages.compare.setup import Ready

ON, MADE = "predict_first", "guesses"
MOST_KEPT = 200
WAITS = "The ranking waits for your guess."
MADE_OF_HITS = "Its text quotes the first hits, so it waits, too."
QUOTED_CHARS = 25
"""A sentence that long is no coincidence."""


def toggle() -> None:
    st.toggle(
        "Predict first",
        key=ON,
        persist_state="session",
        help="Rankings, and whatever gives them away, wait until the class has guessed which transform does best.",
    )


def waits(job: Job) -> bool:
    """True while the rankings of this comparison are not to be shown."""
    return bool(st.session_state.get(ON)) and job.id not in _made() and len(job.asked.asked.columns) > 1


def card(slot: int, result: SearchResult, titles: cards.Titles, *, saw_history: bool | None) -> None:
    """A card without its hits, and without what is made of hits."""
    made = result.formulation
    head = cards.head(slot, made.title, result=result, badges=badges(result, saw_history=saw_history))
    shown = replace(result, formulation=replace(made, notes=()), fused=replace(result.fused, hits=()))
    body = safe.block(MADE_OF_HITS, "qp-doing", "p") if _quotes(result) else cards.body(shown, titles, counts=False)
    safe.draw(head + body + safe.block(WAITS, "qp-doing qp-waits", "p"))


def _quotes(result: SearchResult) -> bool:
    """True where a text holds a sentence or the title of a document that was found before it was written."""
    made = result.formulation
    new = [query for query in made.queries if query.id != made.original.id]
    if any(query.surface_ids for query in new):
        return True
    read = [hit for step in made.steps for ranking in step.rankings for hit in ranking.hits]
    found = "\n".join(" ".join(f"{hit.title}. {hit.text}".split()) for hit in read)
    titles = {hit.title for hit in read if hit.title}
    for query in new:
        said = [" ".join(query.text[start:end].split()) for start, end in sentences(query.text)]
        if any(len(part) >= QUOTED_CHARS and part in found for part in said):
            return True
        if any(title in query.text for title in titles):
            return True
    return False


def ask(ready: Ready, job: Job, results: Sequence[SearchResult]) -> None:
    """Above the cards: the question while they wait, then who was right.

    :param results: all there are so far; a guess can be made before they are there, and revealed when they are."""
    if not st.session_state.get(ON) or len(job.asked.asked.columns) < 2:
        return
    expected = st.session_state["expected"]
    looked_for = {expected} if expected else set(wanted.judged(ready, job.asked.asked.query))
    if job.id in _made():
        if results:
            _told(answer(results, looked_for), _made()[job.id], job.asked.asked.k)
        return
    with st.container(key="predict"):
        names = [name for name in job.asked.asked.columns if name != "identity"]
        question = (
            "Which transform puts the looked-for document highest?"
            if len(looked_for) == 1
            else "Which transform puts a document judged relevant highest?"
            if looked_for
            else "No document is looked for or judged here. Which transform moves the ranking most?"
        )
        none = "none better than the original" if looked_for else "none moves it"
        guess = st.pills(
            question,
            [*names, NONE],
            format_func=lambda name: none if name == NONE else safe.label(TRANSFORMS.get(name).label),
            key=f"guess-{job.id}",
            wrap=True,
        )
        done = job.is_over and len(results) > 1
        with st.container(horizontal=True, vertical_alignment="center", key="reveal_row"):
            st.button(
                "Reveal",
                key="reveal",
                type="primary",
                disabled=not (guess and done),
                on_click=_reveal,
                args=(job.id, guess, bool(guess and done and answer(results, looked_for).is_right(guess))),
            )
            safe.draw(f'<p class="qp-facts">{safe.text(_score() or "One guess, then Reveal.")}</p>', width="content")


def instruments_wait() -> None:
    safe.notice(
        "info",
        "The instruments wait for your guess, too: each of them would give the rankings away.",
        detail="Choose an answer above the cards, then press Reveal.",
    )


def _made() -> dict[str, tuple[str, bool]]:
    """By comparison: the guess, and whether it was right."""
    found: dict[str, tuple[str, bool]] = st.session_state.setdefault(MADE, {})
    return found


def _reveal(job: str, guess: str, right: bool) -> None:
    made = _made()
    made[job] = (guess, right)
    while len(made) > MOST_KEPT:
        del made[next(iter(made))]


def _score() -> str:
    right = sum(found for _, found in _made().values())
    return f"{right} of {len(_made())} right so far." if _made() else ""


def _told(found: Answer, made: tuple[str, bool], k: int) -> None:
    guess, right = made
    who = "none" if guess == NONE else TRANSFORMS.get(guess).label
    said = f"{'Right' if right else 'Not so'}: you said {who}. {sentence(found, k)}"
    safe.notice("info", said, detail=_score())


def sentence(found: Answer, k: int) -> str:
    """Who was right, by what was measured."""

    def value(name: str) -> str:
        if found.by_rank:
            rank = found.values[name]
            return rank_words(rank, k) if rank is None else f"at {rank_words(rank, k)}"
        return numbers.count(found.values[name], "place")

    labels = " and ".join(TRANSFORMS.get(name).label for name in found.best)
    if not found.by_rank:
        if not found.best:
            return "No transform moves anything."
        return f"{labels} moves most: {value(found.best[0])} of {k} hold another document than the original's."
    if not found.best:
        return f"None is better than the original, which has it {value('identity')}."
    where = "has it" if len(found.best) == 1 else "have it"
    return f"{labels} {where} {value(found.best[0])}, the original {value('identity')}."
