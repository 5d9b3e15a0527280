"""Transforms: what a query becomes before it is searched. One file each; a new file is a new transform."""

from __future__ import annotations

from ir_core.protocols import Transform
from ir_core.registry import Registry

TRANSFORMS: Registry[Transform] = Registry("ir_core.transforms", "transform")

__all__ = ["TRANSFORMS"]
