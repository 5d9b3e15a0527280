"""Several indexes and writers in one run: one job, one purse, one progress; what one part lacks costs no other."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from dataclasses import replace

import pytest

from ir_core import library, session
from ir_core.errors import BadInput, BadSetting, WriterError
from ir_core.evaluation import (
    Part,
    Plan,
    WriterPlan,
    again,
    create,
    evaluation_of,
    open_index_of,
    part_states,
    work_of,
)
from ir_core.evaluation.job import queries_of
from ir_core.index.folders import corpus_folder
from ir_core.jobs import JobStore, run
from ir_core.writers import open_writer
from tests.evaluation_jobs import CORPUS, figures, job, plan, work
from tests.scripted import GOOD, ScriptedWriter

ANSWERS = dict.fromkeys(GOOD, lambda task: [f"{task.name} {n} of {task.query}" for n in range(task.n)])
PLAIN, LOUD = WriterPlan("plain", "Plain"), WriterPlan("loud", "Loud")


def chunked() -> str:
    """A second build of the corpus; the current one stays."""
    made = session.prepare(CORPUS, embedder="hashing", strategy={"name": "chunked", "params": {"chunk_size": 300}})
    return made.build(make_current=False).manifest.fingerprint


def several(*writers, **options) -> Plan:
    made = plan(**options)
    return made.crossed([(made.index, "Whole text"), (chunked(), "Chunks")], writers or (PLAIN,))


def with_writers(**writers):
    """Work that opens these in place of the plan's; an exception is raised."""

    def parts(made):
        writer = writers[made.writer.name]
        if isinstance(writer, Exception):
            raise writer
        return open_index_of(made), writer

    return work_of(parts)


def scripted(prefix=""):
    return ScriptedWriter({name: lambda task: [prefix + one for one in ANSWERS["hyde"](task)] for name in GOOD})


def test_every_index_with_every_writer_as_each_alone():
    made = several(PLAIN, LOUD, modes=("hybrid", "dense"), controls=("lexical",), timed_queries=2)
    names = ["Whole text · Plain", "Whole text · Loud", "Chunks · Plain", "Chunks · Loud"]
    assert [part.part_name for part in made.parts()] == names
    assert Plan.from_json(made.to_json()) == made
    one, plain, loud = job(made, n=9), scripted(), scripted("loud ")
    assert run(one, with_writers(plain=plain, loud=loud)).status == "finished"
    state = one.state()
    assert (state.done, state.total) == (36, 36)
    assert state.details["spent"]["calls"] == len(plain.asked) + len(loud.asked) == 72
    assert [(part.name, part.done, part.why) for part in part_states(one)] == [(name, 9, "") for name in names]
    for number, part in enumerate(made.parts()):
        alone = job(part, n=9)
        run(alone, with_writers(plain=scripted(), loud=scripted("loud ")))
        for mode in ("hybrid", "dense"):
            found, expected = evaluation_of(one, mode, number), evaluation_of(alone, mode)
            assert found.summary(found.columns[0]).n_timed == 2
            assert [_unclocked(column) for column in found.columns] == [_unclocked(c) for c in expected.columns]
    texts = [evaluation_of(one, "dense", number).columns[1].rows[0].queries[-1] for number in range(4)]
    assert [text.startswith("loud ") for text in texts] == [False, True, False, True]
    kinds = {
        evaluation_of(one, "dense", number).columns[0].rows[0].surface_ids[0].count("#chunk#") for number in (2, 3)
    }
    assert kinds == {1}
    with pytest.raises(BadInput, match="has no part 4"):
        evaluation_of(one, "dense", 4)


def _unclocked(column):
    return replace(column, rows=tuple(replace(row, latency_s=None) for row in column.rows))


def test_interrupted_in_any_part_nothing_is_asked_twice():
    class Stops(ScriptedWriter):
        def write(self, task, context):
            if len(self.asked) == self.at:
                self.cancel.set()
            return super().write(task, context)

    made, total = several(), Counter()
    whole, one = job(made), job(made)
    run(whole, work(ScriptedWriter(ANSWERS)))
    for stop in (5, 22, 3, -1):
        writer = Stops(ANSWERS)
        writer.at, writer.cancel = stop, threading.Event()
        end = run(one, work(writer), cancel=writer.cancel)
        total += Counter((task.name, task.query) for task in writer.asked)
    assert end.status == "finished"
    assert (set(total.values()), len(total)) == ({2}, 24), "once for each index"
    for number in range(2):
        assert evaluation_of(one, "hybrid", number).columns == evaluation_of(whole, "hybrid", number).columns


def test_one_cap_holds_for_all_parts():
    one = job(several(max_calls=30))
    end = run(one, work(ScriptedWriter(ANSWERS)))
    assert (end.status, end.why, end.details["spent"]["calls"]) == ("paused", "cap", 30)
    assert evaluation_of(one, "hybrid", 0).n == 12
    assert evaluation_of(one, "hybrid", 1).n < 12


def test_an_index_that_is_gone_costs_only_its_part():
    made = several()
    one = job(made)
    shutil.rmtree(corpus_folder(CORPUS) / made.also[0].index)
    end = run(one, work(ScriptedWriter(ANSWERS)))
    assert (end.status, end.done) == ("finished", 12)
    lost = part_states(one)[1]
    assert (lost.done, "is gone" in lost.why) == (0, True)
    assert (evaluation_of(one, "hybrid", 0).n, evaluation_of(one, "hybrid", 1).n) == (12, 0)
    assert figures(one, "hybrid")["transforms"] == figures_of(replace(made, also=()))


