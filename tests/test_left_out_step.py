"""A chain that a cap or a failure stopped half way: what it made is searched, and nobody says that it fell back."""

from __future__ import annotations

import pytest

from ir_core.cli._results import result_text
from ir_core.errors import WriterError
from ir_core.evaluation import evaluate
from ir_core.export.comparison import Comparison
from ir_core.export.page import to_html
from ir_core.library import JudgedQuery
from ir_core.retrieval import SearchSettings
from ir_core.schema import Query
from pages._ui import cards
from pages._ui.card_badges import badges
from pages.compare.instruments._naming import state
from tests.made_results import result
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import QUERY, engine

CONFIG = {
    "corpus": "six", "strategy": {"name": "WholeText"}, "embedder": "hashing", "mode": "hybrid", "k": 1,
    "writer": "corpus", "index": "1",
}  # fmt: skip
WHY = "The cap of this run (1 call) is reached."
HALF = result(
    ["a"], transform="chain", title="Chain: Rewrite → HyDE", queries=[Query("rewrite", "other words", "rewrite")],
    fallback_reason=WHY,
)  # fmt: skip
WHOLE = result(["a"], transform="hyde", title="HyDE", fallback_reason=WHY)


def told(one) -> list[str]:
    """By the command line, the page that is taken away, and the card."""
    page = to_html(Comparison("the query", CONFIG, (one,), "2026-01-02T03:04:05Z", "0.1", {}, None))
    return [result_text(one), page, cards.body(one, lambda surface: surface)]


@pytest.mark.parametrize(
    ("one", "said", "badge", "short"),
    [
        (HALF, "one step was left out", "step left out", ""),
        (WHOLE, "fell back to the original", "fell back", "fell back to the original"),
    ],
)
def test_a_half_made_chain_is_no_fallback(one, said, badge, short):
    for words in told(one):
        assert said in words.lower()
        assert ("fell back" in words.lower()) is one.formulation.fell_back
    assert ("warn", badge) in badges(one, saw_history=None)
    assert state(one) == short


def test_an_evaluation_counts_as_fallbacks_those_where_nothing_was_made():
    no = WriterError("The server said no.")
    rates = []
    for failing in (["hyde"], ["rewrite", "hyde"]):
        found = evaluate(
            engine(),
            [JudgedQuery("q1", QUERY)],
            {"q1": {"reset": 1}},
            transforms=[("chain", {"steps": "rewrite > hyde"})],
            writer=ScriptedWriter({**GOOD, **dict.fromkeys(failing, no)}),
            settings=SearchSettings(),
            measures=("recall@5",),
            timed_queries=0,
        )
        rates.append(found.summary(found.columns[1]).fallback_rate)
    assert rates == [0.0, 1.0]
