"""Filters: what each operator matches, and what is said about one that cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_core.errors import BadFilter
from ir_core.index.filters import evaluate

FIELDS = [
    {"year": 2019, "owner": "ours", "due": "2024-03-01", "tags": ["a", "b"], "open": True},
    {"year": 2021.5, "owner": "theirs", "due": "2024-03-01T09:30:00+02:00", "tags": ["b"], "open": False},
    {"year": "2021", "owner": "ours", "due": "later"},
    {},
]
KNOWN = {"year", "owner", "due", "tags", "open"}


def matched(filter):
    mask = evaluate(filter, FIELDS, KNOWN)
    return None if mask is None else [row for row, good in enumerate(mask) if good]


@pytest.mark.parametrize(
    ("filter", "rows"),
    [
        ({"owner": "ours"}, [0, 2]),
        ({"owner": {"$eq": "ours"}}, [0, 2]),
        ({"owner": {"$ne": "ours"}}, [1]),
        ({"year": {"$in": [2019, "2021"]}}, [0, 2]),
        ({"year": {"$in": []}}, []),
        ({"year": {"$nin": [2019]}}, [1, 2]),
        ({"year": {"$nin": []}}, [0, 1, 2]),
        ({"year": {"$gt": 2019}}, [1]),
        ({"year": {"$gte": 2019}}, [0, 1]),
        ({"year": {"$lt": "3"}}, [2]),
        ({"year": {"$gte": 2019, "$lt": 2020}}, [0]),
        ({"year": {"$gte": 2019}, "owner": "ours"}, [0]),
        ({"tags": {"$contains": "b"}}, [0, 1]),
        ({"tags": {"$contains": 1}}, []),
        ({"tags": ["b"]}, [1]),
        ({"owner": {"$contains": "our"}}, []),
        ({"open": True}, [0]),
        ({"open": 1}, []),
        ({"$and": [{"owner": "ours"}, {"year": 2019}]}, [0]),
        ({"$or": [{"owner": "theirs"}, {"year": 2019}]}, [0, 1]),
        ({"$not": {"owner": "ours"}}, [1, 3]),
        ({"owner": {"$not": {"$ne": "ours"}}}, [0, 2, 3]),
    ],
)
def test_operators(filter, rows):
    assert matched(filter) == rows


def test_texts_compare_as_dates_where_both_are_and_as_text_where_not():
    assert matched({"due": {"$lt": "2024-03-01T08:00:00Z"}}) == [0, 1]  # 09:30 at +02:00 is 07:30 UTC
    assert matched({"due": {"$eq": "2024-03-01T00:00:00Z"}}) == [0]
    assert matched({"due": {"$gt": "kept"}}) == [2]
    assert matched({"due": {"$gt": "0001-01-01T00:00:00+14:00"}}) == [0, 1, 2]


def test_nothing_asked_is_everything_allowed():
    assert matched(None) is None
    assert matched({}) is None


@pytest.mark.parametrize(
    ("filter", "said"),
    [
        ({"ownr": "ours"}, "field 'ownr' is unknown. Did you mean 'owner'? Known: due, open, owner, tags, year."),
        ({"year": {"$gtr": 1}}, "Did you mean '$gt'?"),
        ({"$nor": [{"year": 1}]}, "Known: $and, $not, $or."),
        ({"$eq": 3}, "A comparison stands inside a field."),
        ({"$or": []}, "$or needs a list of at least one filter, not []"),
        ({"$and": {"year": 1}}, "$and needs a list"),
        ({"$not": [1]}, "[1] is no filter"),
        (["year"], "is no filter; expected an object"),
        ({"year": {}}, "'year' is compared with nothing"),
        ({"year": {"$in": 3}}, "$in of 'year' needs a list of values, not 3"),
        ({"year": {"$gt": [1]}}, "needs one value, not the list [1]"),
        ({"year": {"$gt": True}}, "needs a number, a date or a text, not true"),
        ({"year": None}, "cannot compare with null"),
        ({"year": {"$eq": {"a": 1}}}, 'cannot compare with {"a": 1}'),
    ],
)
def test_what_is_no_filter_says_why(filter, said):
    with pytest.raises(BadFilter) as caught:
        matched(filter)
    assert said in str(caught.value)


def test_an_unknown_field_is_an_error_in_every_branch_and_without_documents():
    with pytest.raises(BadFilter):
        evaluate({"$or": [{"year": 1}, {"nope": 1}]}, [], KNOWN)
    with pytest.raises(BadFilter, match="no fields to filter on"):
        evaluate({"year": 1}, [{}], set())


def test_a_bottomless_filter_is_refused():
    for wrap in (lambda part: {"$not": part}, lambda part: {"$and": [part]}, lambda part: {"year": [part]}):
        deep = {"year": 1}
        for _ in range(5_000):
            deep = wrap(deep)
        with pytest.raises(BadFilter, match="nested more than"):
            matched(deep)


def test_a_text_is_a_number_where_the_field_holds_nothing_else():
    fields = [{"n": 2019, "mixed": 2019}, {"n": 2021.5, "mixed": "2021"}, {}]
    for filter, rows in (
        ({"n": "2019"}, [0]),
        ({"n": {"$gte": " 2019 "}}, [0, 1]),
        ({"n": {"$in": ["2021.5", 3]}}, [1]),
        ({"n": {"$ne": "2019"}}, [1]),
        ({"n": "many"}, []),
        ({"mixed": "2019"}, []),
        ({"mixed": "2021"}, [1]),
    ):
        assert list(evaluate(filter, fields, {"n", "mixed"}).nonzero()[0]) == rows, filter


VALUES = st.one_of(
    st.integers(-3, 3),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text("ab", max_size=2),
    st.lists(st.integers(0, 2)),
)
SCALARS = st.one_of(st.integers(-3, 3), st.floats(allow_nan=False), st.text("ab", max_size=2))


@settings(deadline=None)
@given(values=st.lists(VALUES | st.none(), max_size=12), operand=SCALARS)
def test_comparisons_part_the_rows_that_have_the_field(values, operand):
    fields = [{"x": value} for value in values]

    def rows(sign, what):
        return set(evaluate({"x": {sign: what}}, fields, {"x"}).nonzero()[0])

    held = {row for row, value in enumerate(values) if value is not None}
    assert rows("$eq", operand) | rows("$ne", operand) == held
    assert not rows("$eq", operand) & rows("$ne", operand)
    assert rows("$in", [operand]) == rows("$eq", operand)
    ordered = [rows(sign, operand) for sign in ("$lt", "$eq", "$gt")]
    assert set().union(*ordered) == rows("$lte", operand) | rows("$gte", operand)
    assert sum(map(len, ordered)) == len(set().union(*ordered))
    same = {row for row in held if isinstance(values[row], str) == isinstance(operand, str)}
    assert set().union(*ordered) == {r for r in same if not isinstance(values[r], bool | list)}
