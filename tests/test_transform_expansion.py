"""What query2doc, keywords and grounded expansion put into each leg, and what grounded takes from the hits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ir_core.schema import Task, Written
from ir_core.text import tokenise
from ir_core.transforms import TRANSFORMS
from ir_core.transforms.grounded import stands_in
from ir_core.writers._llm_job import Asking, job_for
from tests.made_results import hit
from tests.scripted import GOOD, ScriptedWriter
from tests.transforming import QUERY, TEXTS, run

PASSAGE = GOOD["query2doc"][0]


def bag(text: str) -> dict[str, float]:
    words = tokenise(text)
    return {word: float(words.count(word)) for word in words}


def test_query2docs_bag_is_the_text_that_the_paper_searches():
    made = run("query2doc")
    legs = {query.role: query.legs for query in made.queries}
    assert legs == {"original": ("dense",), "expansion": ("dense", "lexical")}
    assert made.queries[1].text == PASSAGE
    assert made.queries[1].term_weights == bag(" ".join([QUERY] * 5 + [PASSAGE]))
    assert "the query 5 times" in made.notes[0]
    assert made.combine["dense"] == "centroid"


def test_the_dense_leg_gets_one_text_or_stays_as_it_is():
    (joined,) = run("query2doc", dense="text", repeat=2).queries
    assert (joined.text, joined.legs) == (f"{QUERY} [SEP] {PASSAGE}", ("dense", "lexical"))
    assert joined.term_weights == bag(f"{QUERY} {QUERY} {PASSAGE}")
    kept = run("query2doc", dense="query").queries
    assert [(query.role, query.legs) for query in kept] == [("original", ("dense",)), ("expansion", ("lexical",))]


def test_keywords_are_one_expansion_of_at_most_n_terms():
    made = run("keywords", n=2)
    assert made.queries[1].text == "reset link, credentials"
    assert made.queries[1].term_weights == bag(" ".join([QUERY] * 5 + ["reset link credentials"]))


def test_grounded_hands_the_first_hits_to_the_writer():
    writer = ScriptedWriter()
    made = run("grounded", writer, documents=2)
    (task,) = writer.asked
    assert (task.name, task.n, [hit.rank for hit in task.hits]) == ("key_sentences", 2, [1, 2])
    assert [step.label for step in made.steps] == ["feedback"]
    assert made.notes[1].startswith("Read from the first hits of the plain hybrid search:")
    run("grounded", writer, method="lamer")
    assert (writer.asked[1].name, writer.asked[1].n) == ("grounded_passage", 1)


def test_a_sentence_that_stands_in_no_hit_is_left_out_and_said():
    kept = "a link arrives by  MAIL"
    invented = "A link arrives by pigeon."
    made = run("grounded", ScriptedWriter({**GOOD, "key_sentences": [f"“{kept}.”", invented]}))
    assert made.queries[1].text == f"“{kept}.”"
    assert any(note.startswith("1 of 2 sentences stand in no document") for note in made.notes)
    nothing = run("grounded", ScriptedWriter({**GOOD, "key_sentences": [invented]}))
    assert nothing.fallback_reason == "No sentence that came back stands in a document, so nothing was added."
    passage = run("grounded", ScriptedWriter({**GOOD, "grounded_passage": [invented]}), method="lamer")
    assert passage.queries[1].text == invented, "a passage may invent"


@pytest.mark.parametrize(
    ("sentence", "text", "stands"),
    [
        ("1", "1 of 3", False),
        ("a", "a guest", False),
        ("ele", "He was elected.", False),
        ("the owner of the", "Ada is the owner of the workspace.", True),
        ("the owner of", "Ada is the owner of the workspace.", False),
        ("he owner of the workspace", "Ada is the owner of the workspace.", False),
        ("the owner of the works", "Ada is the owner of the workspace.", False),
        ("“Ada’s  the OWNER of it.”", "Yes: Ada’s the owner of it", True),
        ("他在北京工作了十二年并且写了书", "后来他在北京工作了十二年并且写了书。", True),
        ("他在北京", "他在北京工作", False),
    ],
)
def test_a_sentence_stands_where_its_words_do_and_is_no_scrap(sentence, text, stands):
    assert stands_in(Written(sentence), [replace(hit("one", 1), text=text)]) is stands
    assert stands_in(Written("def run():"), [replace(hit("one", 1), text="def run(): pass")], whole=False)


@pytest.mark.parametrize("method", ["csqe", "lamer"])
def test_what_grounded_may_ask_is_told_before(method):
    transform = TRANSFORMS.make("grounded", {"method": method})
    (task,) = transform.tasks(QUERY, ())
    writer = ScriptedWriter()
    run("grounded", writer, method=method)
    assert (writer.asked[0].name, writer.asked[0].n, task.hits) == (task.name, task.n, ())


def test_the_first_hits_are_really_of_the_corpus():
    (step,) = run("grounded").steps
    assert {hit.text for hit in step.rankings[0].hits} <= set(TEXTS.values())


@pytest.mark.parametrize("task", ["query2doc", "keywords", "key_sentences", "grounded_passage"])
def test_what_is_compared_with_documents_is_asked_for_in_their_language(task):
    arabic = Task(task, "كيف أعيد تعيين كلمة المرور")
    assert job_for(arabic, "en").prompt.language == "en"
    assert job_for(Task(task, QUERY), "ar").prompt.language == "ar"
    assert job_for(arabic, "ar", Asking(query_language="ar", passage_language="en")).prompt.language == "en"
