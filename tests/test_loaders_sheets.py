"""Workbooks: sheets with a header as records, others as text; what is hidden, merged or not computed is said."""

from __future__ import annotations

import datetime

import pytest

from ir_core.errors import NeedsColumn
from ir_core.loaders import load_uploads
from tests.made_files_more import calculated, changed, xlsx
from tests.test_loaders_more import only, said

HEAD = ["id", "title", "text", "year"]
ROWS = [HEAD, [7, "T", "seven", 1999], [], ["x", "U", "ex", 2001]]


def test_a_sheet_with_a_header_is_read_as_a_csv_file_is():
    loaded = load_uploads([("a.xlsx", xlsx(Sheet1=ROWS))])
    plain = load_uploads([("a.csv", b"id,title,text,year\n7,T,seven,1999\n\nx,U,ex,2001\n")])
    assert loaded.problems == ()
    assert [item.raw for item in loaded.artifacts] == [{**item.raw, "id": item.id if item.id == "x" else 7}
                                                       for item in plain.artifacts]  # fmt: skip
    assert [(item.id, item.metadata["year"]) for item in loaded.artifacts] == [("7", 1999), ("x", 2001)]


def test_sheets_are_told_apart_and_those_that_give_nothing_are_named():
    def hide(book):
        from openpyxl.chart import BarChart

        book["Secret"].sheet_state = "hidden"
        book.create_chartsheet("Chart").add_chart(BarChart())

    data = xlsx(
        hide, Notes=[["Bees dance."], ["So they", None, "say."]], Data=ROWS, Secret=[["hidden"]], Empty=[]
    )  # fmt: skip
    loaded = load_uploads([("b.xlsx", data)])
    assert [(item.id, item.metadata["sheet"]) for item in loaded.artifacts] == [
        ("b.xlsx/Notes", "Notes"), ("7", "Data"), ("x", "Data"),
    ]  # fmt: skip
    assert loaded.artifacts[0].raw == "Bees dance.\nSo they | say."
    assert {(problem.name, problem.reason.partition(" and")[0]) for problem in loaded.problems} == {
        ("b.xlsx/Secret", "is a hidden sheet"), ("b.xlsx/Empty", "is an empty sheet"),
    }  # fmt: skip
    assert said("e.xlsx", xlsx(A=[])) == ["is an empty sheet"]


def test_formulas_give_their_stored_results_and_those_without_are_said():
    rows = [["text", "sum", "word"], ["a", ("=1+2", 3), ('=""', "none")], ["b", ("=2+2", 4), ("=A1", "text")]]
    artifacts = load_uploads([("a.xlsx", changed(calculated(rows), "xl/worksheets/sheet1.xml", b">none<", b"><"))])
    assert artifacts.problems == ()
    assert [(item.raw["sum"], item.raw["word"]) for item in artifacts.artifacts] == [(3, ""), (4, "text")]
    data = xlsx(Sheet1=[["text", "sum"], ["a", "=1+2"], ["b", 4], ["=A2", 5]])
    loaded = load_uploads([("a.xlsx", data)])
    assert [item.raw["text"] for item in loaded.artifacts] == ["a", "b"]
    assert [problem.lost for problem in loaded.problems] == [True, True]
    assert loaded.problems[0].reason.startswith(
        "has 2 formulas without a stored result, which are left blank: B2, A4"
    )
    assert loaded.problems[1].reason == "row 4 is blank and was left out"


def test_merged_cells_dates_titles_above_and_rows_that_are_too_long():
    def merge(book):
        book["S"].merge_cells("A3:A4")
        book["S"].merge_cells("A1:C1")

    rows = [["Inventory of bees"], ["kind", "text", "seen"],
            ["wild", "one", datetime.datetime(2024, 5, 1)], [None, "two", datetime.datetime(2024, 5, 1, 9, 30)],
            ["tame", "three", datetime.date(2024, 5, 2), "more"]]  # fmt: skip
    loaded = load_uploads([("a.xlsx", xlsx(merge, S=rows))])
    assert [(item.raw["kind"], item.metadata["seen"]) for item in loaded.artifacts] == [
        ("wild", "2024-05-01"), ("wild", "2024-05-01T09:30:00"), ("tame", "2024-05-02"),
    ]  # fmt: skip
    assert loaded.artifacts[2].raw["more fields"] == ["more"]
    assert [(problem.reason.partition(",")[0], problem.lost) for problem in loaded.problems] == [
        ("has lines above its header (row 2)", True),
        ("has more fields than its header on row 5; they are kept as 'more fields'", False),
    ]


def test_a_first_row_is_a_header_only_where_something_says_so():
    texts = [["Bees dance", "in the morning"], ["Wasps sting", "at noon"]]
    assert only("a.xlsx", xlsx(S=texts)).raw == "Bees dance | in the morning\nWasps sting | at noon"
    numbers = xlsx(S=[["item", "price"], ["hive", 90], ["smoker", 25.5]])
    with pytest.raises(NeedsColumn) as caught:
        load_uploads([("a.xlsx", numbers)])
    assert caught.value.columns == ("item", "price")
    loaded = load_uploads([("a.xlsx", numbers)], text_column="item")
    assert [(item.raw["text"], item.metadata["price"]) for item in loaded.artifacts] == [
        ("hive", 90),
        ("smoker", 25.5),
    ]


def test_a_sheet_that_says_it_is_a_million_rows_high_and_one_that_is_long(monkeypatch):
    data = xlsx(lambda book: book["S"].cell(1_048_576, 1, "last"), S=[["first"]])
    assert only("a.xlsx", data).raw == "first\nlast"
    monkeypatch.setattr("ir_core.loaders.spreadsheet.MAX_CELLS", 5)
    long = load_uploads([("a.xlsx", xlsx(S=[["text"], *[[f"t{n}"] for n in range(9)]], T=[["x"]]))])
    assert len(long.artifacts) == 4
    assert [problem.reason.partition(";")[0] for problem in long.problems] == [
        "was read up to row 5", "was left out: of a workbook 5 cells are read",
    ]  # fmt: skip
