"""A small model in this process, through llama.cpp: a real writer, and a weak one."""

from __future__ import annotations

from ir_core.writers.local._fewshot import FewShot
from ir_core.writers.local._fewshot import load as load_prompts
from ir_core.writers.local._installed import INSTALL, available
from ir_core.writers.local._model import TURN
from ir_core.writers.local.writer import LocalWriter

__all__ = ["INSTALL", "FewShot", "LocalWriter", "available", "load_prompts", "waiting"]


def waiting() -> int:
    """Texts that wait for their turn with the one model of this process, of all visits."""
    return TURN.waiting
