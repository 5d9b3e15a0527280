"""Router: what kind of query it is, and the one transform that calls for."""

from __future__ import annotations

from pages._ui import safe
from pages.router.screen import show

safe.guarded(show)
