"""Corpus: choose or bring documents, see the surfaces before building, build."""

from __future__ import annotations

from pages._ui import safe
from pages.corpus.screen import show

safe.guarded(show)
