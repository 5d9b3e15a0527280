"""What is whose on a shared server: nobody lists, reads or changes what is another visit's, but by its whole name."""

from __future__ import annotations

import os
import re
import threading
import time

import pytest

from ir_core import config, library, visits
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.jobs import JobStore
from ir_core.library import own, own_scene, own_scenes, save_scene
from ir_core.library.scenes import Scene
from ir_core.router import own_labels, own_tables, published, save_label, save_table
from ir_core.writers._llm_slots import Slots

ANNA, BERT = "a" * 24, "b" * 24
FILES = [("note.txt", b"The zebra lives behind the shed.")]
SCENE = Scene(id="", corpus="help_center", title="Mine", query="zebra", technique=None, outcome=None)


def kept() -> tuple[set[str], set[str], set[str], set[str], set[str]]:
    """All that is listed: corpora, jobs, scenes, tables and labels."""
    return (
        {info.name for info in library.corpora() if info.kind != "sample"},
        {job.id for job in JobStore().jobs()},
        {scene.id for scene in own_scenes()},
        set(own_tables()),
        {one.text for one in own_labels("help_center")},
    )


def everything_made() -> tuple[str, str, str]:
    corpus = library.add_upload("Zebra papers", FILES).name
    job = JobStore().create("test", {}, title="a run").id
    save_table(published()["ours"], "mine")
    save_label("help_center", "zebra", "broad")
    return corpus, job, save_scene(SCENE).id


def test_a_visit_lists_what_is_its_own_and_what_is_everybodys():
    everybodys = library.add_upload("Shared papers", FILES).name
    with visits.entered(ANNA):
        corpus, job, scene = everything_made()
        annas = kept()
        assert annas == ({corpus, everybodys}, {job}, {scene}, {"mine"}, {"zebra"})
    with visits.entered(BERT):
        assert kept() == ({everybodys}, set(), set(), set(), set())
    assert kept() == ({everybodys}, set(), set(), set(), set()), "nor does who runs the server, by accident"
    with visits.entered(ANNA):
        assert kept() == annas


def test_a_link_opens_it_to_read_and_a_guess_opens_nothing():
    with visits.entered(ANNA):
        corpus, job, scene = everything_made()
    for name in (corpus, job, scene):
        assert re.search(r"[0-9a-f]{16}", name), "64 random bits, which nobody guesses"
    with visits.entered(BERT):
        assert library.corpus(corpus, paths=False).load().artifacts
        assert library.linked(corpus).title == "Zebra papers"
        assert JobStore().get(job).title == "a run"
        assert own_scene(scene).query == "zebra"
        for act in (library.delete, lambda name: library.rename(name, "Ours")):
            with pytest.raises(UnknownName) as told:
                act(corpus)
            assert "zebra-papers" not in str(told.value).replace(corpus, ""), "no error names what is not listed"
        for act in (JobStore().cancel, JobStore().delete):
            with pytest.raises(BadInput, match="somebody else"):
                act(JobStore().get(job))
        with pytest.raises(BadInput, match="somebody else"):
            library.delete_scene(scene)
        for guess in ("zebra-papers", f"{corpus[:-1]}?", "*", f"../{ANNA}/corpora/{corpus}", corpus[:-2] + "*"):
            assert library.linked(guess) is None
            with pytest.raises(UnknownName):
                library.corpus(guess, paths=False)
        for guess in (job[:-1] + "*", "*", f"../../{ANNA}/jobs/{job}", "0" * len(job)):
            with pytest.raises(BadInput):
                JobStore().get(guess)
        assert own_scene(scene[:-1] + "*") is None
    with visits.entered(ANNA):
        library.delete(corpus)
        assert library.linked(corpus) is None


def test_what_everybody_reads_nobody_changes():
    shared = library.add_upload("Shared papers", FILES).name
    with visits.entered(ANNA):
        assert not own.may_change(shared)
        assert not own.may_change("help_center")
        with pytest.raises(UnknownName):
            library.delete(shared)
    assert own.may_change(shared)
    library.delete(shared)


def test_a_visit_has_limits_and_another_is_not_bound_by_them(monkeypatch):
    monkeypatch.setattr(own, "MOST_OF_A_VISIT", 1)
    with visits.entered(ANNA):
        library.add_upload("One", FILES)
        with pytest.raises(BadSource, match="A visit may keep 1"):
            library.add_upload("Two", FILES)
    with visits.entered(BERT):
        monkeypatch.setattr(own, "MAX_VISIT_BYTES", 10)
        with pytest.raises(BadSource, match="Delete a corpus"):
            library.add_upload("Too large", FILES)


def test_visits_nobody_came_back_to_are_swept_and_those_beyond_the_bound(monkeypatch):
    now, gone = time.time(), []
    for number in range(5):
        folder = config.home() / "visits" / f"{number:024d}"
        folder.mkdir(parents=True)
        if number != 4:  # who only looked around goes before who kept something, however long ago
            (folder / "corpora").mkdir()
        age = 40 * 24 * 3600 if number == 0 else 100 - number
        os.utime(folder, (now - age, now - age))
    monkeypatch.setattr(visits, "MOST", 2)
    visits.sweep(lambda folder: gone.append(int(folder.name)))
    assert gone == [0, 4, 1]
    assert {int(folder.name) for folder in (config.home() / "visits").iterdir()} == {2, 3}


@pytest.mark.parametrize("name", ["", "x", "../../etc", "A" * 24, "a" * 25])
def test_what_names_no_visit_is_refused(name):
    with pytest.raises(BadInput), visits.entered(name):
        pass


def test_threads_of_a_pool_work_for_the_visit_that_makes_it():
    from concurrent.futures import ThreadPoolExecutor

    with visits.entered(ANNA), ThreadPoolExecutor(1, initializer=visits.carried()) as pool:
        assert pool.submit(visits.owner).result() == ANNA
    assert visits.owner() is None


def test_visits_take_turns_at_a_slot_and_within_one_the_first_is_first():
    slots, order, never = Slots(1), [], threading.Event()

    def ask(who: str, name: str) -> None:
        with visits.entered(who), slots.one(never):
            order.append(name)

    threads = []
    with slots.one(never):
        for who, name in ((ANNA, "a1"), (ANNA, "a2"), (ANNA, "a3"), (BERT, "b1")):
            threads.append(threading.Thread(target=ask, args=(who, name)))
            threads[-1].start()
            while slots.waiting < len(threads):
                time.sleep(0.001)
    for thread in threads:
        thread.join(60)
    assert order == ["a1", "b1", "a2", "a3"]
    assert slots.waiting == 0
