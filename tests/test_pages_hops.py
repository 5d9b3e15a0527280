"""The hops of a sequential decomposition, as the Compare page shows them."""

from __future__ import annotations

import pytest

from ir_core.analysis.hops import chain_of
from ir_core.retrieval import SearchSettings, search
from pages.compare.instruments import hops
from tests.app import open_app, open_tab, shown
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import engine, run


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        (
            "sequential",
            ("Bridge query, in place of sequential decomposition", "Hop 1", "Hop 2", "taken into bridge 1"),
        ),
        ("rewrite", ("No result here has hops.",)),
    ],
)
@pytest.mark.usefixtures("ready")
def test_the_tab_shows_the_hops_or_says_what_to_choose(transform, expected):
    app = open_app(f"t=identity&t={transform}")
    app.text_input(key="query").set_value("which plan has the feature that shows who can see my files").run()
    page = shown(open_tab(app, hops.LABEL))
    for words in expected:
        assert words in page


def drawn(plan: list[str], answer: str) -> str:
    writer = ScriptedWriter({**GOOD, "plan_hops": plan, "extract_answer": [answer]})
    chain = chain_of(search(engine(), run("sequential", writer), SearchSettings(k=3)))
    return hops._hops(chain) + hops._end(chain)


def test_the_answer_is_quoted_where_it_stands_and_marked_where_it_was_filled_in():
    page = drawn(["who owns the workspace", "what may #1 do"], "ada marsh")
    assert "<strong>Ada Marsh</strong> is the owner of the workspace." in page
    assert "what may <del>#1</del> <ins>ada marsh</ins> do" in page
    assert "taken into hop 2" in page


def test_a_chain_that_stopped_shows_why_and_the_rest_of_the_plan_as_text():
    page = drawn(["who owns the workspace", "<img src=x> of #1"], "<b>Bo</b>")
    assert "Stopped before hop 2: it refers to #1, but its answer" in page
    assert "&lt;b&gt;Bo&lt;/b&gt;" in page
    assert "&lt;img src=x&gt; of #1" in page
    assert "<img" not in page
