"""Authored examples: used for exactly the query they were written for, marked, and never measured."""

from __future__ import annotations

import json

import pytest

from ir_core import library
from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.errors import BadInput, BadSource
from ir_core.evaluation import evaluate
from ir_core.language import detect
from ir_core.library.authored import read_authored
from ir_core.protocols import RunContext
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import AUTHORED, Call, Formulation, Query
from ir_core.text import tokenise
from ir_core.writers import AuthoredWriter, CorpusWriter, with_authored
from ir_core.writers.recorded import RecordedWriter, RecordingWriter
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

SAMPLES = ("help_center", "procurement", "skills", "packages", "sessions", "bilingual")
SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]
TASKS = {"rewrite", "multi_query", "hyde", "decompose", "step_back"}
TURNS = ({"role": "user", "content": "How do I share a folder?"},)
TEXTS = {
    "rewrite": "Reset a forgotten password",
    "multi_query": ["lost password", "password recovery", "cannot log in", "new password"],
    "hyde": "To reset a password, open Settings and press Reset.",
    "decompose": ["How is a password reset?"],
    "step_back": "account security",
}


def examples(history=()):
    query = library.JudgedQuery("q1", "reset my password", history=history)
    line = json.dumps({"query_id": "q1", "query": query.text, **TEXTS})
    return read_authored(line.encode(), [query])


def columns(engine: Engine, writer, query="reset my password", history=()):  # noqa: F811
    found = compare_all(
        engine, query, transforms=SIX, writer=writer, settings=SearchSettings(mode="hybrid"), history=history
    )
    return {result.formulation.transform: result.formulation for result in found}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample_has_texts_for_its_boss_set_its_examples_and_every_category(name):
    corpus = library.corpus(name)
    found, known = corpus.authored(), {query.id: query for query in corpus.queries()}
    whole = [one for one in found if set(one.texts) != {"translate"}]
    wanted = {query.id for query in known.values() if query.set == "boss"}
    wanted |= {one.query_id for one in corpus.info.examples}
    assert wanted <= {one.query_id for one in whole}
    assert {known[one.query_id].category for one in whole} == {query.category for query in known.values()}
    for one in found:
        assert all(text.strip() for texts in one.texts.values() for text in texts)
        assert (one.query, one.history) == (known[one.query_id].text, known[one.query_id].history)
        assert ("translate" in one.texts) is (detect(one.query) == "ar")
    for one in whole:
        assert set(one.texts) >= TASKS
        assert ("condense" in one.texts) is (known[one.query_id].category == "follow_up")
        assert len(one.texts["rewrite"][0].split()) < 25
        assert len(one.texts["multi_query"]) == 4
        assert 60 <= len(one.texts["hyde"][0].split()) <= 110
        assert 1 <= len(one.texts["decompose"]) <= 4


@pytest.mark.parametrize("name", SAMPLES)
def test_no_text_has_ten_words_in_a_row_of_a_document(name):
    corpus = library.corpus(name)
    held = {run for artifact in corpus.load().artifacts for run in runs(json.dumps(artifact.raw, ensure_ascii=False))}
    copied = [
        run
        for one in corpus.authored()
        for texts in one.texts.values()
        for run in runs("\n".join(texts)) & held - runs(one.query)
    ]
    assert not copied


def runs(text: str, n: int = 10) -> set[tuple[str, ...]]:
    words = tokenise(text)
    return {tuple(words[start : start + n]) for start in range(len(words) - n + 1)}


def test_every_transform_has_its_authored_text_and_none_is_titled_after_the_corpus_writer(engine):  # noqa: F811
    writer = with_authored(CorpusWriter(engine.index), examples(), " Reset my  PASSWORD", ())
    made = columns(engine, writer, " Reset my  PASSWORD")
    assert {one.written_by for name, one in made.items() if name != "identity"} == {"authored"}
    assert made["hyde"].title == "HyDE"
    assert [(query.role, query.text) for query in made["hyde"].queries][1] == ("hypothetical", TEXTS["hyde"])
    assert [query.text for query in made["multi_query"].queries[1:]] == TEXTS["multi_query"][:3]
    assert made["decompose"].queries == (made["decompose"].original,), "one sub-question: it stays whole"
    for one in made.values():
        assert one.fallback_reason is None
        assert all((call.seconds, call.cost_usd, call.tokens_in) == (0, 0, 0) for call in one.calls)
    assert made["rewrite"].origins == ("authored example, not a model's",)


