"""The section that shows every prompt as it stands, and where one is changed for this visit."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ir_core import prompts
from ir_core.language import of_query
from ir_core.prompts import Prompt
from ir_core.transforms import TRANSFORMS
from ir_core.writers import LOCAL, local
from pages._ui import numbers, prompts_state, safe
from pages.compare import prompts_edit, prompts_text
from pages.compare.running import Asked
from pages.compare.setup import Ready

REPLIES = {
    "query": "one query of",
    "queries": "a list of queries, each of",
    "passage": "one passage of",
    "answer": "one short answer of",
}
EDITED = "edited"


def show(ready: Ready, asked: Asked) -> None:
    """Closed at first, below the cards: it matters once a card made one curious."""
    changed = prompts_state.edited()
    with st.expander("Prompts: what a model is asked", key="prompts_box"):
        safe.draw(f'<p class="qp-lead">{safe.prose(_who(asked, len(changed)))}</p>')
        if asked.writer.name == LOCAL:
            _local(asked)
            return
        _languages(ready)
        bank = _pick(ready, asked)
        current = changed.get(bank.id, bank)
        safe.draw(_facts(current))
        stands, edit, sent = st.tabs(
            ["As it stands", "Edit for this visit", "As sent for this query"], key="prompt_tabs"
        )
        with stands:
            safe.draw(prompts_text.verbatim(current) + prompts_text.placeholders(current))
        with edit:
            draft = prompts_edit.panel(bank, current, any_edited=bool(changed))
        with sent:
            if not asked.query.strip():
                safe.notice("info", "Nothing is typed yet. Type a query above to see it in this prompt.")
                return
            if draft != current:
                safe.notice("info", "With the text being edited, which is not applied yet.")
            safe.draw(prompts_text.sent(draft, asked, _fixed(ready, bank.task)))


def _who(asked: Asked, changed: int) -> str:
    """Whether the chosen writer is asked with these at all, and what is edited."""
    edited = (
        f" {numbers.count(changed, 'prompt')} edited in this visit; cards made with one say so." if changed else ""
    )
    if asked.writer.name == LOCAL:
        return "The small local model goes on from examples of its own, which stand here to be read only."
    if asked.writer.is_llm:
        return f"{asked.writer.label} is asked with these. An edit holds for this visit only.{edited}"
    return f"The chosen writer, {asked.writer.label}, asks no model: these are sent once a model is chosen.{edited}"


def _local(asked: Asked) -> None:
    """The small model's own prompts, to be read only."""
    found = local.load_prompts()
    task = st.selectbox(
        "Transform", list(found), key="prompt_task", width=320, persist_state="session", format_func=_label
    )
    prompt = found[task]
    reply = _reply(prompt.reply, prompt.max_chars)
    safe.draw(_listed({"id": prompt.id, "version": prompt.version, "reply": reply}))
    safe.draw(prompts_text.few_shot(prompt, asked.query.strip() or "${query}"))


def _label(task: str) -> str:
    """What the transform of that name is called; a task with another name is one of several that a transform asks."""
    return str(TRANSFORMS.get(task).label) if task in TRANSFORMS else task.replace("_", " ").capitalize()


def _languages(ready: Ready) -> None:
    """The languages to write in, where others than usual are wanted."""
    codes = sorted(prompts.LANGUAGE_NAMES, key=_name)
    corpus = ready.manifest.language
    usual = {
        prompts_state.QUERIES: ("Queries in", "the query's own language"),
        prompts_state.PASSAGES: (
            "Passages in",
            f"the corpus' main language ({_name(corpus)})" if corpus else "the query's own language",
        ),
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for key, (label, default) in usual.items():
            st.selectbox(
                label,
                ["", *codes],
                key=key,
                width=320,
                persist_state="session",
                format_func=lambda code, default=default: _name(code) if code else default,
            )
    chosen = dict.fromkeys(code for key in usual if (code := st.session_state[key]))
    for name in (_name(code) for code in chosen if any(code not in prompts.languages(t) for t in prompts.tasks())):
        safe.notice("info", f"There is no prompt in {name}: the English one is sent, and asks for {name}.")


def _pick(ready: Ready, asked: Asked) -> Prompt:
    """The prompt to look at; its language is at first the one that would be sent for the query as it is typed."""
    changed = prompts_state.edited()
    state = st.session_state
    with st.container(horizontal=True, vertical_alignment="bottom"):
        task = st.selectbox(
            "Transform",
            _in_order(),
            key="prompt_task",
            width=320,
            persist_state="session",
            format_func=lambda one: _mark(_label(one), any(prompt.task == one for prompt in changed.values())),
        )
        codes = prompts.languages(task)
        if state.get("prompt_language") not in codes:
            written_in = _fixed(ready, task) or of_query(asked.query, ready.manifest.language)
            state["prompt_language"] = prompts.load(task, written_in).language
        language = st.selectbox(
            "Language of the prompt",
            codes,
            key="prompt_language",
            width=320,
            persist_state="session",
            format_func=lambda code: _mark(_name(code), f"{task}.{code}" in changed),
        )
    return prompts.load(task, language)


def _in_order() -> list[str]:
    """As the transforms stand; tasks with another name after them."""
    names = TRANSFORMS.names()
    return sorted(
        prompts.tasks(), key=lambda task: (task not in names, names.index(task) if task in names else 0, task)
    )


def _fixed(ready: Ready, task: str) -> str | None:
    """The language that is named to the model; None leaves it the query's own."""
    wording = prompts_state.wording()
    if prompts.load(task).reply == "passage":
        return wording.passage_language or ready.manifest.language
    return wording.query_language


def _facts(prompt: Prompt) -> str:
    facts = {
        "id": prompt.id,
        "version": _mark(prompt.version, prompt.edited),
        "temperature": f"{prompt.temperature:g}",
        "reply": _reply(prompt.reply, prompt.max_chars),
        "after": prompt.reference,
        "note": " ".join(prompt.note.split()),
    }
    return _listed(facts)


def _listed(facts: Mapping[str, str]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{safe.text(value)}</dd>" for name, value in facts.items())
    return f'<dl class="qp-facts-list">{rows}</dl>'


def _reply(kind: str, max_chars: int) -> str:
    return f"{REPLIES[kind]} at most {numbers.count(max_chars, 'character')}"


def _mark(name: str, is_edited: bool) -> str:
    return f"{name}, {EDITED}" if is_edited else name


def _name(code: str) -> str:
    return prompts.LANGUAGE_NAMES.get(code, code)
