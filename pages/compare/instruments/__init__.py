"""What can be read off a finished comparison, one file per instrument: it carries ``LABEL`` (its tab), ``ORDER`` (its
place) and ``show(ready, asked, results)``. A new file is a new instrument."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ir_core.schema import SearchResult
    from pages.compare.running import Asked
    from pages.compare.setup import Ready

    Show = Callable[[Ready, Asked, Sequence[SearchResult]], None]


@dataclass(frozen=True, slots=True)
class Instrument:
    """``show`` draws it; it is called only while its tab is open."""

    label: str
    order: int
    show: Show


@lru_cache(maxsize=1)
def instruments() -> tuple[Instrument, ...]:
    """All there are, in the order of their tabs."""
    found: list[Instrument] = []
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):
        module: Any = importlib.import_module(info.name)
        if hasattr(module, "LABEL"):
            found.append(Instrument(module.LABEL, module.ORDER, module.show))
    return tuple(sorted(found, key=lambda item: item.order))
