"""The frame: navigation and what all pages share. Run with ``query-prism run`` or ``streamlit run app.py``."""

from __future__ import annotations

import streamlit as st

from ir_core.config import resources
from pages._ui import safe, serving, signing, state, theme, visit, writers

ICON = str(resources() / "static" / "icon.png")
PAGES = (("compare", "Compare"), ("router", "Router"), ("evaluate", "Evaluate"), ("corpus", "Corpus"))

serving.leave_old_pages()
st.set_page_config(page_title="Query Prism", page_icon=ICON, layout="wide")
theme.styles()
visit.begin()
if not signing.door():
    st.stop()
state.begin()
st.logo(ICON)
page = st.navigation(
    [
        st.Page(f"pages/{name}/page.py", title=title, url_path=name, default=number == 0)
        for number, (name, title) in enumerate(PAGES)
    ],
    position="top",
)
with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="frame"):
    safe.heading(page.title, 1)
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
        signing.leave()
        writers.choose()
if serving.is_shared():
    serving.import_heavy()
page.run()
serving.warm_up()
