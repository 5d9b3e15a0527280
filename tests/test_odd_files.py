"""A folder of far over sixty odd files: each one loads, or is named with a reason that a person can read."""

from __future__ import annotations

import time
import unicodedata

import pytest
import regex

from ir_core.loaders import Loaded, load
from tests.made_files_odd import LITTER, odd_folder

pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name")  # zipfile, while two files of one name are made
SECONDS = 60
"""It takes about five; a loader that loops or backtracks takes for ever."""


@pytest.fixture(scope="module")
def odd(tmp_path_factory) -> tuple[list[str], Loaded]:
    folder = tmp_path_factory.mktemp("odd")
    names = odd_folder(folder)
    started = time.monotonic()
    loaded = load(folder)
    assert time.monotonic() - started < SECONDS
    return names, loaded


def shown(name: str) -> str:
    """As a loader shows it: one line, composed."""
    return regex.sub(r"[\x00-\x1f]+", " ", unicodedata.normalize("NFC", name)).strip()


def test_every_odd_file_loads_or_is_named(odd):
    names, loaded = odd
    assert len(names) >= 60
    gave = {item.source for item in loaded.artifacts}
    told = {problem.name for problem in loaded.problems}
    hidden = [f"{problem.name}, {problem.reason}" for problem in loaded.problems if "is hidden" in problem.reason]

    def is_told_of(name: str) -> bool:
        return any(one == name or one.startswith((f"{name}/", f"{name}~")) for one in gave | told) or any(
            name.partition("/")[0] in listed for listed in hidden
        )

    assert [name for name in map(shown, names) if not is_told_of(name)] == []
    assert not LITTER & (gave | told)


def test_reasons_are_for_people(odd):
    _, loaded = odd
    for problem in loaded.problems:
        said = f"{problem.name}: {problem.reason}"
        assert 10 < len(problem.reason) < 500, said
        assert "\n" not in said
        assert not regex.search(
            r"Traceback|File \"|Error\b|Exception|0x[0-9a-f]{6}|object at|NoneType|ir_core", said
        ), said


def test_nothing_dangerous_came_in(odd):
    _, loaded = odd
    texts = {item.source: str(item.raw) for item in loaded.artifacts}
    everything = "\n".join(texts.values())
    assert "root:" not in everything, "an entity was resolved"
    assert "secret" not in everything
    assert "hidden too" not in everything
    assert texts["entities.xml"] == "before &x; after"
    for item in loaded.artifacts:
        assert "\x00" not in str(item.raw)
        str(item.raw).encode("utf-8")
        item.id.encode("utf-8")


def test_what_is_odd_and_readable_is_read(odd):
    _, loaded = odd
    texts = {item.source: str(item.raw) for item in loaded.artifacts}
    for name in ("utf16-marked.txt", "cp1256.txt", "rtl.md"):
        assert "ذهب الولد إلى المدرسة" in texts[name], name
    for name in ("shift-jis.txt", "iso-2022-jp.txt"):
        assert "京都の古い寺院" in texts[name], name
    for name in ("utf16-le-unmarked.txt", "latin-1.txt", "half-and-half.txt"):
        assert "été dernier, les élèves" in texts[name], name
    assert "'text': 'Un été à la mer'" in texts["utf16-be-unmarked.csv"]
    assert "Déjà vu" in texts["lies.html"]
    assert "déjà vu à côté" in texts["lies.xml"]
    assert "After an empty title" in texts["xhtml.xhtml"]
    assert len(texts["ten-megabytes.txt"]) == 10_000_000
    assert texts["scripts.txt"].startswith("English, עברית, العربية, 日本語 and emoji 👩‍💻")
    assert {"same.txt", "SAME.txt", "CON", "a.", "no-ending", "caf\ufffd.txt"} <= texts.keys()
    assert "röst.txt" in texts
    assert "röst~2.txt" in texts
    assert {"four-deep.zip/at3.txt", "four-deep.zip/level3.zip/at2.txt"} <= texts.keys()
