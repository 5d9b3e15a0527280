"""What would have to change: each rank is that of a real search, each word is as shown; and blank records."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from ir_core import library, session
from ir_core.analysis.find import find
from ir_core.analysis.find.joins import METHODS
from ir_core.analysis.find.words import RARE
from ir_core.build import build
from ir_core.cli.find import as_text
from ir_core.compare import compare_all
from ir_core.embedders import open_embedder
from ir_core.loaders import load
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import STRATEGY_REGISTRY
from ir_core.text import stopwords
from ir_core.writers import open_writer

ALONE = re.compile(r"The query (\S+) alone would put it at (\d+)\.")
JOINED = re.compile(r"Joining the lists by (.+?) would put it at (\d+)\.")
LEG = re.compile(r"The .* leg.* alone would put it at (\d+): mode (\w+)\.")
NONE_HELD = "No query holds one of its words"
TRANSFORMS = [("hyde", {}), ("multi_query", {}), ("sequential", {})]


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("changes")))
        opened = session.open_engine(session.prepare("help_center", embedder="hashing"))
        yield opened
        opened.index.close()


def looked_for(engine, mode):
    """(name, result, settings, row) under every transform, for documents that some list has near its head and some
    that are anywhere, for queries spread over the set."""
    settings = SearchSettings(mode=mode)
    writer = open_writer("corpus", index=engine.index)
    for query in library.corpus("help_center").queries()[::18]:
        results = compare_all(engine, query.text, transforms=TRANSFORMS, writer=writer, settings=settings)
        lists = [ranking.hits[:4] for result in results for ranking in result.rankings]
        near = [hit.artifact_id for hits in lists for hit in hits]
        for name in dict.fromkeys([*near, *engine.index.artifact_ids[::16]]):
            found = find(engine, name, results, settings)
            for result, row in zip(results, found.transforms, strict=True):
                yield name, result, settings, row


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_what_a_query_or_a_leg_would_do_alone_is_what_a_search_with_it_alone_does(engine, mode):
    ranks: dict[object, dict[str, int]] = {}

    def place(name, made, settings, key):
        if key not in ranks:
            found = search(engine, made, settings)
            ranks[key] = {hit.artifact_id: hit.rank for hit in (*found.fused.hits, *found.below)}
        return ranks[key].get(name)

    said = members = 0
    for name, result, settings, row in looked_for(engine, mode):
        made = result.formulation
        own = (made.original.text, made.transform)
        for query_id, rank in ALONE.findall(" ".join(row.changes)):
            query = next(one for one in made.queries if one.id == query_id)
            alone = Formulation("alone", "Alone", made.original, (query,))
            assert place(name, alone, settings, (*own, query_id)) == int(rank)
            said += 1
            members += bool(result.derived)
        for rank, leg in LEG.findall(" ".join(row.changes)):
            assert place(name, made, replace(settings, mode=leg), (*own, leg)) == int(rank)
        legs = Counter(ranking.leg for ranking in result.rankings)
        for words, rank in JOINED.findall(" ".join(row.changes)):
            method = next(method for method, label in METHODS.items() if label == words)
            combine = {**made.combine, **{leg: method for leg, count in legs.items() if count > 1}}
            assert place(name, replace(made, combine=combine), settings, (*own, words)) == int(rank)
    assert said > 10
    assert mode == "lexical" or members > 5, "some of them are members of a mean vector"


def test_no_word_is_said_to_be_missing_that_is_shown_as_shared(engine):
    said = 0
    stop = stopwords("en")
    for _, _, _, row in looked_for(engine, "hybrid"):
        shared = {word for place in row.places for word in place.shared}
        if any(NONE_HELD in change for change in row.changes):
            said += 1
            assert not any(place.leg == "lexical" and place.listed in range(1, 6) for place in row.places)
            assert all(word.token in stop and word.surfaces > RARE * engine.index.n for word in shared)
        if row.best is not None:
            assert row.best.shared or row.best.lacking or row.transform == "hyde"
    assert said > 10


def small(tmp_path) -> Engine:
    """Seventy documents about one thing, and one about another."""
    docs = [Artifact(f"d{i:03d}", f"reset the password {i}") for i in range(70)] + [Artifact("x", "zebra census")]
    reader = open_embedder("hashing")
    return Engine(build("t", docs, STRATEGY_REGISTRY["WholeText"](), reader, home=tmp_path), reader)


def look(engine, name, transform, *queries, combine=None, **settings):
    chosen = SearchSettings(**settings)
    made = Formulation(transform, "T", queries[0], queries, combine=combine or {})
    return find(engine, name, [search(engine, made, chosen)], chosen)


def test_the_words_of_a_mean_vector_are_those_of_its_members(tmp_path):
    original = Query("original", "count stripes")
    passages = [Query(text, text, "hypothetical", legs=("dense",)) for text in ("zebra", "census day")]
    found = look(small(tmp_path), "x", "hyde", original, *passages, combine={"dense": "centroid"}, mode="dense", k=1)
    (place,) = found.transforms[0].places
    assert place.query_id == "centroid"
    assert {word.token for word in place.shared} == {"zebra", "census"}
    assert {word.token for word in place.lacking} == {"count", "stripes", "day"}
    assert "shares census (1), zebra (1)" in as_text(found)


def test_of_stored_vectors_no_words_are_said(tmp_path):
    stored = Query("f1", "quoted", "feedback", legs=("dense",), surface_ids=("d001#document#0",))
    said = as_text(look(small(tmp_path), "x", "rocchio", stored, mode="dense"))
    assert "best surface: x#document#0" in said
    assert "shares" not in said
    assert "lacks" not in said


def test_a_passage_is_not_what_would_bring_words_into_a_passage(tmp_path):
    engine, original = small(tmp_path), Query("original", "reset the password")
    for transform, expected in (("hyde", "a rewrite or an expansion"), ("identity", "an expansion or HyDE")):
        (row,) = look(engine, "x", transform, original).transforms
        assert any(NONE_HELD in change and f"{expected} would have to bring" in change for change in row.changes)


def test_a_rank_before_the_reranker_is_said_to_be_one(tmp_path):
    class Shortest:
        name = "shortest"

        def scores(self, query, texts):
            return [-float(len(text)) for text in texts]

    engine = replace(small(tmp_path), reranker=Shortest())
    variant = Query("variant-1", "zebra census", "variant", 0.2)
    (row,) = look(engine, "x", "multi_query", Query("original", "reset the password"), variant, k=1).transforms
    assert "The query variant-1 alone would put it at 1 after fusion." in row.changes


@pytest.mark.parametrize(("name", "number"), [("j0", 0), ("j39", 39)], ids=["first", "beyond what is listed"])
def test_a_record_that_was_blank_is_found_by_its_id_as_empty(tmp_path, name, number):
    lines = [f'{{"id": "j{i}", "text": " "}}' for i in range(40)] + ['{"id": "full", "text": "vault keys"}']
    (tmp_path / "records.jsonl").write_text("\n".join(lines))
    loaded = load(tmp_path / "records.jsonl")
    reader = open_embedder("hashing")
    index = build("t", loaded.artifacts, STRATEGY_REGISTRY["WholeText"](), reader, home=tmp_path / "home")
    original = Query("original", "vault")
    engine = Engine(index, reader)
    result = search(engine, Formulation("identity", "Original", original, (original,)), SearchSettings())
    found = find(engine, name, [result], SearchSettings(), loaded=loaded)
    assert (found.status, found.close) == ("not loaded", ())
    assert found.reason == "is empty after loading: its record in records.jsonl is blank and was left out"
    assert found.transforms[0].outcome == "absent"