def figures_of(made):
    alone = job(made)
    run(alone, work(ScriptedWriter(ANSWERS)))
    return figures(alone)["transforms"]


def test_a_writer_that_fails_costs_only_its_parts_and_is_not_tried_with_every_index():
    made = several(LOUD, PLAIN)
    one, broken = job(made), ScriptedWriter(dict.fromkeys(GOOD, WriterError("no such key")))
    end = run(one, with_writers(loud=broken, plain=ScriptedWriter(ANSWERS)))
    assert (end.status, end.why) == ("paused", "writer")
    assert "2 of 4 parts are not whole (Whole text · Loud; Chunks · Loud)" in end.sentence
    assert "no such key" in end.sentence
    assert len(broken.asked) < 24
    assert [evaluation_of(one, "hybrid", number).n for number in range(4)] == [0, 12, 0, 12]
    assert [bool(part.why) for part in part_states(one)] == [True, False, True, False]
    sound, silent = scripted("loud "), scripted()
    assert run(one, with_writers(loud=sound, plain=silent)).status == "finished"
    assert (len(sound.asked), silent.asked) == (48, []), "what was whole was not opened again"
    assert [part.why for part in part_states(one)] == [""] * 4


def test_a_key_that_is_missing_is_asked_for_by_name():
    keyed = replace(LOUD, needs_key=True)
    made = several(keyed, PLAIN)
    assert (made.needs_key, job(made, n=2).needs_key) == (True, True)
    assert not several(PLAIN).needs_key
    here = WriterPlan("openai/one", "One", "http://models.example/v1", needs_key=True)
    both = several(
        here, replace(here, name="openai/two", label="Two"), WriterPlan("acme/three", needs_key=True), PLAIN
    )
    assert both.key_places == {"models.example": "One, Two", "acme": "acme/three"}
    one = job(made, n=2)
    end = run(one, with_writers(loud=BadSetting("Type the key again."), plain=ScriptedWriter(ANSWERS)))
    assert (end.status, end.why) == ("paused", "writer")
    assert "Type the key again." in end.sentence
    assert [evaluation_of(one, "hybrid", number).n for number in range(4)] == [0, 2, 0, 2]
    run(one, with_writers(loud=ScriptedWriter(ANSWERS), plain=ScriptedWriter(ANSWERS)))
    other = again(one, replace(made, modes=("lexical",)), store=JobStore())
    assert not other.needs_key, "every text is there"
    assert run(other, with_writers(loud=scripted(), plain=scripted())).status == "finished"
    assert [evaluation_of(other, "lexical", number).n for number in range(4)] == [2] * 4


def test_what_each_index_lacks_is_named_with_it():
    made, corpus = several(), library.corpus(CORPUS)
    held = {part.index: set(open_index_of(part).index.artifact_ids) for part in made.parts()}
    asked = [query for query in corpus.queries() if query.id in corpus.qrels()][:4]
    gold = sorted({doc for query in asked for doc, grade in corpus.qrels()[query.id].items() if grade > 0})
    held[made.also[0].index] -= {gold[0]}
    one = create(made, asked, corpus.qrels(), title="t", store=JobStore(), held=held)
    run(one, work(open_writer("corpus", index=open_index_of(made).index)))
    assert [evaluation_of(one, "hybrid", number).missing_gold for number in (0, 1)] == [(), (gold[0],)]


def test_a_filter_and_kinds_hold_for_every_search():
    made = plan(modes=("lexical",), filter={"doc_type": "faq"}, surfaces=("full_text",))
    index = open_index_of(made).index
    field = next(iter(index.manifest.fields))
    value = index.fields[0][field]
    kind = next(iter(index.manifest.kinds))
    made = replace(made, filter={field: value}, surfaces=(kind,))
    assert Plan.from_json(made.to_json()) == made
    one = job(made)
    assert run(one, work(ScriptedWriter(ANSWERS))).status == "finished"
    inside = {name for name, own in zip(index.artifact_ids, index.fields, strict=True) if own.get(field) == value}
    found = {name for row in evaluation_of(one, "lexical").columns[2].rows for name in row.retrieved}
    assert found
    assert found <= inside < set(index.artifact_ids)
    for wrong in (replace(made, filter={"colour": "red"}), replace(made, surfaces=("chorus",))):
        end = run(job(wrong), work(ScriptedWriter(ANSWERS)))
        assert (end.status, end.done) == ("failed", 0)
        assert field in end.sentence or kind in end.sentence, "it says what there is"


def test_a_plan_of_an_older_release_has_one_part():
    made = plan()
    old = {
        name: value for name, value in made.to_json().items() if name not in {"also", "strategy", "samples", "filter"}
    }
    assert Plan.from_json(old).parts() == [replace(made, samples=3)]
    assert len(queries_of(job(made, n=3))) == 3
    with pytest.raises(BadInput, match="an index and a writer"):
        made.crossed([], [PLAIN])
    with pytest.raises(BadSetting, match="1 or more"):
        plan(samples=0)
    assert Part("x") == Part("x", "", WriterPlan())
