"""The hub: its cache first, then a probe of two seconds, then the download.

Without a network the hub's client would retry for more than a minute, so it is asked only once the probe has been
answered.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ir_core.errors import ModelUnavailable
from ir_core.model_files._loading import first_line

PROBE_SECONDS = 2.0
PROBE_REMEMBERED = 60.0
"""How long an unreachable hub is taken for unreachable, so that five look-ups do not wait five times."""
_WITHOUT_WEIGHTS = ["*.json", "*.txt", "*.model", "README.md"]
_SKIPPED = ["onnx/*", "openvino/*", "coreml/*", "*.h5", "*.ot", "*.msgpack", "*.onnx", "*.gguf"]
"""Copies of the weights in other formats; a repository may hold five."""

_unreachable: dict[str, float] = {}


def hub_folder(name: str, *, weights: bool) -> Path:
    """The snapshot in the hub's own cache, downloaded first where it is not there yet.

    :raises ModelUnavailable: where neither can be had.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    way_out = "Give the path of a folder that holds the model, or connect to a network that reaches the hub."
    wanted = None if weights else _WITHOUT_WEIGHTS
    snapshot = partial(snapshot_download, repository, allow_patterns=wanted, ignore_patterns=_SKIPPED)
    try:
        cached = Path(snapshot(local_files_only=True))
        if not weights or weight_files(cached):
            return cached
    except HFValidationError as error:
        raise ModelUnavailable(f"{name!r} cannot be a model's name. {way_out}") from error
    except LocalEntryNotFoundError:
        pass
    if not hub_reachable(endpoint):
        why = "HF_HUB_OFFLINE is set" if _offline() else f"{endpoint} did not answer within {PROBE_SECONDS:g} s"
        raise ModelUnavailable(f"The model {name!r} is not on this machine, and {why}. {way_out}")
    try:
        with _no_progress_bars():
            return Path(snapshot(endpoint=endpoint))
    except Exception as error:  # its client's transport errors are of another library in every version
        raise ModelUnavailable(
            f"The model {name!r} could not be had from {endpoint}: {first_line(error)} {way_out}"
        ) from error


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    shown = not are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if shown:
            enable_progress_bars()


def weight_files(folder: Path) -> list[Path]:
    return [file for pattern in ("*.safetensors", "pytorch_model*.bin") for file in sorted(folder.rglob(pattern))]


def hub_reachable(endpoint: str) -> bool:
    """True when ``endpoint`` answers anything at all within ``PROBE_SECONDS``, proxies of the environment included.

    Asked in a thread of its own, because looking a host's name up has no time limit. ``HF_HUB_OFFLINE`` is obeyed.
    """
    if _offline():
        return False
    failed = _unreachable.get(endpoint)
    if failed is not None and time.monotonic() - failed < PROBE_REMEMBERED:
        return False
    answered = threading.Event()
    probe = threading.Thread(target=_probe, args=(endpoint, answered), daemon=True, name="hub-probe")
    probe.start()
    probe.join(PROBE_SECONDS)
    if not answered.is_set():
        _unreachable[endpoint] = time.monotonic()
    return answered.is_set()


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}


def _probe(endpoint: str, answered: threading.Event) -> None:
    import urllib.error
    import urllib.request

    try:
        with urllib.request.urlopen(urllib.request.Request(endpoint, method="HEAD"), timeout=PROBE_SECONDS):
            answered.set()
    except urllib.error.HTTPError:
        answered.set()
    except (OSError, ValueError):
        return
