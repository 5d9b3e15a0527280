"""Every store, its file cut in half, overwritten or emptied: it is named, what it held is made again or left out, and
nothing else changes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from ir_core import library, session
from ir_core.errors import QueryPrismError
from ir_core.evaluation import evaluation_of
from ir_core.jobs import JobStore, run
from ir_core.library.sets.kept import add_query_set
from ir_core.router import own_labels, save_label
from tests import evaluation_jobs, fire_home
from tests.app import open_app, shown
from tests.fire_home import SAMPLE, STORES

DAMAGES = {
    "half": lambda data: data[: len(data) // 2].rstrip(b"\n"),  # never between two lines
    "garbage": lambda data: b"\x93not \xff what it was\n" * 7,
    "empty": lambda data: b"",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(folder))
        fire_home.fill()
    return folder


@pytest.fixture
def full(sound: Path, home: Path):
    """A copy of the home in which everything is, for this test alone."""
    shutil.copytree(sound, home, dirs_exist_ok=True)
    yield home
    fire_home.close()


def damage(home: Path, pattern: str, kind: str) -> None:
    found = list(home.glob(pattern))
    assert found, pattern
    for path in found:
        path.write_bytes(DAMAGES[kind](path.read_bytes()))


def others(home: Path, pattern: str) -> dict[str, bytes]:
    """What is in all other files but databases, which change as they are read."""
    left = set(home.rglob("*")) - set(home.glob(pattern))
    kept = [path for path in left if path.is_file() and ".sqlite" not in path.name and path.suffix != ".lock"]
    return {str(path.relative_to(home)): path.read_bytes() for path in kept}


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("name", STORES)
def test_a_damaged_file_is_named_and_costs_nothing_else(full, caplog, name, kind):
    store = STORES[name]
    damage(full, store.files, kind)
    before = others(full, store.files)
    try:
        store.read()
        said = caplog.text
    except QueryPrismError as error:
        said = f"{error}\n{caplog.text}"
    assert kind in store.silent or re.search(store.said, said), said
    assert others(full, store.files) == before


@pytest.mark.parametrize("name", [name for name in STORES if name.startswith("index")])
def test_an_index_is_built_again_of_what_is_kept(full, name, monkeypatch):
    before = fire_home.answers()
    fire_home.close()
    damage(full, STORES[name].files, "garbage")
    monkeypatch.setattr("ir_core.embedders.hashing._features", None)  # nothing is embedded again
    session.prepare(SAMPLE, embedder="hashing").build()
    monkeypatch.undo()
    monkeypatch.setenv("QUERY_PRISM_HOME", str(full))
    assert fire_home.answers() == before


@pytest.mark.parametrize(
    ("file", "kind"),
    [("state.json", "garbage"), ("texts.jsonl", "half"), ("results.jsonl", "garbage"), ("seconds.jsonl", "empty")],
)
def test_a_paused_run_with_a_damaged_file_goes_on_to_the_same_figures(full, file, kind):
    [job] = JobStore().jobs()
    before = [(row.scores, row.retrieved) for column in evaluation_of(job, "hybrid").columns for row in column.rows]
    damage(full, f"jobs/*/{file}", kind)
    (job.folder / "state.json").unlink()
    assert run(job, evaluation_jobs.work()).status == "finished"
    after = [(row.scores, row.retrieved) for column in evaluation_of(job, "hybrid").columns for row in column.rows]
    assert after == before


def test_what_is_saved_next_takes_no_damaged_files_place(full):
    damage(full, "labels/*.json", "half")
    save_label(SAMPLE, "another", "broad")
    assert [one.text for one in own_labels(SAMPLE)] == ["another"]
    assert "zebra 0" in (full / "labels" / "help-center.damaged").read_text("utf-8")
    damage(full, "query_sets/*/mine/set.json", "empty")
    queries = (full / "query_sets" / "help-center" / "mine" / "queries.jsonl").read_bytes()
    judged = library.corpus(SAMPLE)
    assert add_query_set(SAMPLE, "Mine", judged.queries()[:1], {}).name == "mine-2"
    assert (full / "query_sets" / "help-center" / "mine" / "queries.jsonl").read_bytes() == queries


def test_a_recording_whose_last_line_was_torn_off_goes_on_and_replays(tmp_path):
    file = tmp_path / "one.jsonl"
    fire_home.record(file, 3)
    file.write_bytes(file.read_bytes()[:-40])
    fire_home.record(file, 1)
    assert [entry.query for entry in fire_home.read_recording(file)] == ["query 0", "query 1", "query 0"]


@pytest.mark.parametrize("kind", ["half", "garbage"])
def test_with_everything_damaged_every_page_opens(full, kind):
    for store in STORES.values():
        damage(full, store.files, kind)
    for page in ("compare", "router", "evaluate", "corpus"):
        told = shown(open_app(f"corpus={SAMPLE}" if page == "compare" else "", page=page))
        assert told
        if page == "compare":
            assert "Build the index again" in told
