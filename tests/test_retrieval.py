"""Search over a real index: what adds up, what is cut where, and what is done once."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.errors import BadFilter, TooManyRounds, UnknownName
from ir_core.fusion import list_weights
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings, search, search_many
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import STRATEGY_REGISTRY

TOPICS = ["password reset and account recovery", "sharing a folder with guests", "invoice and billing address",
          "calendar invitation reminder", "upload limit of the sync client", "export chat history"]  # fmt: skip


def artifacts(n: int = 60) -> list[Artifact]:
    return [
        Artifact(
            f"d{i:03d}",
            f"{TOPICS[i % 6]}. Paragraph one tells about item {i}.\n\n"
            + f"{TOPICS[(i + 1) % 6]} once more. " * (i % 4),
            {"title": f"Doc {i}", "area": TOPICS[i % 6].split()[0], "number": i},
        )
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    embedder = open_embedder("hashing")
    strategy = STRATEGY_REGISTRY["Chunked"](chunk_size=80, overlap=10)
    index = build("t", artifacts(), strategy, embedder, home=tmp_path_factory.mktemp("idx"))
    yield Engine(index, embedder)
    index.close()


def formulation(*queries: Query, combine=None, original: Query | None = None) -> Formulation:
    first = original or queries[0]
    return Formulation("t", "T", first, queries, combine=combine or {})


ORIGINAL = Query("original", "reset my password")
FORMULATIONS = {
    "identity": formulation(ORIGINAL),
    "rrf": formulation(
        ORIGINAL, Query("v1", "account recovery", "variant", 0.5), Query("v2", "guests", "variant", 2)
    ),
    "max": formulation(
        ORIGINAL, Query("v1", "invoice address", "variant"), combine={"dense": "max", "lexical": "max"}
    ),
    "centroid": formulation(
        ORIGINAL,
        Query("h1", "To reset it open the account page.", "hypothetical", legs=("dense",)),
        combine={"dense": "centroid"},
    ),
    "stored": formulation(
        ORIGINAL,
        Query("f1", "quoted", "feedback", 0.5, ("dense",), surface_ids=("d001#chunk#0", "d002#chunk#0")),
        combine={"dense": "centroid"},
    ),
    "round_robin": formulation(
        ORIGINAL,
        Query("s1", "sharing a folder", "sub_question"),
        Query("s2", "upload limit", "sub_question"),
        combine={"dense": "round_robin", "lexical": "round_robin"},
    ),
    "bag": formulation(ORIGINAL, Query("e1", "expanded", "expansion", term_weights={"invoice": 2.0, "chat": 0.5})),
    "nothing to match": formulation(Query("original", "zzzz qqqq")),
}


@pytest.mark.parametrize("mode", ["dense", "lexical", "hybrid"])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_the_contract_of_a_result(engine, name, mode):
    result = search(engine, FORMULATIONS[name], SearchSettings(mode=mode, k=7))
    hits = [*result.fused.hits, *result.below]
    assert len(result.fused.hits) <= 7
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.artifact_id for hit in hits}) == len(hits) <= 50
    for hit in hits:
        assert abs(sum(share.share for share in hit.contributions) - hit.score) < 1e-9
        assert hit.surface_id.startswith(hit.artifact_id + "#")
        for share in hit.contributions:
            (ranking,) = [r for r in result.rankings if (r.query_id, r.leg) == (share.query_id, share.leg)]
            found = ranking.hits[share.rank - 1]
            assert (found.artifact_id, found.surface_id) == (hit.artifact_id, share.surface_id)
    assert all(one.score >= other.score - 1e-6 for one, other in itertools.pairwise(hits))
    known = {q.id for q in (*result.formulation.queries, *result.derived)}
    assert {share.query_id for hit in hits for share in hit.contributions} <= known
    assert {r.leg for r in result.rankings} <= {"dense", "lexical"}
    if mode != "lexical" or name != "nothing to match":
        assert hits
    assert result.trace.latency_s > 0


def test_every_list_is_read_to_the_same_depth_of_artifacts(engine):
    result = search(engine, FORMULATIONS["rrf"], SearchSettings(k=3, depth=20))
    for ranking in result.rankings:
        ids = [hit.artifact_id for hit in ranking.hits]
        assert len(set(ids)) == len(ids)
        assert len(ids) == 20 or ranking.leg == "lexical"


def test_the_best_surface_stands_for_its_artifact(engine):
    result = search(engine, FORMULATIONS["identity"], SearchSettings(mode="dense"))
    vector = engine.embedder.encode_query([ORIGINAL.text])[0]
    scores = engine.index.vectors(range(engine.index.n)) @ vector
    for hit in result.rankings[0].hits:
        own = [r for r in range(engine.index.n) if engine.index.surfaces[r].artifact_id == hit.artifact_id]
        assert hit.score == pytest.approx(max(scores[own]), abs=1e-5)


def test_rrf_over_two_queries_is_the_written_out_sum(engine):
    settings = SearchSettings(k=5, dense_weight=1.0, lexical_weight=2.0)
    result = search(engine, FORMULATIONS["rrf"], settings)
    rows = [(q.id, leg, q.weight) for q in FORMULATIONS["rrf"].queries for leg in ("dense", "lexical")]
    weights = list_weights(rows, settings.leg_weights)
    top = result.fused.hits[0]
    expected = sum(
        weights[ranking.query_id, ranking.leg] / (60 + hit.rank)
        for ranking in result.rankings
        for hit in ranking.hits
        if hit.artifact_id == top.artifact_id
    )
    assert top.score == pytest.approx(expected, abs=1e-12)


def test_a_centroid_of_stored_surfaces_is_their_mean_and_embeds_nothing(engine):
    result = search(engine, FORMULATIONS["stored"], SearchSettings(mode="dense"))
    index = engine.index
    stored = index.vectors([index.row_of["d001#chunk#0"], index.row_of["d002#chunk#0"]]).mean(axis=0)
    mean = engine.embedder.encode_query([ORIGINAL.text])[0] + 0.5 * stored
    scores = index.vectors(range(index.n)) @ (mean / np.linalg.norm(mean))
    assert result.rankings[0].query_id == "centroid"
    assert result.rankings[0].hits[0].score == pytest.approx(float(scores.max()), abs=1e-5)


def test_sub_questions_take_turns_and_show_their_evidence(engine):
    for mode in ("dense", "lexical"):
        plain = search(engine, FORMULATIONS["identity"], SearchSettings(mode=mode, k=5))
        turns = search(engine, FORMULATIONS["round_robin"], SearchSettings(mode=mode, k=5))
        assert [h.artifact_id for h in turns.fused.hits[:3]] == [h.artifact_id for h in plain.fused.hits[:3]]
    both = search(engine, FORMULATIONS["round_robin"], SearchSettings(k=5))
    assert set(both.evidence) == {"s1", "s2"}
    for part in both.evidence:
        own = next(query for query in both.formulation.queries if query.id == part)
        alone = search(engine, formulation(replace(own, role="original")), SearchSettings(k=3))
        assert [hit.artifact_id for hit in both.evidence[part]] == [hit.artifact_id for hit in alone.fused.hits]


def test_filter_and_kinds_hold_for_both_legs(engine):
    result = search(engine, FORMULATIONS["rrf"], SearchSettings(filter={"area": "invoice", "number": {"$lt": 30}}))
    found = {hit.artifact_id for ranking in result.rankings for hit in ranking.hits}
    assert found == {f"d{i:03d}" for i in range(2, 30, 6)}
    assert search(engine, FORMULATIONS["rrf"], SearchSettings(filter={"number": {"$in": []}})).fused.hits == ()
    with pytest.raises(BadFilter, match="number"):
        search(engine, FORMULATIONS["rrf"], SearchSettings(filter={"numbr": 1}))
    with pytest.raises(UnknownName, match="chunk"):
        search(engine, FORMULATIONS["rrf"], SearchSettings(surfaces=("chunks",)))


def test_many_is_one_by_one_and_encodes_each_text_once(engine):
    fresh = Engine(engine.index, _Counting(engine.embedder))
    both = search_many(fresh, list(FORMULATIONS.values()), SearchSettings())
    alone = [search(engine, one, SearchSettings()) for one in FORMULATIONS.values()]
    assert [r.fingerprint for r in both] == [r.fingerprint for r in alone]
    for one, other in zip(both, alone, strict=True):
        assert [h.artifact_id for h in one.fused.hits] == [h.artifact_id for h in other.fused.hits]
    texts = fresh.embedder.texts
    assert sorted(texts) == sorted(set(texts))
    assert "quoted" not in texts


class _Counting:
    def __init__(self, inner):
        self.inner, self.texts = inner, []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def encode_query(self, texts):
        self.texts += texts
        return self.inner.encode_query(texts)

    def encode_document(self, texts):
        self.texts += texts
        return self.inner.encode_document(texts)


def test_the_fingerprint_covers_what_changes_a_ranking(engine):
    base = FORMULATIONS["rrf"]
    settings = SearchSettings()
    others = [
        (replace(base, queries=(*base.queries, Query("v3", "chat"))), settings),
        (replace(base, queries=(replace(base.queries[0], weight=2.0), *base.queries[1:])), settings),
        (replace(base, combine={"dense": "max"}), settings),
        (base, SearchSettings(k=6)),
        (base, SearchSettings(mode="dense")),
        (base, SearchSettings(filter={"number": 1})),
        (base, SearchSettings(lexical_weight=2.0)),
    ]
    marks = {search(engine, one, own).fingerprint for one, own in [(base, settings), *others]}
    assert len(marks) == len(others) + 1


def test_a_skipped_query_has_no_hits(engine):
    skipped = replace(FORMULATIONS["identity"], skip_reason="small talk")
    result = search(engine, skipped, SearchSettings())
    assert result.fused.hits == result.rankings == ()


def test_the_searcher_counts_rounds_and_shares_them(engine):
    searcher = IndexSearcher(engine, SearchSettings(mode="lexical", filter={"area": "invoice"}))
    first = searcher.search([ORIGINAL], depth=3)[0]
    assert {hit.metadata["area"] for hit in first.hits} == {"invoice"}
    assert len(first.hits) == 3
    other = IndexSearcher(engine, searcher.settings, searcher.memo)
    assert other.search([ORIGINAL], depth=3)[0] == first
    assert other.borrowed_s == pytest.approx(searcher.steps[0].seconds)
    for depth in (3, 4, 5, 6, 3):
        searcher.search([ORIGINAL], depth=depth)
    with pytest.raises(TooManyRounds):
        searcher.search([ORIGINAL], depth=7)
    part = searcher.for_part()
    assert part.search([ORIGINAL], depth=3)[0] == first, "a part has rounds of its own"
    assert (len(part.steps), part.borrowed_s) == (1, 0.0), "which the whole has paid for"


class _ByLength:
    name = "by-length"

    def scores(self, query, texts):
        return [float(-len(text)) for text in texts]


def test_a_reranker_orders_and_the_fused_score_stays(engine):
    plain = search(engine, FORMULATIONS["rrf"], SearchSettings(k=50))
    ranked = search(Engine(engine.index, engine.embedder, _ByLength()), FORMULATIONS["rrf"], SearchSettings(k=50))
    head = ranked.fused.hits[:30]
    assert [h.rerank_score for h in head] == sorted((h.rerank_score for h in head), reverse=True)
    scores = {hit.artifact_id: hit.score for hit in plain.fused.hits}
    assert all(hit.score == pytest.approx(scores[hit.artifact_id]) for hit in ranked.fused.hits)
    assert ranked.fingerprint != plain.fingerprint
