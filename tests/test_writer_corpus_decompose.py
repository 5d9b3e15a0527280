"""Splitting by structure, without a model: which questions, into what, and which are left whole."""

from __future__ import annotations

import time

import pytest

from ir_core.writers.corpus.clauses import clauses
from ir_core.writers.corpus.comparison import comparison
from ir_core.writers.corpus.decompose import MAX_PARTS, WHOLE
from tests.corpus_writer import LIBRARY, index_of, write


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("library")))
        yield index_of(LIBRARY.items())


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("Are Ada Byron and Mary Shelley both film directors?", ["Is Ada Byron a film director?"]),
        ("Were Ada Byron and Mary Shelley of the same nationality?", ["Which nationality was Ada Byron of?"]),
        ("Are the Old Inn and Rose Mansion located in the same town?", ["Which town is the Old Inn located in?"]),
        ("Which magazine was started first Ada's Weekly or First for Women?", ["When was Ada's Weekly started?"]),
        ("Which band, Ode to Leo or Quiet Trees, had more members?", ["How many members did Ode to Leo have?"]),
        ("Who is older, Ada Byron or Mary Shelley?", ["When was Ada Byron born?", "When was Mary Shelley born?"]),
        ("Which plant is larger, the oak or the fern?", ["How large is the oak?", "How large is the fern?"]),
        ("Do the drinks Gibson and Sour both contain gin?", ["Does Gibson contain gin?", "Does Sour contain gin?"]),
        ("What do E. B. White and Dan Brown have in common?", ["What is E. B. White?", "What is Dan Brown?"]),
        ("Between two bands, Oak and Hole, which has more members?", ["How many members does Oak have?"]),
        ("What is the difference between an invoice and a receipt?", ["What is an invoice?", "What is a receipt?"]),
        ("Are a fine and a fee the same thing?", ["What is a fine?", "What is a fee?"]),
        ("loans vs renewals", ["What are loans?", "What are renewals?"]),
        ("Did Ada Byron or Mary Shelley win two prizes?", ["Did Ada Byron win two prizes?"]),
    ],
)
def test_a_comparison_asks_the_same_of_each(query, parts):
    found = comparison(query, ())
    assert len(found) == 2
    for part, expected in zip(found, parts, strict=False):
        assert part == expected


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (
            "How do I get a library card and how much does it cost?",
            ["How do I get a library card?", "How much does a library card cost?"],
        ),
        ("What is a fine and when do I pay it?", ["What is a fine?", "When do I pay a fine?"]),
        ("Is the late fine high? any limit?", ["Is the late fine high?", "The late fine: any limit?"]),
        ("How do I end a loan and also get a refund?", ["How do I end a loan?", "How do I get a refund?"]),
        (
            "What is the limit for fines; who sets it?",
            ["What is the limit for fines?", "Who sets the limit for fines?"],
        ),
        ("ما الفرق بين العقد وأمر الشراء؟", ["ما هو العقد؟", "ما هو أمر الشراء؟"]),
        ("أين المكتبة؟ متى تفتح المكتبة؟", ["أين المكتبة؟", "متى تفتح المكتبة؟"]),
    ],
)
def test_each_of_several_questions_can_be_read_alone(query, parts):
    assert clauses(query) == parts


def test_a_list_gives_a_question_for_each_item(library):
    parts = [text.text for text in write(library, "decompose", "What are the rules for loans, fines and cards?")]
    assert parts == [
        "What are the rules for loans?",
        "What are the rules for fines?",
        "What are the rules for cards?",
    ]
    many = write(library, "decompose", "What are the rules for loans, fines, cards, rooms, desks and apps?")
    assert len(many) == MAX_PARTS


def test_a_name_another_document_defines_is_asked_about(library):
    parts = write(library, "decompose", "Until when may I sit and read science in the Ada Lovelace Reading Room?")
    assert parts[0].text == "What is the Ada Lovelace Reading Room?"
    assert parts[-1].text == "Until when may I sit and read science in the Ada Lovelace Reading Room?"


@pytest.mark.parametrize(
    "query",
    [
        "How do I renew a book?",
        "late fines",
        "Late Returns",
        "When does the Ada Lovelace Reading Room open?",
        "Arterioles have a larger lumen diameter than venules.",
        "Cataract and trachoma are the primary cause of blindness.",
        "The risk is lower with statins than without; this holds for women.",
        "Who directed the film that was shot in the town and that won a prize?",
        'What genre is "Act of War; Direct Action" in?',
        "How do I export and import data?",
        "Is it cheaper to buy or rent?",
        "Are terms and conditions the same for all?",
        "؟؟ !!",
        "📚",
        "the of and",
    ],
)
def test_a_simple_question_or_a_claim_stays_whole(library, query):
    written = write(library, "decompose", query)
    assert [text.text for text in written] == [query]
    assert written[0].note == WHOLE


@pytest.mark.parametrize(
    "query",
    ["is A and " * 220, "Which A or " * 180, "a, " * 600, "what is x and how is y " * 80, "“" * 2_000, "Are " * 500],
)
def test_no_wording_takes_long(library, query):
    started = time.perf_counter()
    write(library, "decompose", query)
    assert time.perf_counter() - started < 1.0
