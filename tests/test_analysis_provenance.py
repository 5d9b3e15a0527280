"""Where each hit comes from, on real searches with every way of joining lists."""

from __future__ import annotations

import pytest

from ir_core.analysis.provenance import provenance
from ir_core.fusion import FUSIONS
from ir_core.retrieval import SearchSettings, search
from ir_core.schema import Formulation, Query
from tests.made_results import result
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

QUERIES = (
    Query("original", "reset my password"),
    Query("v1", "account recovery page", "variant", 0.5),
    Query("v2", "sharing with guests", "variant", legs=("lexical",)),
)


@pytest.mark.parametrize("name", FUSIONS.names())
def test_every_list_that_holds_a_hit_is_named_and_the_shares_add_up(engine, name):  # noqa: F811
    combine = {"dense": name, "lexical": "rrf" if name == "centroid" else name}
    one = search(engine, Formulation("t", "T", QUERIES[0], QUERIES, combine=combine), SearchSettings(k=8))
    found = provenance(one)
    assert [traced.hit for traced in found.hits] == list(one.fused.hits)
    for traced in found.hits:
        assert sum(part.share for part in traced.parts) == pytest.approx(traced.hit.score, abs=1e-9)
        holding = {
            (ranking.query_id, ranking.leg): hit.rank
            for ranking in one.rankings
            for hit in ranking.hits
            if hit.artifact_id == traced.hit.artifact_id
        }
        assert {(part.query_id, part.leg): part.rank for part in traced.parts} == holding
    for finder in found.finders:
        assert finder.found == len(found.of(finder.query.id))
        assert 0 <= finder.alone <= finder.found <= finder.read
    assert {finder.query.id for finder in found.finders} == {ranking.query_id for ranking in one.rankings}
    assert found.of(None) == found.hits


def test_a_search_that_found_nothing_has_no_hits_and_its_queries_still_stand():
    found = provenance(result([]))
    assert found.hits == ()
    assert [(finder.found, finder.read) for finder in found.finders] == [(0, 0)]
