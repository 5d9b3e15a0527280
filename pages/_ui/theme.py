"""Colours of the theme for what Streamlit does not colour itself: cards by CSS variables, charts by place-holders."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.elements.lib import streamlit_plotly_theme as themed

from ir_core.charts import Palette
from ir_core.config import MAX_TRANSFORMS

PALETTE = Palette(
    slots=tuple(getattr(themed, f"CATEGORY_{number}") for number in range(MAX_TRANSFORMS)),
    stages=(themed.SEQUENTIAL_7, themed.SEQUENTIAL_5, themed.SEQUENTIAL_3),
    ink=themed.GRAY_90,
    muted=themed.GRAY_70,
    paper=themed.BG_COLOR,
    diverging=tuple(getattr(themed, f"DIVERGING_{number}") for number in range(10)),
)
"""Streamlit's own place-holders: its front end puts the theme's colours in their place, so a figure follows a switch
of the theme at once. Only figures shown with ``theme="streamlit"`` may use them."""

CHART = {"displayModeBar": False, "scrollZoom": False}
"""``config`` of every figure: a page scrolls past it."""


def styles() -> None:
    """The stylesheet, and the slots' colours of both themes: the app's own colour scheme picks one of each pair."""
    light, dark = (st.get_option(f"theme.{kind}.chartCategoricalColors") or [] for kind in ("light", "dark"))
    pairs = list(zip(light, dark, strict=False))[:MAX_TRANSFORMS]
    rules = [
        f".st-key-card-{number} {{ --qp-slot: light-dark({one}, {other}); }}"
        for number, (one, other) in enumerate(pairs)
    ]
    accent = [st.get_option(f"theme.{kind}.linkColor") or "currentColor" for kind in ("light", "dark")]
    ground = [st.get_option(f"theme.{kind}.backgroundColor") or "Canvas" for kind in ("light", "dark")]
    rules.append(f".stApp {{ --qp-accent: light-dark({accent[0]}, {accent[1]});")
    rules.append(f"--qp-ground: light-dark({ground[0]}, {ground[1]});")
    rules.append("--qp-warn: light-dark(#8A3B12, #DE8E58); }")
    st.html(Path(__file__).with_name("style.css"))
    st.html(f"<style>{' '.join(rules)}</style>")
