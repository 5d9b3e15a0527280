"""Rewriting with no LLM: what is corrected, and above all what is not."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ir_core.schema import Task
from ir_core.text import tokenise
from ir_core.writers.corpus.acronyms import definitions
from ir_core.writers.corpus.rewrite import rewrite, without_filler
from ir_core.writers.corpus.spelling import unknown_words
from tests.corpus_writer import LIBRARY, index_of, write

WORDS = sorted({word for text in LIBRARY.values() for word in text.replace(".", " ").replace(",", " ").split()})


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("library")))
        yield index_of(LIBRARY.items())


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), join=st.sampled_from([" ", ", ", "-", "/"]))
def test_words_the_corpus_holds_are_never_respelt(library, words, join):
    query = join.join(words)
    assert all(library.document_frequency(word) for word in tokenise(" ".join(words)))
    assert unknown_words(query, library, "en") == []
    assert unknown_words(query.upper(), library, "de") == []


@pytest.mark.parametrize(
    ("query", "text", "note"),
    [
        ("recieve a book", "receive a book", "typo: recieve → receive"),
        ("Recieve a BOOK!", "Receive a BOOK!", "typo: Recieve → Receive"),
        ("interlibary laon", "interlibrary laon", "typo: interlibary → interlibrary"),
        ("late-retruned books?", "late-returned books?", "typo: retruned → returned"),
        ("RESIDENTZ ADDRES", "RESIDENTS ADDRESS", "typo: RESIDENTZ → RESIDENTS; typo: ADDRES → ADDRESS"),
    ],
)
def test_a_typo_becomes_the_corpus_word_in_the_case_it_was_typed(library, query, text, note):
    written = write(library, "rewrite", query)[0]
    assert written.text.startswith(text)
    assert written.note.startswith(note)


@pytest.mark.parametrize(
    "query",
    [
        "enable the cables",  # English words the corpus lacks are no typos of those it has
        "renewing cards",  # nor is an inflection
        "receipt from Recieve Ltd",  # nor a name
        "recieve_receipt recieve2 ERR-4207 recieve.py",  # nor identifiers
        "bok laet",  # nor short words, which have too many neighbours
        "كتاب متأخر",
        "📚📚",
        "of the and",
    ],
)
def test_what_is_no_typo_is_left(library, query):
    written = write(library, "rewrite", query)[0]
    assert written.text == query
    assert written.note == "nothing to correct"


def test_without_a_dictionary_an_ending_is_an_inflection(library):
    """German on a German corpus: a word that only adds letters to a corpus word is taken for a form of it."""
    german = index_of([("Bücher", "Bibliothek Ausweis Gebühren Bücher")], "german")
    assert rewrite(Task("rewrite", "Ausweise"), german, "de")[0].text == "Ausweise"
    assert rewrite(Task("rewrite", "Biblothek"), german, "de")[0].text == "Bibliothek"


def test_an_acronym_the_corpus_defines_is_spelled_out_and_kept(library):
    written = write(library, "rewrite", "ILL cost")[0]
    assert written.text == "ILL cost interlibrary loan"
    assert written.note == "ILL = interlibrary loan"
    assert written.terms == {"ill": 1, "cost": 1, "interlibrary": 1 / 2, "loan": 1 / 2}
    assert write(library, "rewrite", "ILL, an interlibrary loan")[0].text == "ILL, an interlibrary loan"
    assert write(library, "rewrite", "am I ill")[0].text == "am I ill"
    assert write(library, "rewrite", "Ill Tower")[0].terms is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Send a purchase order (PO) first.", [("PO", "purchase order")]),
        ("three purchase orders (POs)", [("PO", "purchase orders")]),
        ("the heat shock transcription factor (HSF)", [("HSF", "heat shock transcription factor")]),
        ("by polymerase chain reaction (PCR) and gel", [("PCR", "polymerase chain reaction")]),
        ("It is sent (see page 3). Nothing else (NASA) here", []),
        ("a call foo(BAR) in code", []),
        ("research and engineering (A&E)", []),
    ],
)
def test_definitions_are_found_as_schwartz_and_hearst_do(text, found):
    assert list(definitions(text)) == found


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("How do I renew a card?", "renew a card"),
        ("Hi there, can you please tell me how to renew a card?", "how to renew a card?"),
        ("please renew my card, thanks", "renew my card"),
        ("I'd like to know about late fines", "late fines"),
        ("what is the best way to pay fines", "pay fines"),
        ("could you explain interlibrary loan, please?", "interlibrary loan?"),
        ("how do i", "how do i"),
        ("hello", "hello"),
        ("What causes late fines?", "What causes late fines?"),
        ("explain interlibrary loan", "explain interlibrary loan"),
    ],
)
def test_filler_goes_and_something_always_stays(query, left):
    assert without_filler(query) == left
