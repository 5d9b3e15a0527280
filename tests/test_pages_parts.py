"""The parts of the pages that are plain functions: figures as words, moves, diffs, filters, links."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import BadFilter
from ir_core.params import values_of
from ir_core.schema import Call
from ir_core.transforms import TRANSFORMS
from pages._ui import cards, filters, links, moves, naming, numbers
from pages._ui.diff import added, word_diff
from pages._ui.filters import Row
from pages._ui.links import Link
from tests.made_results import result

CORPORA = ["help_center", "mine"]


def test_unknown_is_never_shown_as_zero():
    assert numbers.dollars(None) == numbers.seconds(None) == "unknown"
    assert numbers.dollars(0) == "$0"
    assert numbers.total([0.1, None]) is None
    assert numbers.total([]) == 0
    known = result(["a"], calls=[Call("hyde", "m", tokens_in=3, tokens_out=4, cost_usd=0.002)])
    unknown = result(["a"], calls=[Call("hyde", "m", tokens_in=3)])
    assert "$0.0020" in cards.head(0, "HyDE", result=known)
    assert cards.head(0, "HyDE", result=unknown).count("unknown") == 2


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0 ms"), (0.0141, "14 ms"), (0.9996, "1.0 s"), (1.42, "1.4 s"), (61.2, "61.2 s"), (125, "2 min 05 s")],
)
def test_seconds_as_words(value, words):
    assert numbers.seconds(value) == words


def test_moves_have_a_word_and_a_shape_and_count_what_left():
    original = result(["a", "b", "c"], below=["d"])
    other = result(["b", "a", "d"], title="HyDE", transform="hyde")
    found = moves.moves(other, original)
    assert {name: (move.shape, move.word) for name, move in found.items()} == {
        "b": ("▲", "up 1"), "a": ("▼", "down 1"), "d": ("◆", "new, was 4")
    }  # fmt: skip
    assert [hit.artifact_id for hit in moves.gone(other, original)] == ["c"]
    assert moves.moves(original, original) == {}
    assert not moves.unchanged([original, other])
    assert moves.unchanged([original, result(["a", "b", "c"])])


def test_where_a_document_went():
    one = result(["a"], below=["b"])
    assert moves.place(one, "a") == (1, "rank 1")
    assert moves.place(one, "b")[0] == 2
    assert "below the cut" in moves.place(one, "b")[1]
    assert moves.place(one, "x") == (None, "not retrieved: in none of the 1 lists")
    assert "skipped" in moves.place(result([], skip_reason="small talk"), "x")[1]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("turn on caching", "enable caching", "<del>turn on</del> <ins>enable</ins> caching"),
        ("what is RAG", "what is RAG?", "what is RAG?"),
        ("a", "a b", "a <ins>b</ins>"),
        ("a b", "a", "a <del>b</del>"),
        ("", "new", "<ins>new</ins>"),
        ("أين المتحف", "أين المتاحف", "أين <del>المتحف</del> <ins>المتاحف</ins>"),
    ],
)
def test_word_diff(before, after, shown):
    assert " ".join(word_diff(before, after).split()) == shown


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        ("see my files", "see my files: share, link", "share, link"),
        ("see my files?", "see my files? share", "share"),
        ("see my files", "who may see my files", ""),
        ("see my files", "see all files", ""),
        ("see my files", "see my files", ""),
    ],
)
def test_a_variant_that_is_the_query_and_more_shows_only_what_is_more(before, after, more):
    assert added(before, after) == more


def test_a_bad_value_in_a_link_is_not_called_gone_and_the_transform_stays():
    read = links.read({"t": ['multi_query:{"n":99}']}, CORPORA)
    assert [name for name, _ in read.link.transforms] == ["multi_query"]
    assert "99" in read.problems[0]
    assert "no longer exists" not in read.problems[0]


def test_a_strategy_is_called_by_its_label_also_where_a_link_names_it():
    assert naming.strategy_in_link("WholeText") == "Whole text"
    assert naming.strategy_in_link('Chunked:{"max_tokens":250}').startswith("Chunks, ")
    assert naming.strategy_in_link("Gone:{") == "Gone:{"


def test_filter_rows_follow_the_fields_types():
    types = {"year": "number", "code": "text", "on": "flag"}
    rows = [
        Row("year", "$gte", "2020"),
        Row("code", "$in", "2020, b"),
        Row("on", "$eq", "true"),
        Row("code", "$eq", " "),
    ]
    assert filters.to_filter(rows, types) == {
        "$and": [{"year": {"$gte": 2020}}, {"code": {"$in": ["2020", "b"]}}, {"on": {"$eq": True}}]
    }
    assert filters.to_filter(rows[:1], types) == {"year": {"$gte": 2020}}
    assert filters.to_filter([], types) is None
    assert filters.from_json("  ") is None
    for wrong in ("{", "[1]", "3"):
        with pytest.raises(BadFilter, match="Expected"):
            filters.from_json(wrong)


def reread(link: Link) -> links.Read:
    assert links.url("http://127.0.0.1:8501?old=1", link).startswith("http://127.0.0.1:8501/?")
    parts = urlsplit(links.url("http://127.0.0.1:8501/?old=1#x", link))
    fields = parse_qs(parts.query, keep_blank_values=True)
    assert "old" not in fields
    return links.read(fields, CORPORA)


TURNS = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": st.text(max_size=20)})


@given(
    query=st.text(alphabet=st.characters(codec="utf-8"), max_size=60),
    mode=st.sampled_from([None, "dense", "lexical", "hybrid"]),
    k=st.none() | st.integers(1, 100),
    n=st.integers(1, 8),
    history=st.lists(TURNS, max_size=3),
    chosen=st.none() | st.dictionaries(st.text(min_size=1, max_size=5), st.integers(), min_size=1, max_size=2),
)
def test_a_link_read_again_is_the_same_link(query, mode, k, n, history, chosen):
    settings = {"identity": {}, "multi_query": {"n": n}, "hyde": {}}
    wanted = Link(
        corpus="mine",
        query=query,
        mode=mode,
        k=k,
        transforms=tuple((name, values_of(TRANSFORMS.make(name, own))) for name, own in settings.items()),
        writer="openai/x",
        strategy="WholeText",
        index="abc",
        filter=chosen,
        kinds=("chunk",),
        expected="d 1",
        history=tuple(history),
    )
    read = reread(wanted)
    assert read.problems == []
    assert read.link == wanted


def test_links_of_the_first_release_still_work():
    text = (
        "v=1&corpus=help_center&q=who+can+see+my+files&mode=dense&k=7&t=identity&t=rewrite&t=multi_query%3A%7B%22n%22%3A5%7D"
        "&writer=corpus&strategy=WholeText&index=e20834&filter=%7B%22area%22%3A%22files%22%7D&kinds=document,chunk"
        "&expect=hc-001&history=%5B%7B%22role%22%3A%22user%22%2C%22content%22%3A%22hi%22%7D%5D"
    )
    read = links.read(parse_qs(text), CORPORA)
    link = read.link
    assert read.problems == []
    assert (link.corpus, link.query, link.mode, link.k) == ("help_center", "who can see my files", "dense", 7)
    assert [name for name, _ in link.transforms] == ["identity", "rewrite", "multi_query"]
    assert link.transforms[2][1]["n"] == 5
    assert (link.filter, link.kinds, link.expected) == ({"area": "files"}, ("document", "chunk"), "hc-001")
    assert link.history == ({"role": "user", "content": "hi"},)
    assert not link.writer_is_paid


def test_what_a_link_names_and_is_not_here_is_said_and_the_rest_kept():
    text = "corpus=help_centre&q=x&mode=fuzzy&k=0&t=rewritte&t=hyde&filter=%7B&history=%5B1%5D&t=multi_query:{&v=9"
    read = links.read(parse_qs(text), CORPORA)
    said = " ".join(read.problems)
    assert read.link.query == "x"
    assert [name for name, _ in read.link.transforms] == ["hyde", "multi_query"]
    for expected in (
        "Did you mean 'help_center'",
        "fuzzy",
        "k = '0'",
        "Did you mean 'rewrite'",
        "filter",
        "history",
        "version",
    ):
        assert expected in said, expected
    assert links.read({}, CORPORA).link == Link()
    assert Link(writer="openai/x").writer_is_paid


def test_a_link_with_too_many_transforms_keeps_as_many_as_can_be_asked():
    others = [name for name in TRANSFORMS.names() if name != "identity"][:9]
    read = links.read({"t": ["identity", *others]}, CORPORA)
    assert [name for name, _ in read.link.transforms] == ["identity", *others[: MAX_TRANSFORMS - 1]]
    assert "9 transforms; beside the original there is room for 7" in read.problems[0]
    assert links.read({"t": ["identity"]}, CORPORA).link.transforms == (("identity", {}),)
