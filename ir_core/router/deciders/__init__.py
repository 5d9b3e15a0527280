"""Deciders: each gives a query one label, and says why. One file each; a new file is a new decider."""

from __future__ import annotations

from ir_core.registry import Registry
from ir_core.router.decision import Decider

DECIDERS: Registry[Decider] = Registry("ir_core.router.deciders", "decider")

__all__ = ["DECIDERS"]
