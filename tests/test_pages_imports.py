"""Opening a page costs no heavy import: they wait behind the first paint."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("torch", "sentence_transformers", "transformers", "litellm", "chromadb")
OPEN = """
import sys
from tests.app import open_app, shown
app = open_app(page={page!r})
assert '<h1 class="qp-h1"' in shown(app), shown(app)
print([name for name in {heavy!r} if name in sys.modules])
"""


@pytest.mark.parametrize("page", [path.parent.name for path in sorted((ROOT / "pages").glob("*/page.py"))])
def test_opening_a_page_imports_nothing_heavy(page):
    code = OPEN.format(page=page, heavy=HEAVY)
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    assert run.stdout.strip().splitlines()[-1] == "[]"


@pytest.mark.slow
def test_an_indexed_corpus_is_opened_without_them_too(home):
    """Searching needs the model and Chroma; showing what there is does not."""
    build = "from tests.app import build; build('help_center')"
    subprocess.run([sys.executable, "-c", build], cwd=ROOT, env={**os.environ}, check=True, timeout=120)
    test_opening_a_page_imports_nothing_heavy("compare")
    assert any((home / "indexes").iterdir())
