"""Compare: one query, every transform, side by side."""

from __future__ import annotations

from pages._ui import safe
from pages.compare.screen import show

safe.guarded(show)
