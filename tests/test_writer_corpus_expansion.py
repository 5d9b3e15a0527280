"""Keywords and key sentences with no model: they stand in the first hits, and are called what they are."""

from __future__ import annotations

import pytest

from ir_core.transforms import TRANSFORMS
from ir_core.writers.corpus import CorpusWriter, key_sentences, keywords
from tests.corpus_writer import LIBRARY, context_for, index_of, write

QUERY = "what does an interlibrary loan cost"


@pytest.fixture(scope="module")
def library():
    return index_of(LIBRARY.items())


def test_key_sentences_are_whole_and_share_the_rarest_words_first(library):
    found = write(library, "key_sentences", QUERY, n=2)
    texts = [text.text for text in found]
    assert texts[0] in {
        "An interlibrary loan takes two weeks and costs three euros.",
        "A book we do not hold is fetched by interlibrary loan (ILL).",
    }
    assert all(any(text in body for body in LIBRARY.values()) for text in texts)
    assert found[0].note == "from “Interlibrary loan (ILL)”"


def test_keywords_are_new_words_of_several_documents(library):
    words = [text.text for text in write(library, "keywords", "pay a fine at the desk", n=4)]
    assert 1 <= len(words) <= 4
    assert not {"pay", "fine", "fines", "desk"} & set(words)
    assert all(library.document_frequency(word) >= 2 for word in words)


@pytest.mark.parametrize(("name", "title"), [("keywords", keywords.TITLE), ("grounded", key_sentences.TITLE)])
def test_the_transform_is_titled_by_what_was_made(library, name, title):
    writer = CorpusWriter(library)
    made = TRANSFORMS.make(name).formulate("pay a fine at the desk", (), context_for(library, writer))
    assert (made.title, made.fallback_reason) == (title, None)
    assert made.queries[1].role == "expansion"


def test_a_passage_is_not_written_from_statistics(library):
    writer = CorpusWriter(library)
    made = TRANSFORMS.make("query2doc").formulate(QUERY, (), context_for(library, writer))
    assert made.fallback_reason
    assert made.queries == (made.original,)