@pytest.mark.parametrize(
    ("query", "history", "authored_after"),
    [("reset the password", (), ()), ("reset my password", TURNS, ()), ("reset my password", (), TURNS)],
    ids=["another query", "in a conversation", "out of its conversation"],
)
def test_any_other_query_is_wholly_the_corpus_writers(engine, query, history, authored_after):  # noqa: F811
    free = CorpusWriter(engine.index)
    assert with_authored(free, examples(authored_after), query, history) is free


def test_what_is_asked_besides_goes_to_the_corpus_writer_whose_title_it_keeps(engine):  # noqa: F811
    only = library.Authored("q1", "reset my password", (), {"rewrite": ("Reset a forgotten password",)})
    made = columns(engine, AuthoredWriter(only, CorpusWriter(engine.index)))
    assert made["rewrite"].written_by == "authored"
    assert made["hyde"].written_by == "corpus"
    assert made["hyde"].title.startswith("Feedback passages")


def test_a_follow_up_has_seen_its_history(engine):  # noqa: F811
    writer = with_authored(CorpusWriter(engine.index), examples(TURNS), "reset my password", TURNS)
    assert columns(engine, writer, history=TURNS)["rewrite"].saw_history


def test_whoever_chose_a_model_sees_the_model(engine):  # noqa: F811
    model = ScriptedWriter()
    assert with_authored(model, examples(), "reset my password", ()) is model


def test_an_evaluation_refuses_authored_texts_also_when_they_come_out_of_a_recording(engine, tmp_path):  # noqa: F811
    queries = [library.JudgedQuery("q1", "reset my password"), library.JudgedQuery("q5", "invoice address")]
    qrels = {"q1": {"d000": 1}, "q5": {"d002": 1}}
    writer = AuthoredWriter(examples()[0], CorpusWriter(engine.index))

    def measure(one):
        return evaluate(
            engine, queries, qrels, transforms=SIX, writer=one, settings=SearchSettings(), timed_queries=0
        )

    with pytest.raises(BadInput, match="'q1' is an authored example, which is never measured"):
        measure(writer)
    columns(engine, RecordingWriter(writer, tmp_path / "r.jsonl"))
    replay = RecordedWriter(tmp_path / "r.jsonl")
    assert columns(engine, replay)["hyde"].origins == ("authored example, not a model's",)
    with pytest.raises(BadInput, match="never measured"):
        measure(replay)
    assert measure(CorpusWriter(engine.index)).columns[0].titles


def test_a_recording_of_both_titles_each_text_after_who_wrote_it(engine, tmp_path):  # noqa: F811
    free = CorpusWriter(engine.index)
    recorder = RecordingWriter(AuthoredWriter(examples()[0], free), tmp_path / "r.jsonl")
    for query in ("reset my password", "invoice address"):
        columns(engine, recorder, query)
    replay = RecordedWriter(tmp_path / "r.jsonl")
    assert columns(engine, replay)["hyde"].title == "HyDE"
    assert columns(engine, replay, "invoice address")["hyde"].title.startswith("Feedback passages")


@pytest.mark.parametrize(
    "line", ['{"query_id": "zz", "query": "x"}', '{"query_id": "q1", "query": "other"}', "[]", '{"query_id": "q1"}']
)
def test_a_line_about_no_query_of_the_corpus_is_named(line):
    with pytest.raises(BadSource, match=r"authored\.jsonl, line 2"):
        read_authored(f"\n{line}".encode(), [library.JudgedQuery("q1", "reset my password")])


def test_whose_texts_a_formulation_holds():
    def by(*calls: Call) -> tuple:
        made = Formulation("hyde", "HyDE", Query("original", "q"), (), calls=calls)
        return made.written_by, made.origins

    model, kept = Call("hyde", "openai/x"), Call("hyde", "openai/x", recorded="recorded: openai/x, 2026-03-01")
    assert by() == (None, ())
    assert by(model) == ("model", ())
    assert by(Call("hyde", CorpusWriter.label)) == ("corpus", ("no LLM",))
    assert by(kept, kept) == ("recorded", ("recorded: openai/x, 2026-03-01",))
    assert by(Call("hyde", AUTHORED), model) == ("mixed", ("authored example, not a model's",))


def test_a_writer_under_another_context_stays_quiet_once_cancelled(engine):  # noqa: F811
    from ir_core.errors import Cancelled
    from ir_core.retrieval import IndexSearcher
    from ir_core.schema import Task

    writer = AuthoredWriter(examples()[0], CorpusWriter(engine.index))
    context = RunContext(writer=writer, searcher=IndexSearcher(engine, SearchSettings()))
    context.cancel.set()
    with pytest.raises(Cancelled):
        writer.write(Task("rewrite", "reset my password"), context)
    assert context.calls == ()
