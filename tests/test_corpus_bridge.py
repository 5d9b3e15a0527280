"""The second hop without a model: bridge queries, and the best span in place of an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.errors import WriterError
from ir_core.schema import Hit, Task
from ir_core.writers.corpus import CorpusWriter
from ir_core.writers.corpus.bridge import MAX_CHARS, TITLE, WHOLE
from tests.corpus_writer import LIBRARY, context_for, index_of, write

TEXTS = {
    "Ghost Ship": "Ghost Ship.\nGhost Ship is a 1952 film. It was directed by Vernon Sewell in London. It was dull.",
    "Vernon Sewell": "Vernon Sewell.\nVernon Sewell was born in Durban on 4 July 1903. He made 31 films.",
}


def hits(*titles: str) -> tuple[Hit, ...]:
    return tuple(
        Hit(title, f"{title}#document#0", "document", TEXTS[title], title, {}, rank, 1.0 / rank)
        for rank, title in enumerate(titles, start=1)
    )


@pytest.fixture(scope="module")
def library():
    return index_of([*LIBRARY.items(), *TEXTS.items()])


def test_a_bridge_is_the_nearest_sentence_and_what_the_document_does_not_hold(library):
    (one,) = write(library, "bridge", "Which prize had whoever directed Ghost Ship?", hits=hits("Ghost Ship"))
    assert one.text == "It was directed by Vernon Sewell in London. prize"
    assert one.surface_ids == ("Ghost Ship#document#0",)
    assert one.note == "from “Ghost Ship”, still asked: prize"


def test_one_bridge_for_each_of_the_first_documents_and_none_for_one_that_holds_all_words(library):
    query = "Which films did Vernon Sewell, born on 4 July, make, and Ghost Ship?"
    found = write(library, "bridge", query, n=3, hits=hits("Vernon Sewell", "Ghost Ship"))
    assert [text.surface_ids[0].split("#")[0] for text in found] == ["Vernon Sewell", "Ghost Ship"]
    whole = "Are Vernon Sewell's films 31?"
    (held,) = write(library, "bridge", whole, n=3, hits=hits("Vernon Sewell"))
    assert (held.text, held.note) == (whole, WHOLE)


def test_a_bridge_searches_for_itself_is_bounded_and_says_what_it_is(library):
    index = index_of([*LIBRARY.items(), ("Endless", "ghost " * 2_000)])
    writer = CorpusWriter(index)
    context = context_for(index, writer)
    (one,) = context.write(Task("bridge", "who saw the ghost of the Desk in Durban?"))
    assert len(one.text) <= MAX_CHARS + len(" saw desk durban")
    assert [step.label for step in context.searcher.steps] == ["feedback"]
    assert context.calls[0].title == TITLE


@pytest.mark.parametrize(
    ("query", "of", "answer"),
    [
        ("Who directed Ghost Ship?", ("Ghost Ship", "Vernon Sewell"), "Vernon Sewell"),
        ("Where was Vernon Sewell born?", ("Vernon Sewell", "Ghost Ship"), "Durban"),
        ("When was Vernon Sewell born?", ("Vernon Sewell",), "4 July 1903"),
        ("How many films did Vernon Sewell make?", ("Vernon Sewell",), "31"),
        ("In which year was Ghost Ship made?", ("Ghost Ship",), "1952"),
    ],
)
def test_the_best_span_is_of_the_kind_that_is_asked_for(library, query, of, answer):
    (one,) = write(library, "extract_answer", query, hits=hits(*of))
    assert one.text == answer
    assert one.text in TEXTS[one.surface_ids[0].split("#")[0]]


def test_no_span_is_said(library):
    dull = replace(hits("Ghost Ship")[0], text="it was dull.")
    with pytest.raises(WriterError, match="no name, date or number"):
        write(library, "extract_answer", "Who directed Ghost Ship?", hits=(dull,))
