"""The frame: navigation and what all pages share. Run with ``query-prism run`` or ``streamlit run app.py``."""

from __future__ import annotations

import streamlit as st

from ir_core.config import resources
from pages._ui import safe, serving, signing, signing_way, state, theme, visit, writers

ICON = str(resources() / "static" / "icon.png")
PAGES = (("", "Compare"), ("router", "Router"), ("evaluate", "Evaluate"), ("corpus", "Corpus"))

serving.begin()
st.set_page_config(page_title="Query Prism", page_icon=ICON, layout="wide")
theme.styles()
st.logo(ICON)
pages = [
    st.Page(f"pages/{title.lower()}/page.py", title=title, url_path=path, default=not path) for path, title in PAGES
]
# the first page has no address of its own; people type one, and links of old have it
typed = st.Page(lambda: None, title="Compare", url_path="compare", visibility="hidden")
page = st.navigation([*pages, typed], position="top" if signing.is_open() else "hidden")
if page is typed:
    st.switch_page(pages[0], query_params=signing_way.asked())
if not signing.is_open():
    signing.door(page.url_path)
    st.stop()
if before := signing_way.back():
    st.switch_page(next(one for one in pages if one.url_path == before[0]), query_params=before[1])
visit.begin()
state.begin()
with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="frame"):
    safe.heading(page.title, 1)
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="small"):
        signing.leave()
        writers.choose()
if serving.is_shared():
    serving.import_heavy()
page.run()
serving.warm_up()
