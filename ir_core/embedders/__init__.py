"""Embedders: texts to unit vectors. ``open_embedder`` gives one per name and process, ready for threads.

A registered member describes an embedder (name, label, summary, ``languages``) without loading anything; its
``open()`` makes it. Any other name is a sentence-transformers model: a folder, or a repository on the hub. The
prefixes that a model wants are its own, else those of ``KNOWN``.
"""

from __future__ import annotations

import threading
from typing import Any

from ir_core.embedders._known import KNOWN, MULTILINGUAL, KnownModel, known_model
from ir_core.embedders._sentence_transformer import SentenceTransformerEmbedder
from ir_core.errors import ModelUnavailable
from ir_core.model_files import resolve
from ir_core.protocols import Embedder
from ir_core.registry import Registry

EMBEDDERS: Registry[Any] = Registry("ir_core.embedders", "embedder")
DEFAULT_EMBEDDER = "all-MiniLM-L6-v2"

_opened: dict[str, Embedder] = {}
_opening = threading.Lock()


def open_embedder(name: str = DEFAULT_EMBEDDER) -> Embedder:
    """The embedder of that name, opened once per process.

    The default one imports torch when it first encodes, not here: its name, dimension, fingerprint and token counts
    are had without.

    :param name: a registered name (``EMBEDDERS.names()``), a model's folder, or a repository on the hub.
    :raises ModelUnavailable: when its files are nowhere to be had; the message names the way out.
    """
    with _opening:
        if name in EMBEDDERS:
            member = EMBEDDERS.get(name)
            if member.name not in _opened:
                _opened[member.name] = member().open()
            return _opened[member.name]
        if name not in _opened:
            try:
                _opened[name] = SentenceTransformerEmbedder(resolve(name))
            except ModelUnavailable as error:
                listed = ", ".join(EMBEDDERS.names())
                raise ModelUnavailable(f"{error} Always here: {listed}.") from error
        return _opened[name]


__all__ = [
    "DEFAULT_EMBEDDER",
    "EMBEDDERS",
    "KNOWN",
    "MULTILINGUAL",
    "KnownModel",
    "SentenceTransformerEmbedder",
    "known_model",
    "open_embedder",
]
