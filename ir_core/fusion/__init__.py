"""Fusion takes ranked lists and gives one, and can say what each list gave to it.

A ``RankedList`` is what one query found in one leg, best surface per artifact. A member of the family joins the
lists *of one leg*; the shares it gives add up to the artifact's score there, and the legs are then added.
"""

from __future__ import annotations

from ir_core.fusion._lists import Fused, RankedList, Share, by_score, rrf_share
from ir_core.fusion._weights import list_weights
from ir_core.registry import Registry

FUSIONS: Registry[object] = Registry("ir_core.fusion", "fusion")

__all__ = ["FUSIONS", "Fused", "RankedList", "Share", "by_score", "list_weights", "rrf_share"]
