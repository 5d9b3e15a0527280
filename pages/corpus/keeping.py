"""What is kept on disk: what the index was built from, room taken, a new name, and taking a corpus away."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import streamlit as st

from ir_core import build, config, library
from ir_core.index import Manifest
from pages._ui import naming, numbers, resources, safe, visit
from pages.corpus import adding


def panel(info: Any) -> None:
    current = resources.readable_index(info.name)
    if current is not None:
        with st.expander("What the index was built from", key="manifest"):
            _manifest(current.manifest)
    with st.expander("Disk use, rename, delete", key="keeping"):
        _disk()
        if not visit.may_change(info.name):
            safe.draw(safe.block(visit.READ_ONLY, "qp-facts", "p"))
            return
        if info.kind == "sample":
            safe.draw(safe.block("A sample corpus keeps its name. Only its index can be deleted.", "qp-facts", "p"))
        else:
            _rename(info)
        _delete(info, current is not None)


WORDS = {
    "n_artifacts": "documents",
    "n_surfaces": "surfaces",
    "dim": "dimensions",
    "max_tokens": "tokens the embedder reads",
    "idf": "inverse document frequency",
    "over_limit": "surfaces longer than that",
    "built_at": "built",
}
LEFT_OUT = {"fields", "format", "vectors_id", "sizes", "sums", "filter_fields", "notes"}


def _manifest(made: Manifest) -> None:
    facts: dict[str, Any] = {name: value for name, value in asdict(made).items() if name not in LEFT_OUT}
    facts["strategy"] = naming.strategy(made.strategy)
    facts["kinds"] = ", ".join(f"{kind} {number:,}" for kind, number in made.kinds.items())
    facts["size on disk"] = numbers.size(sum(made.sizes.values()))
    facts["notes"] = " ".join(made.notes)
    rows = "".join(
        f"<dt>{safe.text(WORDS.get(name, name.replace('_', ' ')))}</dt><dd dir='auto'>{safe.text(value)}</dd>"
        for name, value in facts.items()
        if value not in (None, "")
    )
    safe.draw(f'<dl class="qp-facts-list">{rows}</dl>')
    if not made.fields:
        return
    safe.heading("Fields to filter on", 3)
    fields = [
        {"field": name, "type": about.type, "documents": about.artifacts, "values": ", ".join(map(str, about.values))}
        for name, about in made.fields.items()
    ]
    safe.table(fields, hide_index=True, alt="Fields that a filter can name, with their commonest values")


def _disk() -> None:
    rows = [
        {
            "corpus": one.title,
            "documents kept": numbers.size(one.bytes),
            "indexes": numbers.size(build.disk_use(one.name)),
        }
        for one in resources.corpora()
    ]
    vectors = config.home() / "vectors.sqlite"
    kept = numbers.size(vectors.stat().st_size) if vectors.is_file() else "0 bytes"
    rows.append({"corpus": "vectors kept, so that nothing is embedded twice", "documents kept": "", "indexes": kept})
    safe.table(rows, hide_index=True, alt="Room on disk taken by each corpus and its indexes")


def _rename(info: Any) -> None:
    with st.form("rename", border=False):
        title = st.text_input("New name", value=info.title, max_chars=80)
        if st.form_submit_button("Rename"):
            visit.only_own(info.name)
            library.rename(info.name, title)
            resources.forget_corpora()
            st.rerun()


def _delete(info: Any, has_index: bool) -> None:
    what = "its index" if info.kind == "sample" else "the corpus and its index"
    if info.kind == "sample" and not has_index:
        return
    sure = st.checkbox(f"Yes, delete {what} from this disk", key=f"sure.{info.name}")
    note = "" if info.kind == "upload" else " The documents themselves stay where they are."
    safe.draw(safe.block(f"This cannot be undone.{note}", "qp-facts", "p"))
    if st.button("Delete", key="delete", disabled=not sure):
        visit.only_own(info.name)
        build.delete(info.name)
        if info.kind != "sample":
            library.delete(info.name)
            st.session_state["corpus"] = None
        st.session_state["run"] = None
        index = "The index of " if info.kind == "sample" else ""
        adding.say(f"{index}{info.title} was deleted.")
        resources.forget_corpora()
        st.rerun()
