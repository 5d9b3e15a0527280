"""Files of a build that keep their length and lose their bytes: named, built again, and searched as before. Each is
searched in a process of its own, which native code that reads damaged bytes may end."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from ir_core import session
from ir_core.build import build, current, plan
from ir_core.errors import IndexProblem
from ir_core.index import Manifest, close_indexes, dense, open_index
from ir_core.strategies import WholeText
from tests.app import open_app, press, shown
from tests.fakes import HashEmbedder
from tests.test_build import documents

N = 120
SEARCH = textwrap.dedent(
    """
    import json, logging, sys
    from pathlib import Path
    from ir_core import build as builds
    from ir_core.errors import IndexProblem
    from ir_core.index import close_indexes
    from ir_core.strategies import WholeText
    from tests.fakes import HashEmbedder
    from tests.test_build import documents
    said = []
    logging.lastResort.emit = lambda record: said.append(record.getMessage())  # what would go to standard error
    given = documents(120)
    for home in map(Path, sys.argv[1:]):
        said.clear()
        named = ""
        try:
            index = builds.current("notes", home)
            index.dense(index.vectors([5]), 3)
        except IndexProblem as error:
            named = str(error)
        embedder = HashEmbedder()
        planned = builds.plan(given, WholeText(), embedder, corpus_name="notes", home=home)
        index = builds.build("notes", given, WholeText(), embedder, home=home)
        found = [rows.tolist() for rows, _ in index.dense(index.vectors(range(20)), 5)]
        found += [rows.tolist() for rows, _ in index.lexical([{f"word{n}x1": 1.0} for n in range(20)], 5)]
        texts = [(surface.id, surface.text) for surface in index.surfaces]
        close_indexes(index.folder)
        answers = [found, texts, index.titles]
        print(json.dumps([named, planned.is_current, len(embedder.texts), answers, said]), flush=True)
    """
)
DAMAGES = {
    "random": lambda n: np.random.default_rng(3).bytes(n),
    "0xff": lambda n: b"\xff" * n,
    "zeros": lambda n: bytes(n),
}
FILES = (
    "manifest.json", "surfaces.jsonl", "rows.npz", "names.json", "vectors.npy", "lexical/collection.npy",
    "lexical/rows.npy", "lexical/starts.npy", "lexical/weights.npy", "lexical/vocabulary.json",
    "chroma/chroma.sqlite3", "chroma/*/data_level0.bin", "chroma/*/header.bin", "chroma/*/length.bin",
    "chroma/*/link_lists.bin", "chroma/*/index_metadata.pickle", "../current",
)  # fmt: skip
REWRITTEN = ("chroma/chroma.sqlite3",)
"""By Chroma, whenever it opens a folder; so its bytes are not checked, and what is not read may be damaged unseen."""


def made(home: Path) -> Path:
    folder = build("notes", documents(N), WholeText(), HashEmbedder(), home=home).folder
    close_indexes(folder)
    return folder


def searched(*homes: Path) -> list[list]:
    """What each home's index says and finds, one after the other in one process."""
    command = [sys.executable, "-c", SEARCH, *map(str, homes)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, (done.returncode, [*homes, None][len(found)], done.stderr)
    return found


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    home = tmp_path_factory.mktemp("sound")
    folder = made(home)
    [(_, is_current, embedded, answers, said)] = searched(home)
    assert (is_current, embedded, said) == (True, 0, [])
    held = {path.name for path in folder.rglob("*") if path.is_file()}
    assert held == {Path(name).name for name in FILES} - {"current"}, "every file of a build is damaged below"
    return home, answers


def damage(path: Path, kind: str, place: str) -> bool:
    """Gives up to 1,536 bytes of the file other values; False where they had them."""
    before = path.read_bytes()
    n = min(1_536, len(before))
    start = {"start": 0, "middle": (len(before) - n) // 2, "end": len(before) - n}[place]
    after = before[:start] + DAMAGES[kind](n) + before[start + n :]
    path.write_bytes(after)
    return after != before


@pytest.mark.parametrize("file", FILES)
def test_bytes_that_changed_are_named_and_built_again(sound, tmp_path, file):
    homes = []
    for kind in DAMAGES:
        for place in ("start", "middle", "end"):
            home = tmp_path / f"{kind} {place}"
            shutil.copytree(sound[0], home)
            [folder] = (home / "indexes").glob("*/*/")
            [path] = [folder / file] if ".." in file else folder.glob(file)
            if damage(path, kind, place):
                homes.append(home)
    assert homes
    first = searched(*homes)
    for home, (named, is_current, embedded, answers, said) in zip(homes, first, strict=True):
        assert (answers, embedded) == (sound[1], 0), home
        if file in REWRITTEN and is_current:
            assert (named, said) == ("", []), "nothing that is read was damaged"
        else:
            assert not is_current, home
            assert "Build the index again" in named, home
            assert re.search("built again now|which index is searched", " ".join(said)), home
    [(named, is_current, _, answers, said)] = searched(homes[-1])
    assert (named, is_current, answers, said) == ("", True, sound[1], [])


def test_normal_use_changes_no_checked_file(home):
    folder = made(home)
    sums = Manifest.read(folder).sums
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(sums) == held - {"manifest.json", *REWRITTEN}
    files = {name: (folder / name).stat() for name in sums}
    for _ in range(2):
        index = current("notes")
        index.dense(index.vectors(range(30)), 20)
        index.lexical([{"word8x1": 1}], 5)
        searched(home)  # another process, while it is open here
        close_indexes(folder)
    after = {name: (folder / name).stat() for name in sums}
    assert {name: (one.st_ino, one.st_mtime_ns, one.st_size) for name, one in after.items()} == {
        name: (one.st_ino, one.st_mtime_ns, one.st_size) for name, one in files.items()
    }
    assert current("notes") is open_index(folder)


@pytest.mark.parametrize("n", [1, 2, 3, 101, 1_001])
def test_a_build_of_any_size_is_opened_and_searched_twice(home, n):
    for _ in range(2):
        index = build("notes", documents(n), WholeText(), HashEmbedder())
        assert index.dense(index.vectors([0]), 1)[0][0].tolist() == [0]
        close_indexes(index.folder)
        assert plan(documents(n), WholeText(), HashEmbedder(), corpus_name="notes").is_current


def test_what_is_damaged_while_it_is_open_is_named_at_the_next_search(home):
    folder = made(home)
    index = current("notes")
    index.dense(index.vectors([0]), 1)
    damage(next(folder.glob("chroma/*/data_level0.bin")), "random", "middle")
    with pytest.raises(IndexProblem, match=r"damaged \(.*data_level0.bin does not hold.*Build the index again"):
        current("notes")
    again = build("notes", documents(N), WholeText(), HashEmbedder())
    assert again.dense(again.vectors([7]), 1)[0][0].tolist() == [7]
    assert current("notes") is again


def test_a_build_that_has_no_checksums_opens(home):
    folder = made(home)
    facts = json.loads((folder / "manifest.json").read_text("utf-8"))
    del facts["sums"]
    (folder / "manifest.json").write_text(json.dumps(facts), "utf-8")
    index = build("notes", documents(N), WholeText(), HashEmbedder())
    assert index.manifest.sums == {}
    assert index.dense(index.vectors([7]), 1)[0][0].tolist() == [7]


def test_a_graph_that_no_search_reads_is_not_checked(home, monkeypatch):
    folder = made(home)
    monkeypatch.setattr(dense, "MANY", N)
    damage(next(folder.glob("chroma/*/data_level0.bin")), "random", "start")
    index = current("notes")
    assert index.dense(index.vectors([7]), 1)[0][0].tolist() == [7]


@pytest.mark.parametrize("file", ["surfaces.jsonl", "chroma/*/data_level0.bin"])
def test_the_corpus_page_says_what_is_damaged_and_builds_it_again(home, file):
    folder = session.prepare("help_center", embedder="hashing").build().folder
    close_indexes(folder)
    assert "The index is up to date" in shown(open_app(page="corpus"))
    damage(next(folder.glob(file)), "zeros", "middle")
    app = open_app(page="corpus")
    assert "does not hold what was written to it" in shown(app)
    assert "up to date" not in shown(app)
    assert app.button(key="build_it").label == "Build the index again"
    assert "The index is up to date" in shown(press(app, "build_it"))
