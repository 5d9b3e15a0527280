"""The contract every transform inherits, whoever writes."""

from __future__ import annotations

import threading

import pytest

from ir_core.errors import Cancelled, WriterError
from ir_core.retrieval import SearchSettings
from ir_core.retrieval.searching import search
from ir_core.transforms import TRANSFORMS
from tests.scripted import TASKS, ScriptedWriter
from tests.transforming import ASKED, QUERY, engine, run

NAMES = TRANSFORMS.names()
WRITING = [name for name in NAMES if TRANSFORMS.get(name).needs_writer]


def asked(name):
    return ASKED.get(name, QUERY)


@pytest.mark.parametrize("name", NAMES)
def test_describes_itself(name):
    member = TRANSFORMS.get(name)
    assert member.label
    assert member.summary.endswith(".")
    assert member.reference or not member.needs_writer


@pytest.mark.parametrize("name", NAMES)
def test_records_the_original_and_never_a_blank_or_twice_the_same_id(name):
    made = run(name)
    assert made.original.text == asked(name)
    assert made.transform == name
    assert made.queries
    assert all(query.text.strip() and query.weight > 0 and query.legs for query in made.queries)
    ids = [query.id for query in made.queries]
    assert len(set(ids)) == len(ids)
    assert made.seconds > 0
    assert bool(made.calls) == TRANSFORMS.get(name).needs_writer
    assert not made.fallback_reason


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize(
    "answer",
    [WriterError("The server said no."), [], ["", "  \n"], ValueError("a bug"), RuntimeError("key sk-secret")],
    ids=["refuses", "nothing", "blanks", "bug", "leaky bug"],
)
def test_a_writer_that_fails_leaves_the_original_and_says_so(name, answer):
    made = run(name, ScriptedWriter(dict.fromkeys(TASKS, answer)))
    assert [query.text for query in made.queries] == [asked(name)]
    assert made.fallback_reason
    assert "sk-secret" not in made.fallback_reason


@pytest.mark.parametrize("name", WRITING)
def test_an_unsupported_task_is_said_plainly(name):
    made = run(name, ScriptedWriter(tasks=frozenset()))
    assert made.fallback_reason.startswith("The writer 'scripted' cannot do ")
    assert made.calls == ()
    assert [query.text for query in made.queries] == [asked(name)]


@pytest.mark.parametrize("name", WRITING)
def test_an_echo_is_not_searched_twice(name):
    made = run(name, ScriptedWriter({task: [asked(name).upper() + "?"] for task in TASKS}))
    assert [query.text for query in made.queries] == [asked(name)]


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("answer", [["word " * 10_000] * 3, ["مرحبا", "كيف الحال"]], ids=["very long", "Arabic"])
def test_whatever_is_written_can_be_searched_and_its_shares_add_up(name, answer):
    made = run(name, ScriptedWriter(dict.fromkeys(TASKS, answer)))
    settings = SearchSettings(k=3)
    found = search(engine(), made, settings)
    assert len(found.fused.hits) == settings.k
    assert all(len(one.hits) <= settings.read_depth for one in found.rankings)
    for hit in (*found.fused.hits, *found.below):
        assert sum(part.share for part in hit.contributions) == pytest.approx(hit.score, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_cancelled_run_asks_nobody(name):
    writer, cancel = ScriptedWriter(), threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        run(name, writer, cancel=cancel)
    assert writer.asked == []


@pytest.mark.parametrize("name", WRITING)
def test_history_reaches_the_writer(name):
    writer = ScriptedWriter()
    run(name, writer, history=[{"role": "user", "content": "hello"}])
    assert writer.asked[0].history == ({"role": "user", "content": "hello"},)


@pytest.mark.parametrize("name", NAMES)
def test_the_history_was_seen_only_by_a_writer_that_reads_it(name):
    turns = [{"role": "user", "content": "hello"}]
    assert run(name, history=turns).saw_history is (TRANSFORMS.get(name).needs_writer or name == "joined_turns")
    assert not run(name, history=()).saw_history
    assert run(name, ScriptedWriter(reads_history=False), history=turns).saw_history is (name == "joined_turns")
