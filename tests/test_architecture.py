"""The floors of ARCHITECTURE.md, read off the imports; and files small enough to hold one idea."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS: tuple[tuple[str, ...], ...] = (
    ("schema", "errors", "ending"),
    ("protocols", "params", "registry", "config", "text", "language", "secrets", "model_files", "prompts", "visits"),
    ("loaders", "strategies", "embedders", "rerankers", "index", "fusion", "writers", "transforms"),
    ("library", "build", "retrieval"),
    ("compare", "budget", "router"),
    ("analysis", "evaluation", "jobs", "session"),
    ("charts", "export"),
    ("api",),
    ("cli",),
)
FLOOR_OF = {part: number for number, floor in enumerate(FLOORS) for part in floor}
FAMILIES = FLOORS[2]
HEAVY = {
    "torch", "sentence_transformers", "transformers", "tokenizers", "litellm", "chromadb", "pandas", "symspellpy",
    "bs4", "lxml", "pypdf", "pydantic", "docx", "frontmatter", "ir_measures", "plotly", "rank_bm25", "streamlit",
    "xllamacpp",
}  # fmt: skip
MODULES = sorted((ROOT / "ir_core").rglob("*.py"))


def part_of(path: Path) -> str:
    return path.relative_to(ROOT / "ir_core").parts[0].removesuffix(".py")


def imports(path: Path, *, top_only: bool = False) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_only else list(ast.walk(tree))
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names if node.module == "ir_core")
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_its_own_package_and_lower_floors(path):
    own = part_of(path)
    if own == "__init__":
        return
    for name in imports(path):
        if not name.startswith("ir_core."):
            continue
        other = name.split(".")[1]
        allowed = other == own or FLOOR_OF[other] < FLOOR_OF[own]
        same_floor = FLOOR_OF[other] == FLOOR_OF[own] and own not in FAMILIES
        assert allowed or same_floor, f"{path.relative_to(ROOT)} (floor {FLOOR_OF[own]}) imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_packages_are_imported_on_first_use(path):
    if part_of(path) == "charts":
        return
    heavy = {name for name in imports(path, top_only=True) if name.split(".")[0] in HEAVY}
    assert not heavy, f"import {sorted(heavy)} inside the function that needs it"


def test_no_streamlit_in_the_core():
    for path in MODULES:
        assert not {name for name in imports(path) if name.split(".")[0] in {"streamlit", "pages"}}, path


def test_files_hold_one_idea():
    files = [*MODULES, *(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > 250} == {}
