"""Seconds are measured with nothing that another column has made: what is really encoded says so, not a clock."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest

from ir_core.compare import chosen
from ir_core.evaluation import latency
from ir_core.evaluation.latency import REPEATS, measure_latency, seconds_alone
from ir_core.evaluation.replay import measured
from ir_core.evaluation.writing import write_all
from ir_core.library import JudgedQuery
from ir_core.retrieval import Engine, SearchSettings
from ir_core.router import Route
from ir_core.schema import Step
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

SETTINGS = SearchSettings(k=3)
QUERIES = [
    JudgedQuery(f"q{number}", f"{word} my password") for number, word in enumerate(("reset", "lost", "change"))
]
TRANSFORMS = [("identity", {}), ("rewrite", {}), ("multi_query", {"n": 2}), ("rm3", {})]


class Counting:
    """The embedder ``inner``, which keeps every text it encodes."""

    def __init__(self, inner):
        self.inner, self.encoded = inner, []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def encode_query(self, texts):
        self.encoded += texts
        return self.inner.encode_query(texts)


@pytest.fixture
def counting(engine):  # noqa: F811
    return Engine(engine.index, Counting(engine.embedder))


@pytest.fixture
def rows(counting):
    columns, writer = chosen(TRANSFORMS), ScriptedWriter(is_llm=False)
    made = list(write_all(counting, QUERIES, columns, writer, SETTINGS, threading.Event()))
    counting.embedder.encoded.clear()
    return columns, made


def test_every_search_encodes_its_own_texts_and_searches_again_before_it_writes(counting, rows):
    columns, made = rows
    steps = [[len(samples[0].steps) for samples in row] for row in made]
    assert steps == [[0, 0, 0, 1]] * 3, "one of the four reads before it writes"
    measure_latency(counting, columns, made, SETTINGS)
    wanted: Counter[str] = Counter()
    for row in made:
        for (text,) in row:
            own = {query.text for query in text.queries if "dense" in query.legs and not query.surface_ids}
            own |= {query.text for step in text.steps for query in step.queries}
            wanted.update(dict.fromkeys(own, REPEATS))
    found = Counter(counting.embedder.encoded)
    extra = found - wanted
    assert wanted <= found
    assert extra.total() <= sum(len(text.queries) + 1 for (text,) in made[0]), "each column is warmed up once"


def test_columns_of_one_query_are_measured_together_in_an_order_drawn_from_the_seed(counting, rows, monkeypatch):
    columns, made = rows
    seen: list[tuple[str, str]] = []

    def looked(engine, text, settings):  # noqa: F811
        seen.append((text.original.text, text.transform))
        return seconds_alone(engine, text, settings)

    monkeypatch.setattr(latency, "seconds_alone", looked)
    orders = []
    for seed in (1, 1, 2):
        seen.clear()
        found = measure_latency(counting, columns, made, SETTINGS, seed)
        assert all(seconds is not None and seconds > 0 for row in found for column in row for seconds in column)
        timed = seen[len(columns) :]  # the first ones warm up
        blocks = [
            timed[start : start + REPEATS * len(columns)] for start in range(0, len(timed), REPEATS * len(columns))
        ]
        assert [len({query for query, _ in block}) for block in blocks] == [1, 1, 1]
        assert all(set(Counter(name for _, name in block).values()) == {REPEATS} for block in blocks)
        assert any(names(block) != sorted(names(block)) for block in blocks)
        orders.append(timed)
    assert orders[0] == orders[1] != orders[2]


def names(block):
    return [name for _, name in block]


def test_the_writers_own_seconds_stay_and_those_of_its_searches_are_of_now(counting, rows):
    """A transform that waited a minute for a search beside others does not keep that minute; its calls' it does."""
    _, made = rows
    (text,) = made[0][3]
    (step,) = text.steps
    slow = replace(text, seconds=1_000.0, steps=(Step(step.label, step.queries, (), seconds=997.0),))
    assert 3.0 < seconds_alone(counting, slow, SETTINGS) < 500.0


def test_a_pass_that_is_stopped_ends_between_two_queries(counting, rows):
    columns, made = rows
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        measure_latency(counting, columns, made, SETTINGS, check=stop)
    assert len(set(counting.embedder.encoded) & {query.text for query in QUERIES}) == 1


def test_each_route_of_a_replay_encodes_its_own_texts(counting):
    routes = [Route("identity", {}), Route("rm3", {}), Route("rocchio", {})]
    found = measured(counting, QUERIES[0], routes, {"q0": {"d000": 1}}, ScriptedWriter(is_llm=False), SETTINGS)
    asked = Counter(counting.embedder.encoded)
    assert asked[QUERIES[0].text] == 1 + len(routes), "once for the scores, and once for the seconds of each"
    assert all(found.cells[name].seconds > 0 for name in ("identity", "rm3", "rocchio"))
