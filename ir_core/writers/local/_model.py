"""One small model in this process, run by llama.cpp through xllamacpp.

xllamacpp also opens an HTTP port. It is bound to 127.0.0.1, and asks for a key that nobody has: only this process,
which calls it directly, can use the model or see what it was asked.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_core.errors import Cancelled, WriterError, WriterTimeout
from ir_core.writers._llm_slots import Slots
from ir_core.writers.local._fewshot import TASKS

CONTEXT_TOKENS = 1024
"""Of each place: three worked examples, a query of 600 bytes and the reply."""
TURN = Slots(1)
"""One reply at a time: there is one model, and a second one would only take the first one's cores."""
_loaded: dict[tuple[Path, int], Any] = {}
_ready: set[int] = set()
"""Places of the loaded model whose examples are read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Tokens as llama.cpp counts them; seconds from the request to the first of them."""

    text: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    first_token_s: float | None = None


def load(path: Path, places: int = len(TASKS)) -> Any:
    """The model in that file; the one before goes. To be called in one's ``TURN``.

    :param places: how many prompts' beginnings it keeps read.

    :raises WriterError: for a file that llama.cpp cannot read.
    """
    import xllamacpp

    try:
        key = (path.resolve(), path.stat().st_mtime_ns)
        if key in _loaded:
            return _loaded[key]
        with path.open("rb") as file:
            readable = file.read(4) == b"GGUF"
    except OSError as error:
        raise WriterError(
            f"{path.name} cannot be read ({error.strerror}). Check the path of the GGUF file."
        ) from None
    if not readable:
        raise WriterError(f"{path.name} is no GGUF file. Name one that llama.cpp can read.")
    _loaded.clear()
    _ready.clear()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel, params.n_gpu_layers = places * CONTEXT_TOKENS, places, 0
    # As many threads as cores and every one waits for the slowest: a busy core then makes it ten times slower.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 2) // 2)
    params.cache_ram_mib = 0
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [secrets.token_urlsafe(32)]
    params.ui = params.endpoint_slots = params.endpoint_props = params.endpoint_metrics = False
    params.offline, params.verbosity = True, -1
    try:
        _loaded[key] = xllamacpp.Server(params)
    except Exception:
        raise WriterError(f"llama.cpp cannot load {path.name}. Use a GGUF file of a text model.") from None
    return _loaded[key]


def generate(
    server: Any, prompt: str, options: Mapping[str, Any], *, shared: str, place: int, deadline_s: float,
    cancel: threading.Event,
) -> Reply:  # fmt: skip
    """The model's continuation of ``prompt``. Between two tokens it can be stopped.

    :param shared: the beginning that all prompts in this ``place`` have; it is read once and kept.

    :param options: of llama.cpp's completion request (max_tokens, temperature, seed, stop, grammar).
    :raises WriterTimeout: after ``deadline_s`` seconds.
    :raises Cancelled: once ``cancel`` is set.
    :raises WriterError: where llama.cpp refuses the request.
    """
    started = time.perf_counter()
    texts: list[str] = []
    seen: dict[str, Any] = {}

    def on_chunk(chunk: Any) -> bool:
        seen.update({name: chunk[name] for name in ("error", "usage") if chunk.get(name)})
        for choice in chunk.get("choices") or ():
            if choice.get("text"):
                seen.setdefault("first", time.perf_counter() - started)
                texts.append(choice["text"])
            seen["finish"] = choice.get("finish_reason") or seen.get("finish")
        return cancel.is_set() or time.perf_counter() - started > deadline_s

    where = {"id_slot": place, "cache_prompt": True}
    # What is read in one piece differs in its last digits from what is read in two, and the words with it. So the
    # rest of a prompt always follows the same state: the beginning, with its last token read alone.
    for _ in range(1 if place in _ready else 2):
        server.handle_completions({"prompt": shared, "max_tokens": 0, "temperature": 0.0, **where})
    _ready.add(place)
    request = {"prompt": prompt, **options, **where, "stream": True}
    refused = server.handle_completions({**request, "stream_options": {"include_usage": True}}, on_chunk)
    if cancel.is_set():
        raise Cancelled("A newer query took over.")
    error = seen.get("error") or (refused.get("error") if isinstance(refused, dict) else None)
    if error:
        raise WriterError(f"llama.cpp refused the request ({str(error.get('message', error))[:120]}).")
    if not seen.get("finish"):
        raise WriterTimeout(f"The local model did not end within {deadline_s:g} s; try again when less is running.")
    usage = seen.get("usage", {})
    return Reply("".join(texts), usage.get("prompt_tokens"), usage.get("completion_tokens"), seen.get("first"))
