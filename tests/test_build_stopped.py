"""Builds that are cancelled, killed, waiting for each other, or one too many."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from ir_core.build import build, current, plan
from ir_core.errors import Cancelled
from ir_core.index import folders
from ir_core.index.progress import Job
from ir_core.strategies import WholeText
from tests.fakes import HashEmbedder
from tests.test_build import documents


def test_cancelled_between_batches_and_resumed(home):
    before = build("notes", documents(3, words=4), WholeText(), HashEmbedder())
    cancel, embedder = threading.Event(), HashEmbedder()

    def stop(progress):
        if progress.stage == "Embedding" and progress.done >= 128:
            cancel.set()

    with pytest.raises(Cancelled, match="kept"):
        build("notes", documents(400), WholeText(), embedder, on_progress=stop, cancel=cancel)
    assert len(embedder.history) <= 3
    assert current("notes") is before
    assert list(folders.corpus_folder("notes").glob(".*")) == []
    done = len(embedder.texts)
    build("notes", documents(400), WholeText(), embedder)
    assert len(embedder.texts) == 400 == len(set(embedder.texts)) >= done


KILLED = textwrap.dedent(
    """
    import sys
    from ir_core.build import build
    from ir_core.strategies import WholeText
    from tests.fakes import HashEmbedder
    from tests.test_build import documents
    say = lambda one: print(one.stage, one.done, flush=True)
    build("notes", documents(2_000), WholeText(), HashEmbedder(delay=0.2), on_progress=say)
    """
)


def test_killed_while_embedding_the_old_index_remains_and_the_next_build_resumes(home):
    old = build("notes", documents(10), WholeText(), HashEmbedder())
    builder = subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True)
    for line in builder.stdout:
        if line.startswith("Embedding") and int(line.split()[1]) >= 192:
            break
    os.kill(builder.pid, signal.SIGKILL)
    assert builder.wait(30) == -signal.SIGKILL
    builder.stdout.close()
    folder = folders.corpus_folder("notes")
    assert len([path for path in folder.glob(".*") if path.is_dir()]) == 1  # half a build, unseen
    assert current("notes") is old
    embedder = HashEmbedder()
    planned = plan(documents(2_000), WholeText(), embedder, corpus_name="notes")
    assert planned.n_to_embed <= 2_000 - 192
    build("notes", documents(2_000), WholeText(), embedder)
    assert len(embedder.texts) == planned.n_to_embed
    assert list(folder.glob(".*")) == []
    assert current("notes").manifest.n_artifacts == 2_000


def test_builders_of_one_corpus_take_turns(home):
    embedder = HashEmbedder(delay=0.3)
    stages: list[str] = []
    first = threading.Thread(target=build, args=("notes", documents(200), WholeText(), embedder))
    first.start()
    while not embedder.history:
        time.sleep(0.01)
    index = build("notes", documents(200), WholeText(), embedder, on_progress=lambda one: stages.append(one.stage))
    first.join()
    assert any(stage.startswith("Waiting") for stage in stages)
    assert len(embedder.texts) == 200  # the second found the first one's
    assert current("notes") is index


def test_only_the_newest_builds_are_kept(home):
    embedder = HashEmbedder()
    made = [build("notes", documents(n), WholeText(), embedder).folder for n in (1, 2, 3)]
    build("notes", documents(1), WholeText(), embedder)  # current again, so newest
    newest = build("notes", documents(4), WholeText(), embedder).folder
    kept = {path for path in folders.corpus_folder("notes").iterdir() if path.is_dir()}
    assert {path.resolve() for path in kept} == {made[0], made[2], newest}


def test_a_build_that_is_only_looked_at_leaves_the_current_one(home):
    embedder = HashEmbedder()
    first = build("notes", documents(1), WholeText(), embedder, make_current=False)
    assert current("notes") is first, "there was none"
    others = [build("notes", documents(n), WholeText(), embedder, make_current=False) for n in (2, 3, 4)]
    assert current("notes") is first
    assert build("notes", documents(3), WholeText(), embedder, make_current=False).folder == others[1].folder
    assert len(embedder.texts) == 4
    last = build("notes", documents(5), WholeText(), embedder, make_current=False)
    kept = {path.resolve() for path in folders.builds_of(folders.corpus_folder("notes"))}
    assert kept == {first.folder, others[1].folder, last.folder}, "the current one and the last used"


def test_indexes_of_corpora_nobody_knows_are_bounded(home):
    embedder = HashEmbedder()
    for name in ("old", "held", "known", "a", "b"):
        build(name, documents(1), WholeText(), embedder)
    for name in ("old", "known", "a", "b"):
        folders.close_indexes(folders.corpus_folder(name))
    with folders.turn(folders.corpus_folder("a"), Job()):
        assert folders.forget_foreign(["known"], keep=1) == ["old"], "held is open, a is being built, b is the newest"
    assert folders.forget_foreign(["known"], keep=1) == ["a"]
    left = {path.name for path in (home / "indexes").iterdir()}
    assert {"known", "held", "b"} <= left
    assert not {"old", ".old.lock", "a", ".a.lock"} & left
