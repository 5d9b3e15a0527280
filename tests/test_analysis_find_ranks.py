"""The ranks that are said equal those of a search that is read deep enough; and words as the tokeniser reads them."""

from __future__ import annotations

from collections import Counter

import pytest

from ir_core.analysis.find import find
from ir_core.analysis.find.types import Word
from ir_core.analysis.find.words import best_sentence, excerpt, marked, split
from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import STRATEGY_REGISTRY

TOPICS = ["reset the password", "share a folder", "pay the invoice", "move the meeting", "sync the upload"]
ORIGINAL = Query("original", "reset the password")
QUERIES = {
    "variants": ((ORIGINAL, Query("v1", "share an invoice", "variant", 0.5)), {}),
    "best score": ((ORIGINAL, Query("v1", "share an invoice", "variant")), {"dense": "max", "lexical": "max"}),
    "centroid": (
        (ORIGINAL, Query("h1", "The meeting is moved.", "hypothetical", legs=("dense",))),
        {"dense": "centroid"},
    ),
    "round robin": (
        (ORIGINAL, Query("s1", "sync an upload", "sub_question"), Query("s2", "pay", "sub_question")),
        {"dense": "round_robin", "lexical": "round_robin"},
    ),
    "stored and bag": (
        (
            ORIGINAL,
            Query("f1", "quoted", "feedback", 0.5, ("dense",), surface_ids=("d001#chunk#0", "d002#chunk#0")),
            Query("e1", "x", "expansion", legs=("lexical",), term_weights={"invoice": 2.0, "folder": 0.5}),
        ),
        {},
    ),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    """Ties on purpose: every fifth text repeats, and documents have one to four chunks."""
    docs = [
        Artifact(
            f"d{i:03d}",
            f"{TOPICS[i % 5]}. It is the rule {i // 10}.\n\n" + f"{TOPICS[(i + 1) % 5]} once more. " * (i % 4),
            {"area": TOPICS[i % 5].split()[0]},
        )
        for i in range(90)
    ]
    embedder = open_embedder("hashing")
    strategy = STRATEGY_REGISTRY["Chunked"](chunk_size=60, overlap=5)
    index = build("t", docs, strategy, embedder, home=tmp_path_factory.mktemp("ranks"))
    yield Engine(index, embedder)
    index.close()


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("filter", [None, {"area": {"$in": ["reset", "share"]}}], ids=["all", "filtered"])
def test_a_rank_that_is_said_is_the_one_of_a_search_read_deep_enough(engine, name, filter):
    queries, combine = QUERIES[name]
    made = Formulation("t", "T", ORIGINAL, queries, combine=combine)
    shallow = SearchSettings(k=2, depth=8, filter=filter)
    result = search(engine, made, shallow)
    deep = search(engine, made, SearchSettings(k=2, depth=len(engine.index.artifact_ids), filter=filter))
    ranks = {
        (ranking.query_id, ranking.leg): {hit.artifact_id: (hit.rank, hit.surface_id) for hit in ranking.hits}
        for ranking in deep.rankings
    }
    outcomes: Counter[str] = Counter()
    for artifact in ("d000", "d005", "d016", "d031", "d050", "d065", "d086"):
        (row,) = find(engine, artifact, [result], shallow).transforms
        outcomes[row.outcome] += 1
        for place in row.places:
            expected = ranks[place.query_id, place.leg]
            assert (place.rank, place.surface_id) == expected.get(artifact, (None, None))
            assert place.of == len(expected)
            assert place.listed == (place.rank if place.rank is not None and place.rank <= 8 else None)
        assert row.rank == result.place(artifact)
        if row.rank is not None:
            assert row.fused == row.rank
    assert len(outcomes) > 1, "the corpus shows more than one fate"


def test_shared_and_lacking_words_are_the_tokenisers(engine):
    shared, lacking = split(engine.index, {"reset": 1.0, "the": 1.0, "zebra": 1.0, "password": 0.0}, {"reset", "the"})
    assert [word.token for word in shared] == ["reset", "the"]
    assert shared[1].common
    assert lacking == (Word("zebra", 0, False),)


@pytest.mark.parametrize(
    ("text", "shared", "expected"),
    [
        ("Reset, the PASSWORD!", {"password"}, ["PASSWORD"]),
        ("set max_upload_rate now", {"upload"}, ["max_upload_rate"]),
        ("東京都の天気", {"東京", "天気"}, ["東京", "天気"]),
        ("أَهْلًا بكم", {"اهلا"}, ["أَهْلًا"]),
        ("nothing here", {"zebra"}, []),
        ("", {"zebra"}, []),
    ],
)
def test_marks_stand_on_the_words_and_nothing_of_the_text_is_lost(engine, text, shared, expected):
    pieces = marked(text, shared, engine.index)
    assert "".join(piece for piece, _ in pieces) == text
    assert [piece for piece, flag in pieces if flag] == expected


def test_the_excerpt_holds_the_sentence_with_the_rarest_words(engine):
    text = "Some words here. " * 60 + "The zebra is here. " + "Some words here. " * 60
    span = best_sentence(text, [Word("zebra", 1, False), Word("words", 90, False)], engine.index)
    assert text[span[0] : span[1]] == "The zebra is here."
    start, end = excerpt(text, span)
    assert end - start <= 480
    assert "The zebra is here." in text[start:end]
    assert excerpt("short", None) == (0, 5)
