"""What can be imported from the package, at what cost, and that the README's lines run."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ir_core
from ir_core import api
from tests.test_architecture import HEAVY

ROOT = Path(__file__).parent.parent
PUBLIC = {
    module.name: importlib.import_module(f"ir_core.api.{module.name}")
    for module in pkgutil.iter_modules(api.__path__)
    if not module.name.startswith("_")
}


def test_every_public_name_of_the_api_is_exported_and_nothing_else():
    spread = {"corpora", "formulators", "searching", "strategies", "transformers"}
    names = {name for module in spread for name in PUBLIC[module].__all__} - {"DEFAULT_CORPUS"}
    assert set(api.__all__) == names | {"course", "lecture"}
    assert set(PUBLIC) == spread | {"course", "lecture"}
    assert ir_core.__all__ == api.__all__
    assert len(api.__all__) == len(set(api.__all__))


def test_every_exported_name_is_the_one_of_its_module():
    for name in ir_core.__all__:
        home = PUBLIC[api._MODULE_OF[name]]
        assert getattr(ir_core, name) is (home if name in PUBLIC else getattr(home, name))
    assert set(ir_core.__all__) <= set(dir(ir_core))


def test_a_name_there_is_not_is_an_attribute_error_and_packages_stay_importable():
    assert not hasattr(ir_core, "route_everything")
    from ir_core import strategies

    assert strategies.__name__ == "ir_core.strategies"


def test_importing_costs_nothing_heavy():
    code = (
        "import sys, ir_core\n"
        "assert {m for m in sys.modules if m.startswith('ir_core')} == {'ir_core', 'ir_core.api'}\n"
        "assert 'numpy' not in sys.modules\n"
        "[getattr(ir_core, name) for name in ir_core.__all__]\n"
        "ir_core.create_query_transformer('hyde', 'openai/some-model')\n"
        "ir_core.make_llm_formulator()\n"
        f"print(sorted(set(sys.modules) & {HEAVY!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
def test_the_lines_of_the_readme_run(llm_server, monkeypatch, capsys):
    """Against a real server; the embedder alone is swapped, to save its half minute."""
    monkeypatch.setenv("OPENAI_API_BASE", llm_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    section = (ROOT / "README.md").read_text("utf-8").split("## From Python")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found
    opening = 'open_corpus("help_center")'
    assert opening in found.group(1)
    names: dict = {}
    exec(found.group(1).replace(opening, 'open_corpus("help_center", embedder="hashing")'), names)
    assert names["told"]["fallback_reason"] is None
    assert names["told"]["results"]
    assert names["found"].fallback_reason is None
    assert [text.split()[0] for text in names["found"].queries] == ["first", "second", "third"]
    assert "one text" in capsys.readouterr().out
    assert "We share folders." in llm_server.requests[0].text
    assert [request.body["temperature"] for request in llm_server.requests] == [0.3, 0.2]
