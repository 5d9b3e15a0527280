"""Find a document: every stage in which one can be lost, on a corpus of its own, and ranks that a search confirms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.analysis.find import find
from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.loaders import Loaded, Problem
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import STRATEGY_REGISTRY

TOPICS = ["reset the password", "share a folder", "pay the invoice", "move the meeting", "sync the upload"]
ORIGINAL = Query("original", "reset the password")


def make(tmp_path, artifacts, strategy="WholeText", embedder="hashing", reranker=None, **params) -> Engine:
    reader = open_embedder(embedder) if isinstance(embedder, str) else embedder
    index = build("t", artifacts, STRATEGY_REGISTRY[strategy](**params), reader, home=tmp_path)
    return Engine(index, reader, reranker)


def formulation(*queries: Query, combine=None) -> Formulation:
    return Formulation("multi_query", "Multi-query", queries[0], queries, combine=combine or {})


def look(engine, name, *queries, loaded=None, combine=None, **settings):
    chosen = SearchSettings(**settings)
    result = search(engine, formulation(*(queries or (ORIGINAL,)), combine=combine), chosen)
    return find(engine, name, [result], chosen, loaded=loaded), result


def many(n=80):
    return [Artifact(f"d{i:03d}", f"{TOPICS[i % 5]} number {i} " + "word " * (i % 7)) for i in range(n)]


def test_a_document_in_the_first_k_is_found_with_its_surface_and_words(tmp_path):
    engine = make(tmp_path, [Artifact("a", "Reset your password in settings"), Artifact("b", "Invoices by mail")])
    found, result = look(engine, "a")
    (row,) = found.transforms
    assert (row.outcome, row.verdict, row.rank, row.changes) == ("found", "found at 1", 1, ())
    assert result.fused.hits[0].artifact_id == "a"
    assert [stage.passed for stage in row.stages] == [True] * 6
    assert row.best.surface_id == "a#document#0"
    lexical = next(place for place in row.places if place.leg == "lexical")
    assert {word.token: word.surfaces for word in lexical.shared} == {"reset": 1, "password": 1}
    assert [(word.token, word.common) for word in lexical.lacking] == [("the", True)]


def test_a_name_nobody_has_suggests_the_closest_and_a_title_is_enough(tmp_path):
    engine = make(tmp_path, [Artifact("guide-01", "one", {"title": "The guide"}), Artifact("note", "two")])
    found, _ = look(engine, "guide-1")
    assert (found.status, found.close[0]) == ("unknown", ("guide-01", "The guide"))
    assert "guide-01 (The guide)" in found.changes[0]
    assert found.transforms[0].outcome == "absent"
    assert look(engine, "the guide")[0].artifact_id == "guide-01"


def test_what_was_not_loaded_or_came_after_the_build_says_so(tmp_path):
    engine = make(tmp_path, [Artifact("a", "one")])
    loaded = Loaded((Artifact("a", "one"), Artifact("late", "two")), (Problem("x/scan.pdf", "holds no text"),))
    later, _ = look(engine, "late", loaded=loaded)
    assert (later.status, later.changes) == ("not indexed", ("Build the index again.",))
    unread, _ = look(engine, "scan", loaded=loaded)
    assert (unread.status, unread.reason) == ("not loaded", "could not be loaded: it holds no text")


@pytest.mark.parametrize(
    ("raw", "strategy", "params", "reason"),
    [
        (" \n", "WholeText", {}, "is empty after loading: its text is blank"),
        ({"title": "", "year": 3}, "WholeText", {}, "is empty after loading: none of its fields holds a text"),
        ({"user": " ", "note": "hello"}, "ClaudeTurn", {}, "has text in note, none of which the strategy takes"),
    ],
)
def test_a_document_without_a_surface_says_why(tmp_path, raw, strategy, params, reason):
    other = {"user": "something", "assistant": "else"} if strategy == "ClaudeTurn" else "something"
    engine = make(tmp_path, [Artifact("void", raw), Artifact("b", other)], strategy, **params)
    found, _ = look(engine, "void")
    assert (found.status, found.reason) == ("empty", reason)
    assert found.transforms[0].verdict == "in the index without a surface"
    assert strategy in found.changes[0]


def test_the_filter_names_what_excludes_it_and_where_it_would_be(tmp_path):
    docs = [Artifact(f"d{i}", f"reset {i}", {"team": "web"}) for i in range(3)]
    engine = make(tmp_path, [*docs, Artifact("a", "reset the password", {"team": "infra"})])
    found, _ = look(engine, "a", filter={"team": "web"})
    assert found.reason == 'the filter excludes it: {"team": "web"} (it has team "infra")'
    (row,) = found.transforms
    assert (row.outcome, row.changes) == ("filter", ("Search without the filter: it would be at 1 after fusion.",))
    assert look(engine, "a")[0].transforms[0].rank == 1


def test_kinds_that_are_not_searched_are_named(tmp_path):
    packages = [
        {"name": "alpha", "description": "charts", "readme": "", "deps": ["numpy"]},
        {"name": "beta", "description": "numbers", "readme": "A readme about lists.", "deps": []},
    ]
    engine = make(tmp_path, [Artifact(one["name"], one) for one in packages], "Package", embed_deps=True)
    found, _ = look(engine, "alpha", Query("original", "numpy"), surfaces=("readme_chunk",))
    assert found.reason == "only surfaces of kind deps, description would match, and readme_chunk is searched"
    assert found.transforms[0].changes == ("Search without the choice of kinds: it would be at 1 after fusion.",)


def test_below_k_and_what_k_would_be_enough(tmp_path):
    engine = make(tmp_path, many())
    _, result = look(engine, "d000", k=3)
    for hit in result.below[:20:4]:
        found, _ = look(engine, hit.artifact_id, k=3)
        (row,) = found.transforms
        assert row.outcome in ("cut", "fusion")
        raised = next(change for change in row.changes if change.startswith("Raise k"))
        enough = int(raised.split(" to ")[1].split(":")[0])
        assert enough >= row.rank
        place = search(engine, formulation(ORIGINAL), SearchSettings(k=enough)).place(hit.artifact_id)
        assert place is not None
        assert place <= enough


def test_lost_at_fusion_names_the_query_that_alone_would_have_found_it(tmp_path):
    crowd = [Artifact(f"d{i}", f"reset the password again {i}") for i in range(8)]
    engine = make(tmp_path, [*crowd, Artifact("x", "quarterly zebra census")])
    variant = Query("variant-1", "zebra census", "variant", 0.2)
    found, _ = look(engine, "x", ORIGINAL, variant, k=3)
    (row,) = found.transforms
    assert row.outcome == "fusion"
    assert row.verdict.startswith("lost at fusion: 1 of 9 in dense for variant-1, but ")
    assert "The query variant-1 alone would put it at 1." in row.changes
    assert search(engine, formulation(variant), SearchSettings(k=3)).place("x") == 1


def test_the_leg_that_alone_would_have_found_it_is_named(tmp_path):
    crowd = [Artifact(f"d{i}", f"resets passwords {i}") for i in range(60)]
    engine = make(tmp_path, [*crowd, Artifact("x", "password " + "calendar meeting invoice folder " * 8)])
    query = Query("original", "reset password")
    found, _ = look(engine, "x", query, k=1, dense_weight=3.0)
    (row,) = found.transforms
    assert row.outcome == "fusion"
    assert "The lexical leg (words) alone would put it at 1: mode lexical." in row.changes
    assert search(engine, formulation(query), SearchSettings(mode="lexical", k=1)).place("x") == 1


def test_never_asked_for_and_too_deep_differ_by_the_words(tmp_path):
    crowd = [Artifact(f"d{i:03d}", f"reset the password {i}") for i in range(70)]
    engine = make(
        tmp_path, [*crowd, Artifact("x", "quarterly zebra census"), Artifact("y", "zebra reset " + "z " * 90)]
    )
    (row,) = look(engine, "x")[0].transforms
    assert row.outcome == "unasked"
    assert row.verdict.startswith("never asked for: no query holds one of its words, and its best place is ")
    assert row.changes[-1].startswith("No query holds one of its words")
    (deep,) = look(engine, "y")[0].transforms
    assert deep.outcome == "depth"
    assert deep.verdict.startswith("too deep: ")
    assert "and lists are read to 50" in deep.verdict


def test_a_skipped_query_was_not_searched(tmp_path):
    engine = make(tmp_path, [Artifact("a", "hello")])
    made = replace(formulation(ORIGINAL), skip_reason="small talk")
    result = search(engine, made, SearchSettings())
    (row,) = find(engine, "a", [result], SearchSettings()).transforms
    assert (row.outcome, row.verdict) == ("skipped", "not searched: small talk")


class Shortest:
    """A reranker that prefers short texts: real enough to move things, and readable."""

    name = "shortest"

    def scores(self, query, texts):
        return [-float(len(text)) for text in texts]


def test_lost_at_reranking_says_both_ranks(tmp_path):
    docs = [Artifact(f"d{i}", f"password {i}") for i in range(9)]
    long = Artifact("x", "reset the password and reset the password once more")
    engine = make(tmp_path, [*docs, long], reranker=Shortest())
    found, result = look(engine, "x", k=3)
    (row,) = found.transforms
    assert row.outcome == "rerank"
    assert row.verdict == f"lost at reranking: {row.fused} after fusion, {result.place('x')} after the reranker"
    without = search(replace(engine, reranker=None), formulation(ORIGINAL), SearchSettings(k=3))
    assert without.place("x") == row.fused
    assert row.changes[0] == f"Leave the reranker out: it would be at {row.fused}."


def test_what_the_embedder_does_not_read_is_quoted_and_its_rank_as_a_chunk_is_the_real_one(tmp_path, minilm):
    filler = "The canteen opens at noon and serves soup with bread to everyone who works here. " * 30
    matching = "To reset a forgotten password open the security page."
    docs = [Artifact("x", filler + matching)]
    docs += [Artifact(f"d{i}", text) for i, text in enumerate([*TOPICS[1:], "sign in with a key"])]
    engine = make(tmp_path / "whole", docs, embedder=minilm)
    query = Query("original", "reset a forgotten password")
    found, _ = look(engine, "x", query, mode="dense", k=1)
    (surface,) = found.surfaces
    assert surface.tokens > 256
    text = docs[0].raw
    assert minilm.token_counts([text[: surface.read]])[0] <= 256 < minilm.token_counts([text[: surface.read + 20]])[0]
    said = found.transforms[0].changes[-1]
    assert matching in said
    chunked = make(tmp_path / "cut", docs, "Chunked", embedder=minilm, max_tokens=250)
    rank = look(chunked, "x", query, mode="dense", k=1)[0].transforms[0].rank
    assert f"in chunks of 250 tokens it would be at {rank} in dense for original, now 5" in said
