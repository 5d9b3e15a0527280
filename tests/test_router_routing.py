"""The routed result is that transform's alone, hit for hit, whatever label, table and decider."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.compare import formulate
from ir_core.errors import UnknownName, WriterError
from ir_core.retrieval import SearchSettings, search
from ir_core.router import (
    DECIDERS,
    LABELS,
    NO_SEARCH,
    Decision,
    Labelled,
    Override,
    Reason,
    published,
    route,
    table_of,
)
from ir_core.transforms import TRANSFORMS
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import HISTORY, QUERY, engine

SETTINGS = SearchSettings(k=4)
ROUTES = {label: {"transform": name} for label, name in zip(LABELS, (
    "identity", "hyde", "multi_query", "rewrite", "step_back", "decompose", "condense", "query2doc",
), strict=True)}  # fmt: skip
TABLES = {**published(), "every": table_of({"name": "every", "routes": {
    **ROUTES, "follow_up": {"transform": "condense", "then": "route"}, "vocabulary": {"transform": "chain"},
    "simple": {"transform": "hyde", "settings": {"with_query": False}},
}})}  # fmt: skip


class Says:
    """Gives this label when first asked, and ``then`` after that."""

    name = label = summary = "says"
    needs_writer = needs_examples = False

    def __init__(self, label: str, then: str = "simple") -> None:
        self.labels = [label, then]

    def decide(self, query, history, context):
        label = self.labels.pop(0) if len(self.labels) > 1 else self.labels[0]
        return Decision(label, "says", (Reason("told to"),))


def writer(**answers):
    given = {**GOOD, "classify": ["multi_hop"], **answers}
    return ScriptedWriter(answers=given, tasks=frozenset(given))


def routed(decider, table, query=QUERY, history=(), **options):
    return route(
        engine(), query, decider=decider, table=table, settings=SETTINGS, history=history,
        **{"writer": writer(), **options},
    )  # fmt: skip


def assert_alone(found, query, history):
    """Run again on its own, the transform that was named gives the same hits, contributions and all."""
    if found.transform == NO_SEARCH:
        assert found.result.fused.hits == ()
        assert found.result.formulation.skip_reason
        return
    transform = TRANSFORMS.make(found.transform, found.settings)
    alone = search(engine(), formulate(engine(), transform, query, history, writer(), SETTINGS), SETTINGS)
    assert found.result.fused == alone.fused
    assert found.result.below == alone.below
    assert found.result.fingerprint == alone.fingerprint


@pytest.mark.parametrize("history", [(), HISTORY], ids=["alone", "said before"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("label", LABELS)
def test_every_label_and_table_gives_the_transform_alone(label, table, history):
    for then in LABELS if history else ("simple",):
        found = routed(Says(label, then), TABLES[table], history=history)
        assert_alone(found, QUERY, history)


EXAMPLES = (
    Labelled("lost my password", "vocabulary"), Labelled("compare two plans", "multi_hop"), Labelled(QUERY, "broad"),
)  # fmt: skip


@pytest.mark.parametrize("name", DECIDERS.names())
@pytest.mark.parametrize(
    ("query", "history"),
    [(QUERY, ()), ("and after thirty days?", HISTORY), ("thanks!", ()), ("who owns it, and since when?", ())],
)
def test_every_decider_gives_the_transform_alone(name, query, history):
    for table in TABLES.values():
        found = routed(DECIDERS.make(name), table, query, history, examples=EXAMPLES)
        assert found.decision.label in LABELS
        assert found.decision.reasons
        assert_alone(found, query, history)


def test_a_follow_up_is_condensed_once_and_routed_again():
    asked = writer()
    found = routed(Says("follow_up", "ambiguous_short"), TABLES["every"], history=HISTORY, writer=asked)
    assert [task.name for task in asked.asked] == ["condense", "hyde"]
    assert (found.decision.label, found.then.label) == ("follow_up", "ambiguous_short")
    assert (found.transform, found.settings) == ("chain", {"steps": "condense > hyde"})
    assert found.n_calls == len(found.result.formulation.calls) == 2


def test_a_condensed_follow_up_is_never_condensed_again():
    asked = writer()
    found = routed(Says("follow_up", "follow_up"), TABLES["every"], history=HISTORY, writer=asked)
    assert found.transform == "condense"
    assert len(asked.asked) == 1


def test_small_talk_is_not_searched_and_costs_nothing():
    found = routed(DECIDERS.make("rules"), published()["ours"], "thanks a lot!")
    assert (found.transform, found.n_calls, found.n_searches) == (NO_SEARCH, 0, 0)


def test_calls_and_searches_hold_the_deciders_own():
    found = routed(DECIDERS.make("llm"), TABLES["every"])
    assert found.n_calls == 1 + len(found.result.formulation.calls) == 2
    kept = routed(DECIDERS.make("signal", {"threshold": 0.0}), TABLES["every"])
    assert kept.decision.keeps_original
    assert (kept.transform, kept.n_searches, kept.n_calls) == ("identity", 1, 0)
    weak = routed(DECIDERS.make("signal", {"threshold": 1.0}), TABLES["every"])
    assert weak.n_searches > 1


def test_a_writer_that_fails_costs_only_the_transform():
    down = replace(writer(), answers={**GOOD, "condense": WriterError("down"), "hyde": WriterError("down")})
    found = routed(Says("follow_up", "ambiguous_short"), TABLES["every"], history=HISTORY, writer=down)
    assert found.result.fused.hits
    assert [task.name for task in down.asked] == ["condense", "hyde"]


def test_a_persons_label_is_taken_and_the_condensed_text_left_to_the_decider():
    rules = DECIDERS.make("rules")
    found = routed(Override(QUERY, "broad", rules), TABLES["every"])
    assert (found.decision.label, found.decision.decider, found.transform) == (
        "broad",
        "you",
        ROUTES["broad"]["transform"],
    )
    again = routed(Override(QUERY, "follow_up", rules), TABLES["every"], history=HISTORY)
    assert (again.decision.decider, again.then.decider) == ("you", "rules")
    with pytest.raises(UnknownName):
        Override(QUERY, "brod", rules)
