"""Which questions may need a second document, and what is no sentence to bridge with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.writers.corpus.bridge import SIMPLE
from ir_core.writers.corpus.second_hop import may_have_second_hop
from tests.corpus_writer import LIBRARY, index_of, write
from tests.made_results import hit


@pytest.mark.parametrize(
    ("query", "language", "may"),
    [
        ("How do I restore a deleted file?", "en", False),
        ("deposit", "en", False),
        ("2SV", "en", False),
        ("Nice work", "en", False),
        ("ERR-4207", "en", False),
        ("export document to pdf", "en", False),
        ("where do I find SSO and SAML?", "en", False),
        ("Who is the wife of Kim Jong-chul?", "en", True),
        ("who played the singer in 'Walk the Line'?", "en", True),
        ("which plan has the feature that shows who can see my files", "en", True),
        ("KnowledgeBid scoring: does being cheapest help much?", "en", True),
        (
            "we own the web address but never proved it, what's the earliest moment the login could go live",
            "en",
            True,
        ),
        ("حذف ملف", "ar", False),
        ("ما عدد سكان المدينة التي ولد فيها مؤلف كتاب الأيام؟", "ar", True),
        ("密码", "zh", False),
        ("写了百年孤独的作家出生在哪个国家的哪座城市", "zh", True),
        ("", "en", False),
    ],
)
def test_a_second_hop_takes_a_question_with_parts_or_a_name(query, language, may):
    assert may_have_second_hop(query, language) is may


def test_a_simple_question_is_left_whole_by_the_writer():
    (one,) = write(index_of(LIBRARY.items()), "bridge", "where is the desk?", n=3)
    assert (one.text, one.note) == ("where is the desk?", SIMPLE)


def test_a_lists_number_is_no_sentence():
    steps = replace(hit("steps", 1), text="1. Ask at the desk.\n2. Wait.", title="Steps")
    query = "which prize did the author of Ghost Ship refuse in London?"
    (one,) = write(index_of(LIBRARY.items()), "bridge", query, hits=(steps,))
    assert one.text.startswith("Ask at the desk.")
