"""One query through every transform: order, time, cancellation and failure."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from ir_core.compare import DEFAULT_TRANSFORMS, chosen, compare, compare_all, with_joined_turns
from ir_core.errors import BadFilter, BadQuery, BadSetting, UnknownName, WriterError
from ir_core.retrieval import SearchSettings
from tests.scripted import GOOD, ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]


def events_of(engine, writer, **options):  # noqa: F811
    return list(
        compare(engine, "reset my password", transforms=SIX, writer=writer, settings=SearchSettings(), **options)
    )


def test_every_column_starts_is_written_and_ranked_then_all_is_finished(engine):  # noqa: F811
    events = events_of(engine, ScriptedWriter())
    assert events[-1].kind == "finished"
    for slot, name in enumerate(DEFAULT_TRANSFORMS):
        own = [event for event in events if event.slot == slot]
        assert [event.kind for event in own] == ["started", "written", "ranked"]
        assert {event.transform for event in own} == {name}
        assert own[-1].result.formulation is own[-1].formulation
    assert [event.seconds for event in events] == sorted(event.seconds for event in events)


def test_all_have_the_same_k_and_the_original_comes_first(engine):  # noqa: F811
    results = compare_all(
        engine, "reset my password", transforms=[("hyde", {}), ("rewrite", {})], writer=ScriptedWriter(),
        settings=SearchSettings(k=4),
    )  # fmt: skip
    assert [result.formulation.transform for result in results] == ["identity", "hyde", "rewrite"]
    assert {len(result.fused.hits) for result in results} == {4}


def test_chains_run_at_the_same_time(engine):  # noqa: F811
    """No first call comes back before all five have left."""
    together, calls = threading.Barrier(5), itertools.count()

    class Waits(ScriptedWriter):
        def write(self, task, context):
            if next(calls) < 5:
                together.wait(30)
            return super().write(task, context)

    results = [event.result for event in events_of(engine, Waits()) if event.kind == "ranked"]
    assert [result.formulation.fallback_reason for result in results] == [None] * 6


def test_a_second_query_stops_the_first_ones_further_calls(engine):  # noqa: F811
    """A writer whose chain has two calls: after the cancel, the second never leaves."""
    gate = threading.Event()

    class TwoCalls(ScriptedWriter):
        def write(self, task, context):
            super().write(task, context)
            gate.wait(60)
            context.check()
            return super().write(task, context)

    writer, cancel = TwoCalls(), threading.Event()
    stream = compare(
        engine, "reset my password", transforms=SIX, writer=writer, settings=SearchSettings(), cancel=cancel
    )
    for _ in SIX:
        next(stream)
    deadline = time.perf_counter() + 60
    while len(writer.asked) < 5 and time.perf_counter() < deadline:
        time.sleep(0.01)
    cancel.set()
    gate.set()
    rest = list(stream)
    time.sleep(0.1)
    assert len(writer.asked) == 5, "the first calls had left; no further one did"
    assert "finished" not in {event.kind for event in rest}


def test_leaving_the_stream_cancels(engine):  # noqa: F811
    cancel = threading.Event()
    stream = compare(
        engine, "reset my password", transforms=SIX, writer=ScriptedWriter(delay=0.2), settings=SearchSettings(),
        cancel=cancel,
    )  # fmt: skip
    next(stream)
    stream.close()
    assert cancel.is_set()


def test_one_failing_writer_task_costs_only_its_column(engine):  # noqa: F811
    events = events_of(engine, ScriptedWriter({**GOOD, "hyde": WriterError("No passage today.")}))
    results = {event.transform: event.result for event in events if event.kind == "ranked"}
    assert len(results) == 6
    assert results["hyde"].formulation.fallback_reason == "No passage today."
    identity = [hit.artifact_id for hit in results["identity"].fused.hits]
    assert [hit.artifact_id for hit in results["hyde"].fused.hits] == identity


def test_lexical_mode_says_that_a_passage_changes_nothing(engine):  # noqa: F811
    results = compare_all(
        engine, "reset my password", transforms=[("hyde", {})], writer=ScriptedWriter(),
        settings=SearchSettings(mode="lexical"),
    )  # fmt: skip
    assert any("dense leg only" in note for note in results[1].formulation.notes)


def test_a_cut_query_is_noted_on_every_column(engine):  # noqa: F811
    results = compare_all(
        engine, "password " * 1_200, transforms=SIX, writer=ScriptedWriter(), settings=SearchSettings()
    )
    assert all("first 1,9" in result.formulation.notes[0] for result in results)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"query": " "}, BadQuery),
        ({"transforms": [("hide", {})]}, UnknownName),
        ({"transforms": [("hyde", {"n": 3})]}, UnknownName),
        ({"transforms": [("multi_query", {"n": 99})]}, BadSetting),
        ({"transforms": [("multi_query", {"n": i}) for i in range(1, 9)]}, BadSetting),
        ({"settings": SearchSettings(filter={"nope": 1})}, BadFilter),
    ],
)
def test_bad_input_is_refused_before_anything_starts(engine, change, error):  # noqa: F811
    writer = ScriptedWriter()
    options = {"transforms": SIX, "settings": SearchSettings(), "writer": writer, **change}
    with pytest.raises(error):
        compare(engine, options.pop("query", "reset"), **options)
    assert writer.asked == []


def test_a_follow_up_stands_as_last_turn_and_as_joined_turns():
    history = [{"role": "user", "content": "before"}]
    assert with_joined_turns([("identity", {}), ("hyde", {})], history) == [("joined_turns", {}), ("hyde", {})]
    assert with_joined_turns([("hyde", {})], ()) == [("hyde", {})]
    full = [("multi_query", {"n": n}) for n in range(1, 8)]
    assert with_joined_turns(full, history) == full, "no room for it"


def test_identity_is_first_and_once():
    assert [item.name for item in chosen([("hyde", {}), ("none", {}), ("hyde", {})])] == ["identity", "hyde"]
