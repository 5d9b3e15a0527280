"""A sentence-transformers ``CrossEncoder`` with one output, as a ``Reranker``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ir_core.errors import ModelUnavailable
from ir_core.model_files import ModelFiles, first_line, quiet_loading, torch_threads, use_threads
from ir_core.text import encodable

BATCH = 32


class CrossEncoderReranker:
    """:raises ModelUnavailable: when the folder holds no cross-encoder with one output."""

    def __init__(self, files: ModelFiles) -> None:
        self.name = files.name
        self._lock = threading.Lock()
        self._model = _load(files)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score per text, higher is better; the scale is the model's own."""
        if not texts:
            return []
        pairs = [(encodable(query), encodable(text)) for text in texts]
        with self._lock:
            use_threads(torch_threads().documents)
            found = self._model.predict(pairs, batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True)
        return [float(score) for score in found]


def _load(files: ModelFiles) -> Any:
    torch_threads()
    from sentence_transformers import CrossEncoder

    way_out = "Give a cross-encoder's folder or name."
    if not any((files.path / name).is_file() for name in ("config.json", "modules.json")) or not files.weights:
        raise ModelUnavailable(f"{files.name!r} holds no model: config.json or the weights are missing. {way_out}")
    try:
        with quiet_loading():
            model = CrossEncoder(str(files.path), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise ModelUnavailable(f"{files.name!r} cannot be loaded: {first_line(error)} {way_out}") from error
    if model.num_labels != 1:
        raise ModelUnavailable(
            f"{files.name!r} gives {model.num_labels} values for a pair of texts; a reranker gives one. {way_out}"
        )
    return model
