"""Evaluate: transforms measured on judged queries, as jobs that outlive the tab."""

from __future__ import annotations

from pages._ui import safe
from pages.evaluate.screen import show

safe.guarded(show)
