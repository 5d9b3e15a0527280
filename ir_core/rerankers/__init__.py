"""Rerankers: cross-encoders that read query and text together. None is used unless a person names one.

Nogueira and Cho, "Passage Re-ranking with BERT" (2019), by sentence-transformers' ``CrossEncoder``.
"""

from __future__ import annotations

import threading

from ir_core.model_files import resolve
from ir_core.protocols import Reranker
from ir_core.rerankers._cross_encoder import CrossEncoderReranker

_opened: dict[str, Reranker] = {}
_opening = threading.Lock()


def open_reranker(name: str) -> Reranker:
    """The cross-encoder of that name, opened once per process, safe for threads.

    :param name: a model's folder, or a repository on the hub such as cross-encoder/ms-marco-MiniLM-L6-v2.
    :raises ModelUnavailable: when its files are nowhere to be had, or are no reranker's; names the way out.
    """
    with _opening:
        if name not in _opened:
            _opened[name] = CrossEncoderReranker(resolve(name))
        return _opened[name]


__all__ = ["CrossEncoderReranker", "open_reranker"]
