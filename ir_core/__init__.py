"""Query Prism: one live query through many query transforms, side by side.

The names of :mod:`ir_core.api` can be imported from here; each is loaded when it is first asked for, so that
``import ir_core`` costs nothing::

    from ir_core import create_query_transformer, course, search
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir_core import api

if TYPE_CHECKING:
    from ir_core.api import *  # noqa: F403

__all__ = list(api.__all__)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
