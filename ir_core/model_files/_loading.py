"""How models are read and run: silently, and with threads that leave the rest of the machine alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any


@dataclass(frozen=True, slots=True)
class TorchThreads:
    """How many threads torch should use for a batch of queries, and for documents."""

    queries: int
    documents: int


@lru_cache(maxsize=1)
def torch_threads() -> TorchThreads:
    """Imports torch so that its idle threads sleep; where it was imported before, they spin, and queries get one.

    OpenMP reads its settings once, as torch is imported. Spinning threads are quick on an idle machine; beside busy
    processes on two cores they were seen to take 30 times as long for one query, and sleeping ones no longer than
    a single thread.
    """
    sleep = "torch" not in sys.modules
    if sleep:
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    sleep = sleep and os.environ["OMP_WAIT_POLICY"].upper() == "PASSIVE"
    import torch

    every = torch.get_num_threads()
    return TorchThreads(every if sleep else 1, every)


def use_threads(n: int) -> None:
    """Called in the thread that computes: the number belongs to the thread that sets it."""
    import torch

    if torch.get_num_threads() != n:
        torch.set_num_threads(n)


@contextmanager
def quiet_loading() -> Iterator[None]:
    """No progress bars and no advice on the console while a model is read."""
    from transformers.utils import logging

    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


def read_tokenizer(description: str) -> Any:
    """The ``tokenizers.Tokenizer`` a tokenizer.json describes, neither cutting nor filling up; imports no torch."""
    # Said aloud, or the library warns on the console whenever a process is started later.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(description)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def first_line(error: Exception) -> str:
    """What a library said, as one sentence."""
    said = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return said if said.endswith((".", "!", "?")) else said + "."
