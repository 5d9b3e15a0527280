"""What the text became, on a small index that is really built."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from ir_core.analysis.drift import drift
from ir_core.analysis.template_text import template_text
from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine
from ir_core.schema import Artifact, Formulation, Query
from ir_core.strategies import WholeText

ORIGINAL = Query("original", "reset a forgotten password")


@pytest.fixture(scope="module")
def engine(tmp_path_factory) -> Engine:
    texts = ["Reset a password in Settings.", "Recover an account by mail.", "Files are shared by link."]
    documents = [Artifact(f"d{n}", text) for n, text in enumerate(texts)]
    embedder = open_embedder("hashing")
    index = build("drift", documents, WholeText(), embedder, home=tmp_path_factory.mktemp("drift"))
    return Engine(index, embedder)


def of(engine: Engine, *queries: Query):
    return drift(engine, Formulation("t", "T", ORIGINAL, (ORIGINAL, *queries)))


def variant(text: str, name: str = "v1", **more: object) -> Query:
    return Query(name, text, "variant", **more)  # type: ignore[arg-type]


def test_without_a_text_of_its_own_there_is_no_drift(engine):
    assert of(engine) == []


def test_terms_are_the_indexs_own_and_stop_words_stand_apart(engine):
    (found,) = of(engine, variant("Reset the PASSWORD by mail"))
    assert set(found.lost) == {"forgotten"}
    assert set(found.added) == {"mail"}
    assert "a" in found.stop_lost
    assert {"the", "by"} <= set(found.stop_added)
    assert (found.words, found.original_words) == (5, 4)


def test_a_weighted_bag_is_read_by_its_weights(engine):
    bag = {"password": 1.0, "mail": 0.2, "recover": 0.9}
    (found,) = of(engine, variant("bag", term_weights=bag, legs=("lexical",)))
    assert found.added == ("recover", "mail"), "the heaviest first"
    assert "searched by words only" in found.verdicts


def test_the_same_words_are_the_same_and_repeat_the_original(engine):
    (found,) = of(engine, variant("reset a forgotten  Password"))
    assert found.similarity == pytest.approx(1.0)
    assert found.duplicate_of == "original"
    assert {"repeats the original", "the same to the embedder", "same content words"} <= set(found.verdicts)


def test_a_variant_that_repeats_another_names_it(engine):
    first, second = of(engine, variant("recover an account"), variant("Recover an account", "v2"))
    assert (first.duplicate_of, second.duplicate_of) == (None, "v1")
    assert "repeats v1" in second.verdicts


def test_a_language_that_the_embedder_does_not_read_is_not_compared(engine):
    reader = copy.copy(engine.embedder)
    object.__setattr__(reader, "languages", frozenset({"en"}))
    english = Engine(engine.index, reader)
    (found,) = of(english, variant("كيف يمكنني إعادة تعيين كلمة المرور التي نسيتها"))
    assert (found.language, found.changed_language, found.similarity) == ("ar", True, None)
    assert "does not read Arabic" in (found.unread or "")
    assert {"now Arabic", "meaning not compared"} <= set(found.verdicts)


def test_a_rewrite_that_became_a_passage_says_so_and_a_passage_does_not(engine):
    long = "password " * 40
    rewrite, passage = of(engine, variant(long), replace(variant(long, "h1"), role="hypothetical"))
    assert any("times as long" in word for word in rewrite.verdicts)
    assert not any("times as long" in word for word in passage.verdicts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Here are three queries: reset it", "announcement"),
        ("Rewritten query: reset it", "label"),
        ("how do I {query}", "place-holder"),
        ("how do I [insert topic]", "place-holder"),
        ("As an AI language model I cannot", "refusal"),
        ("```\nreset\n```", "fence"),
        ("<query>reset</query>", "tag"),
        ("فيما يلي الاستعلامات: كلمة المرور", "announcement"),
    ],
)
def test_template_text_is_found_and_quoted(text, said):
    assert any(said in one for one in template_text(text))


@pytest.mark.parametrize("text", ["how do I reset it", "f{2} in [0, 1]", "here we go", "ما هي كلمة المرور", ""])
def test_ordinary_text_is_no_template(text):
    assert template_text(text) == ()
