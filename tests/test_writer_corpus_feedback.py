"""What the corpus writer takes from the first hits; its calls, its statistics, and too little to work with."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

from ir_core.errors import Cancelled, TaskUnsupported, WriterError
from ir_core.protocols import RunContext
from ir_core.schema import Ranking, Task
from ir_core.text import QUOTED, quoted, stem, stopwords, tokenise
from ir_core.transforms import TRANSFORMS
from ir_core.writers.corpus import CorpusWriter, statistics
from ir_core.writers.corpus.hyde import BETA, TITLE
from tests.corpus_writer import LIBRARY, context_for, index_of, write

FEEDBACK = ("multi_query", "hyde", "step_back")
QUERY = "book returned late, what does it cost?"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("library")))
        yield index_of(LIBRARY.items())


def added(query: str, text: str) -> list[str]:
    return tokenise(text.removeprefix(query))


def test_variants_add_new_words_of_the_corpus_and_share_none(library):
    variants = write(library, "multi_query", QUERY, n=3)
    assert 2 <= len(variants) <= 3
    words = [added(QUERY, variant.text) for variant in variants]
    flat = [stem(word) for each in words for word in each]
    assert all(words)
    assert len(flat) == len(set(flat))
    assert not {stem(word) for word in tokenise(QUERY)} & set(flat)
    assert not stopwords("en") & {word for each in words for word in each}
    assert all(library.document_frequency(word) for each in words for word in each)
    assert all(0 < variant.weight <= 1 and "words of" in variant.note for variant in variants)


def test_the_bag_of_a_variant_is_a_mixture(library):
    """RM3: the query's words and the feedback's, together one distribution."""
    for variant in write(library, "multi_query", QUERY, n=2):
        assert variant.terms is not None
        assert sum(variant.terms.values()) == pytest.approx(1)
        assert set(tokenise(QUERY)) < set(variant.terms)


def test_feedback_passages_quote_stored_surfaces_by_name(library):
    (made,) = write(library, "hyde", QUERY)
    assert len(made.surface_ids) == 3
    assert made.weight == BETA
    for surface_id, passage in zip(made.surface_ids, made.text.split("\n\n"), strict=True):
        surface = library.surfaces[library.row_of[surface_id]]
        assert surface.text.startswith(passage)
        assert surface.text.split("\n")[0].rstrip(".") in made.note
    assert "in place of HyDE" in TITLE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Short. Stays.", "Short. Stays."),
        ("A sentence of some length here. " * 20, ("A sentence of some length here. " * 9).strip()),
        ("word " * 200, ("word " * 60).strip() + " …"),
        ("字" * 400, "字" * 300 + " …"),
        ("جملة عربية قصيرة هنا؟ " * 30, ("جملة عربية قصيرة هنا؟ " * 13).strip()),
    ],
)
def test_quotes_end_with_a_sentence_where_one_ends(text, shown):
    assert quoted(text) == shown
    assert len(shown) <= QUOTED + 2


def test_the_broader_text_drops_what_narrows(library):
    (made,) = write(library, "step_back", "late book fine of 27 cents in March 2024")
    words = tokenise(made.text)
    assert "late" in words
    assert "book" in words
    assert not {"27", "2024", "march"} & set(words)
    assert "27" in made.note
    assert made.weight <= 1


@pytest.mark.parametrize("task", sorted(CorpusWriter.tasks))
def test_every_task_is_free_recorded_and_the_same_each_time(library, task):
    writer = CorpusWriter(library)
    context = context_for(library, writer)
    once = writer.write(Task(task, QUERY, n=3), context)
    assert once == write(library, task, QUERY, n=3)
    (call,) = context.calls
    assert (call.task, call.model, call.texts) == (task, writer.label, tuple(text.text for text in once))
    assert (call.tokens_in, call.tokens_out, call.cost_usd) == (0, 0, 0.0)
    assert call.seconds > 0
    assert all(text.note for text in once)


def test_all_tasks_of_one_query_search_once(library):
    writer = CorpusWriter(library)
    asked = []
    for task in FEEDBACK:
        context = context_for(library, writer)
        writer.write(Task(task, QUERY, n=3), context)
        (step,) = context.searcher.steps
        asked.append(([query.text for query in step.queries], len(step.rankings[0].hits)))
    assert asked == [asked[0]] * len(FEEDBACK)


@pytest.mark.parametrize("task", FEEDBACK)
def test_nothing_found_is_said_plainly(library, task):
    class Nothing:
        steps = ()

        def search(self, queries, **options):
            return [Ranking(query.id, "fused", ()) for query in queries]

    with pytest.raises(WriterError, match="found no document"):
        CorpusWriter(library).write(Task(task, QUERY), RunContext(CorpusWriter(library), Nothing()))


@pytest.mark.parametrize("query", ["the of and", "📚", "fine", "x" * 2_000, "؟", "كتاب متأخر"])
@pytest.mark.parametrize(
    "documents",
    [
        [("One", "A single document about fines.")],
        [("Same", "The very same text.")] * 30,
        list(LIBRARY.items()),
        [("📚", "📚📚📚")],
        [("متأخر", "الكتاب متأخر والغرامة تدفع"), ("غرامة", "تدفع الغرامة في المكتبة عند المكتب")],
    ],
    ids=["one", "identical", "library", "emoji", "arabic"],
)
def test_too_little_gives_the_original_or_a_sentence(query, documents):
    """The whole way through the transform: it never fails, and never searches something blank."""
    index = index_of(documents)
    writer = CorpusWriter(index)
    for name in TRANSFORMS.names():
        made = TRANSFORMS.make(name).formulate(query, (), context_for(index, writer))
        assert all(part.text.strip() for part in made.queries)
        reason = made.fallback_reason or "."
        assert reason.endswith((".", ".)"))
        assert "unexpected" not in reason


def test_an_arabic_query_gets_feedback_in_arabic(library):
    arabic = index_of(
        [
            ("الغرامة", "تدفع الغرامة عند إعادة الكتاب متأخرا في المكتبة."),
            ("الإعارة", "مدة إعارة الكتاب أسبوعان في المكتبة عند المكتب."),
            ("المكتبة", "تفتح المكتبة صباحا. الغرامة تدفع عند المكتب."),
            *[(f"نص {n}", f"حديقة مدينة طريق {n}") for n in range(6)],
        ]
    )
    variants = write(arabic, "multi_query", "غرامة الكتاب", n=2)
    assert all(added("غرامة الكتاب", variant.text) for variant in variants)


def test_a_task_it_cannot_do_and_a_cancelled_run(library):
    writer = CorpusWriter(library)
    with pytest.raises(TaskUnsupported):
        writer.write(Task("translate", QUERY), context_for(library, writer))
    context = context_for(library, writer)
    context.cancel.set()
    with pytest.raises(Cancelled):
        writer.write(Task("hyde", QUERY), context)


def test_statistics_are_made_once_by_many_threads_and_let_the_index_go():
    class Plain:
        pass

    made: list[int] = []

    def slow(_: object) -> int:
        made.append(1)
        threading.Event().wait(0.02)
        return 7

    got: list[int] = []

    def ask(index: Plain) -> None:
        got.append(statistics.derived(index).get(slow))

    index = Plain()
    threads = [threading.Thread(target=ask, args=(index,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (got, made) == ([7] * 8, [1])
    alive, kept = weakref.ref(index), statistics.derived(index)
    del index, threads
    gc.collect()
    assert alive() is None
    assert kept.get(slow) == 7
    with pytest.raises(WriterError, match="closed"):
        kept.get(lambda index: index)
