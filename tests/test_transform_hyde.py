"""HyDE's passages: averaged with the query, or searched each for itself."""

from __future__ import annotations

import pytest

from ir_core.retrieval import SearchSettings
from ir_core.retrieval.searching import search
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import engine, run

TEXTS = ["A link arrives by mail.", "An owner resets it."]


def test_hyde_hybrid_joins_a_list_each_and_the_passages_together_weigh_what_the_query_does():
    made = run("hyde", ScriptedWriter({**GOOD, "hyde": TEXTS}), passages=2, joined="rrf")
    assert made.combine["dense"] == "rrf"
    assert [query.weight for query in made.queries] == [1.0, 0.5, 0.5]
    found = search(engine(), made, SearchSettings(k=3, mode="dense"))
    assert [one.query_id for one in found.rankings] == ["original", "hypothetical-1", "hypothetical-2"]
    best = found.fused.hits[0]
    parts = {one.query_id: one.rank for one in best.contributions}
    assert best.score == pytest.approx(
        0.5 / (60 + parts["original"]) + 0.25 / (60 + parts["hypothetical-1"]) + 0.25 / (60 + parts["hypothetical-2"])
    )


def test_the_mean_is_one_search():
    found = search(engine(), run("hyde"), SearchSettings(k=3, mode="dense"))
    assert [one.query_id for one in found.rankings] == ["centroid"]
