"""Any sentence-transformers model as an ``Embedder``.

One lock, held for one micro-batch at a time, and queries go first: a person who searches while an index is being
built waits for one batch, not for the build. Query batches use one torch thread (two spinning threads beside a busy
core are six times slower), documents use them all.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from ir_core.errors import ModelUnavailable
from ir_core.model_files import ModelFiles, quiet_loading
from ir_core.protocols import Vectors

QUERY_BATCH = 32
DOCUMENT_BATCH = 32
UNLIMITED = 1_000_000
"""``max_tokens`` of a model that names no limit."""


class SentenceTransformerEmbedder:
    """:param files: the model's folder.
    :param dim: and ``max_tokens``, where they are known beforehand, let the model itself be loaded on first use.
    :raises ModelUnavailable: when the folder holds no sentence-transformers model.
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        name: str | None = None,
        languages: frozenset[str] | None = None,
        max_tokens: int | None = None,
        dim: int | None = None,
    ) -> None:
        self.name = name or files.name
        self.files = files
        self.languages = languages or files.languages
        self._turns = _QueriesFirst()
        self._loading = threading.Lock()
        self._model: Any = None
        self._all_threads = 1
        self.max_tokens = max_tokens or self._limit()
        self.dim = dim or int(self._encode_query(["dimension"]).shape[1])
        short = self.name.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
        self.fingerprint = f"{short}:{files.sha256[:16]}:{self.max_tokens}:{self.dim}"

    def encode_document(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, unit rows, with the model's own document prompt; texts over ``max_tokens`` are cut."""
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        # Similar lengths together: a batch costs as much as its longest text.
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for start in range(0, len(order), DOCUMENT_BATCH):
            rows = order[start : start + DOCUMENT_BATCH]
            model = self._loaded()
            with self._turns.document(), self._threads(self._all_threads):
                vectors[rows] = model.encode_document([texts[i] for i in rows], **_options(DOCUMENT_BATCH))
        return _unit(vectors)

    def encode_query(self, texts: Sequence[str]) -> Vectors:
        """(n, dim) float32, unit rows, with the model's own query prompt."""
        return _unit(self._encode_query(texts)) if texts else np.zeros((0, self.dim), dtype=np.float32)

    def token_counts(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        return [len(encoding) for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def _encode_query(self, texts: Sequence[str]) -> Vectors:
        model = self._loaded()
        with self._turns.query(), self._threads(1):
            vectors: Vectors = model.encode_query(list(texts), **_options(QUERY_BATCH))
        return vectors

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        import torch
        from sentence_transformers import SentenceTransformer

        self._all_threads = torch.get_num_threads()
        try:
            with quiet_loading():
                model = SentenceTransformer(str(self.files.path), local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ModelUnavailable(
                f"{self.name!r} is no sentence-transformers model that can be loaded: {first} "
                "Give another folder or name."
            ) from error
        return model

    def _limit(self) -> int:
        length = self._loaded().max_seq_length
        return int(length) if length else UNLIMITED

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        file = self.files.path / "tokenizer.json"
        if file.is_file():
            tokenizer = Tokenizer.from_file(str(file))
        else:
            tokenizer = Tokenizer.from_str(self._loaded().tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @contextmanager
    def _threads(self, n: int) -> Iterator[None]:
        import torch

        # Set in the thread that computes: the number belongs to the thread that sets it.
        if torch.get_num_threads() != n:
            torch.set_num_threads(n)
        yield


class _QueriesFirst:
    """One at a time, and a query that waits goes before the next batch of documents."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._waiting = 0

    @contextmanager
    def query(self) -> Iterator[None]:
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._busy)
            self._waiting -= 1
            self._busy = True
        yield from self._release()

    @contextmanager
    def document(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._busy and not self._waiting)
            self._busy = True
        yield from self._release()

    def _release(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()


def _options(batch: int) -> dict[str, Any]:
    return {"batch_size": batch, "show_progress_bar": False, "convert_to_numpy": True, "normalize_embeddings": True}


def _unit(vectors: Vectors) -> Vectors:
    """Unit rows; a zero row becomes the first axis, so that every row has length 1."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32, copy=False)
    unit[(lengths == 0).ravel(), 0] = 1.0
    return unit
