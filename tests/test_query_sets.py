"""Query sets that are kept beside a corpus, and hits judged by hand."""

from __future__ import annotations

import pytest

from ir_core import library, visits
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.library import JudgedQuery, sets
from ir_core.library.sets import kept
from tests.app import ROOT

CORPUS = "help_center"
ASKED = JudgedQuery(
    "a", "واحد؟", "vocabulary", ({"role": "user", "content": "hi"},), ("yes", "no"), "boss", "tune", {"year": 2024}
)


TWO = (ASKED, JudgedQuery("b", "two"))


def add(title="Mine", queries=TWO, qrels=None, **more):
    return library.add_query_set(CORPUS, title, queries, qrels or {"a": {"d 1": 2, "d2": -1}}, **more)


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_set_is_kept_whole_beside_the_corpus_own_which_stays_the_default():
    made = add(source="asked.csv")
    again = library.query_set(CORPUS, made.name)
    assert again == made
    assert (again.title, again.kind, again.source, again.n_queries, again.n_judgements) == (
        "Mine", "imported", "asked.csv", 2, 2,
    )  # fmt: skip
    assert again.queries() == [ASKED, JudgedQuery("b", "two", split=again.queries()[1].split)]
    assert again.qrels() == {"a": {"d 1": 2, "d2": -1}}
    assert [one.name for one in library.query_sets(CORPUS)] == ["own", "mine"]
    assert library.query_set(CORPUS).queries() == library.corpus(CORPUS).queries()


def test_names_are_free_and_a_stranger_reaches_nothing_by_them():
    assert [add().name, add().name, add("Own").name] == ["mine", "mine-2", "own-2"]
    assert library.query_sets(CORPUS)[2].title == "Mine (2)"
    for name in ("../../corpora", "mine/..", "", "gone"):
        with pytest.raises(UnknownName, match="query set of this corpus"):
            library.query_set(CORPUS, name)


def test_deleting_takes_only_that_set_and_never_the_own_one():
    made, other = add(), add("Other")
    library.delete_query_set(CORPUS, made.name)
    assert [one.name for one in library.query_sets(CORPUS)] == ["own", other.name]
    with pytest.raises(BadSource, match="may have been deleted"):
        made.queries()
    with pytest.raises(BadInput, match="come with its documents"):
        library.delete_query_set(CORPUS, "own")


def test_the_store_is_bounded_and_a_refused_set_costs_nothing(monkeypatch):
    monkeypatch.setattr(kept, "MOST_SETS", 2)
    add(), add()
    for said, act in (
        ("2 query sets are kept", add), ("is empty, so there is nothing to keep", lambda: add(queries=())),
        ("title; this one is blank", lambda: add(" ")),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=said):
            act()
    monkeypatch.setattr(kept, "MOST_SETS", 9)
    monkeypatch.setattr(kept, "MAX_SET_BYTES", 50)
    with pytest.raises(BadInput, match=r"there is room for 0\.0 MB"):
        add("Large")
    assert len(library.query_sets(CORPUS)) == 3
    assert not [path for path in kept.home().rglob(".new-*") if path.is_dir()]


def test_a_damaged_set_is_left_out_and_the_others_stay(home):
    made = add()
    add("Other")
    (made.folder / "set.json").write_text("{", "utf-8")
    assert [one.name for one in library.query_sets(CORPUS)] == ["own", "other"]


def test_sets_go_with_their_corpus():
    corpus = library.add_upload("Notes", [("a.txt", b"The ferry leaves at noon.")]).name
    library.add_query_set(corpus, "Mine", [ASKED], {})
    library.delete(corpus)
    again = library.add_upload("Notes", [("a.txt", b"Another ferry.")]).name
    assert again == corpus
    assert [one.name for one in library.query_sets(again)] == ["own"]


def test_on_a_shared_server_a_visit_has_its_own_and_reads_everybodys():
    everybodys = add("For all").name
    with visits.entered("a" * 24):
        sets.mark(CORPUS, "new", "d", 1)
        assert [one.name for one in library.query_sets(CORPUS)] == ["own", everybodys, "my-judgements"]
        with pytest.raises(BadInput, match="belongs to somebody else"):
            library.delete_query_set(CORPUS, everybodys)
    with visits.entered("b" * 24):
        assert [one.name for one in library.query_sets(CORPUS)] == ["own", everybodys]
        assert sets.marked(CORPUS, "new") is None


# judged by hand


def test_a_label_is_corrected_in_a_copy_and_the_sample_stays():
    before = files(ROOT / "sample_corpora" / CORPUS)
    own = library.corpus(CORPUS)
    query = next(one for one in own.queries() if one.answers and not one.history)
    judged = own.qrels()[query.id]
    gold = next(name for name, grade in judged.items() if grade > 0)
    sets.mark(CORPUS, query.text, gold, 0)
    made = sets.mark(CORPUS, f"  {query.text} ", "hc-999", 1)
    assert (made.title, made.kind) == ("My judgements", "hand-made")
    assert made.queries() == [query]
    assert made.qrels() == {query.id: {**judged, gold: 0, "hc-999": 1}}
    found = sets.marked(CORPUS, query.text)
    assert (found.by_hand, found.grades["hc-999"]) == (True, 1)
    assert files(ROOT / "sample_corpora" / CORPUS) == before
    sets.unmark(CORPUS, query.text)
    assert sets.marked(CORPUS, query.text).grades == judged
    assert len(library.query_sets(CORPUS)) == 1


def test_right_keeps_a_higher_grade_and_none_takes_a_judgement_back():
    own = library.corpus(CORPUS)
    query, best = next(
        (one, name) for one in own.queries() for name, grade in own.qrels().get(one.id, {}).items() if grade == 2
    )
    assert sets.mark(CORPUS, query.text, best, 1, query.history).qrels()[query.id][best] == 2
    assert best not in sets.mark(CORPUS, query.text, best, None, query.history).qrels()[query.id]


def test_new_queries_their_turns_and_their_category():
    turns = ({"role": "user", "content": "I lost my phone"},)
    sets.mark(CORPUS, "and now?", "hc-001", 1)
    sets.mark(CORPUS, "and now?", "hc-002", 0, turns)
    made = sets.mark_category(CORPUS, "and now?", " follow  up ", turns)
    alone, after = made.queries()
    assert (alone.history, after.history, after.category) == ((), turns, "follow up")
    assert made.qrels() == {alone.id: {"hc-001": 1}, after.id: {"hc-002": 0}}
    assert sets.marked(CORPUS, "and now?", turns).grades == {"hc-002": 0}
    for act in (lambda: sets.mark(CORPUS, " ", "d", 1), lambda: sets.mark_category(CORPUS, "x", "y" * 99)):
        with pytest.raises(BadInput):
            act()


def test_a_set_that_happens_to_have_that_title_is_not_written_to():
    add("My judgements")
    made = sets.mark(CORPUS, "new", "d", 1)
    assert made.kind == "hand-made"
    assert library.query_set(CORPUS, "my-judgements").kind == "imported"
    assert sets.mark(CORPUS, "new", "e", 1).name == made.name
