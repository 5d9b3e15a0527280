"""Translate, diverse wordings, and the user's own text."""

from __future__ import annotations

import pytest

from ir_core.config import MAX_QUERY_CHARS
from ir_core.transforms import TRANSFORMS
from ir_core.transforms.decompose import WAITS
from ir_core.transforms.multi_query import MANNERS
from ir_core.transforms.you import CUT
from ir_core.writers import CorpusWriter
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import ASKED, QUERY, engine, run


def test_a_query_of_another_language_is_put_into_the_corpus_language_and_replaced():
    writer = ScriptedWriter()
    made = run("translate", writer)
    assert [(query.role, query.text) for query in made.queries] == [("translation", GOOD["translate"][0])]
    assert [(task.language, task.query) for task in writer.asked] == [("en", ASKED["translate"])]
    assert made.notes == ("Arabic to English",)


def test_a_query_in_the_corpus_language_is_left_and_the_card_says_so():
    writer = ScriptedWriter()
    made = run("translate", writer, QUERY)
    assert made.queries == (made.original,)
    assert made.notes == ("It is in English already, the language of the corpus.",)
    assert writer.asked == []


def test_the_writer_with_no_llm_says_that_it_cannot_translate():
    assert "'corpus (no LLM)' cannot do translate" in run("translate", CorpusWriter(engine().index)).fallback_reason


def test_diverse_wordings_keep_their_order_and_are_called_after_their_manner():
    writer = ScriptedWriter()
    made = run("multi_query", writer, mode="diverse", original_weight=2.0)
    assert [query.id for query in made.queries] == ["original", *(f"variant-{name}" for name in MANNERS)]
    assert [query.text for query in made.queries[1:]] == GOOD["diverse_queries"]
    assert (made.queries[0].weight, writer.asked[0].n) == (2.0, 5)
    fewer = run("multi_query", ScriptedWriter({**GOOD, "diverse_queries": ["one", "two"]}), mode="diverse")
    assert [query.id for query in fewer.queries[1:]] == ["variant-1", "variant-2"], "which is which is not known"
    assert fewer.notes[-1].startswith("2 of 5 wordings came")
    echoed = run(
        "multi_query", ScriptedWriter({**GOOD, "diverse_queries": ["a", QUERY, "c", "d", "e"]}), mode="diverse"
    )
    assert [query.id for query in echoed.queries[1:]] == [f"variant-{MANNERS[i]}" for i in (0, 2, 3, 4)]


@pytest.mark.parametrize(
    ("kind", "like", "settings", "texts"),
    [
        ("rewrite", "rewrite", {}, GOOD["rewrite"]),
        ("variants", "multi_query", {"n": 3}, GOOD["multi_query"]),
        ("passage", "hyde", {}, GOOD["hyde"]),
        ("sub-questions", "decompose", {"n": 2}, GOOD["decompose"]),
    ],
)
def test_what_a_person_typed_is_searched_as_the_transform_it_stands_for(kind, like, settings, texts):
    yours, theirs = run("you", kind=kind, text="\n\n".join(texts)), run(like, **settings)
    assert (yours.queries, yours.combine) == (theirs.queries, theirs.combine)
    assert (yours.calls, yours.transform, yours.written_by, yours.title) == ((), "you", None, f"Yours: {kind}")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"text": " \n"}, "Type the query"),
        ({"text": QUERY.upper()}, "What you typed is the query itself."),
        ({"text": QUERY, "kind": "variants"}, "What you typed is the query itself."),
        ({"text": "only one", "kind": "sub-questions"}, "One question is no decomposition."),
    ],
)
def test_what_cannot_be_searched_leaves_the_original_with_a_word_about_it(settings, said):
    made = run("you", **settings)
    assert made.queries == (made.original,)
    assert said in made.notes[0]
    assert made.fallback_reason is None


def test_lines_beyond_the_eighth_are_counted():
    made = run("you", kind="variants", text="\n".join(f"wording {i}" for i in range(11)))
    assert len(made.queries) == 1 + 8
    assert made.notes == ("The first 8 of 11 lines are searched.",)
    assert TRANSFORMS.make("you").tasks(QUERY, ()) == ()


@pytest.mark.parametrize("kind", ["rewrite", "passage", "variants"])
def test_a_text_is_searched_as_long_as_a_query_may_be(kind):
    made = run("you", kind=kind, text="seven77 " * 7_500)
    assert made.queries[-1].text == ("seven77 " * (MAX_QUERY_CHARS // 8)).strip()
    assert made.notes[-1] == CUT
    whole = run("you", kind=kind, text="x" * MAX_QUERY_CHARS)
    assert (len(whole.queries[-1].text), CUT in whole.notes) == (MAX_QUERY_CHARS, False)
    assert len(run("you", kind=kind, text="x" * 60_000).queries[-1].text) == MAX_QUERY_CHARS


PLAN = ["who owns the workspace", "what may #1 do"]


def test_a_part_that_waits_for_an_answer_is_not_searched_as_typed():
    for made in (
        run("decompose", ScriptedWriter({**GOOD, "decompose": PLAN})),
        run("you", kind="sub-questions", text="\n".join(PLAN)),
    ):
        assert [query.text for query in made.queries] == [QUERY, PLAN[0]]
        assert made.notes[-1] == WAITS
    only = run("you", kind="sub-questions", text="what may #1 do\nwhat may #2 do")
    assert (only.queries, only.notes) == ((only.original,), (WAITS,))
    typed = run(
        "decompose", ScriptedWriter({**GOOD, "decompose": ["a #1 single", "a band"]}), query="which #1 single"
    )
    assert len(typed.queries) == 3, "a mark that the user typed is no reference"
