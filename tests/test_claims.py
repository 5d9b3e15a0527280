"""docs/claims.md: every figure stands in the table it names, and the word beside it follows from its interval."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.compare.instruments import instruments
from scripts import claims_table, worksheet
from scripts._claims import CORPUS, HOPS, Row

DOCS = Path(__file__).parent.parent / "docs"
LINE = re.compile(
    r"\|[^|]*\|[^|]*\| .*: (?P<before>[\d.]+) → (?P<after>[\d.]+), "
    r"(?P<figure>[+-][\d.]+ \[(?P<low>[+-][\d.]+), (?P<high>[+-][\d.]+)\]) "
    r"\(\[[^]]+\]\((?P<file>[^)]+)\)\) \| (?P<n>\d+) \| (?P<verdict>.*) \|"
)


def test_the_document_is_what_the_command_writes():
    assert (DOCS / "claims.md").read_text("utf-8") == claims_table.text(), "run python -m scripts.claims_table"


def test_every_figure_stands_in_one_row_of_the_table_it_names():
    lines = [
        line for line in (DOCS / "claims.md").read_text("utf-8").splitlines() if " → " in line and line[0] == "|"
    ]
    assert len(lines) > 50
    for line in lines:
        found = LINE.fullmatch(line)
        assert found, line
        table = (DOCS / found["file"]).read_text("utf-8")
        rows = [row.replace("*", "") for row in table.splitlines() if row.startswith("|")]
        assert any(found["after"] in row and found["figure"] in row for row in rows), line
        assert any(f"| {found['before']} |" in row for row in rows), line
        assert re.search(rf"\b{found['n']}\b", table), line
        low, high = float(found["low"]), float(found["high"])
        word = "supports" if low > 0 else "contradicts" if high < 0 else "no evidence"
        assert word in found["verdict"], line


def test_the_tables_and_commands_it_names_are_there():
    for file, command in claims_table.COMMANDS.items():
        assert (DOCS / file).is_file()
        assert (DOCS.parent / f"{command.replace('.', '/')}.py").is_file()


TABLE = """
## one

12 queries.

| transform | leg | nDCG@10 | difference | n |
|---|---|---|---|---|
| Original | hybrid | 0.500 |  | 11 |
| X | hybrid | 0.400 | **-0.100 [-0.200, -0.050]** | 11 |

## other

| leg | queries from | recall@10 |
|---|---|---|
| hybrid | Original | 0.1 |
| hybrid | X | 0.3<br>+0.200 [+0.000, +0.300] |
"""


def test_both_kinds_of_table_are_read_and_a_row_that_is_gone_is_an_error(tmp_path):
    for name in (CORPUS, HOPS):
        (tmp_path / name).write_text(TABLE)
    one = claims_table.read(Row(CORPUS, "one", ("X", "hybrid"), "nDCG@10", "x"), tmp_path)
    assert (one.before, one.after, one.difference, one.n) == ("0.500", "0.400", "-0.100 [-0.200, -0.050]", "11")
    assert one.verdict == "contradicts"
    other = claims_table.read(Row(HOPS, "other", ("hybrid", "X"), "recall@10", "x"), tmp_path)
    assert (other.before, other.after, other.verdict) == ("0.1", "0.3", "no evidence")
    for row in (Row(HOPS, "other", ("hybrid", "Y"), "recall@10", "x"), Row(HOPS, "third", ("X",), "recall@10", "x")):
        with pytest.raises(KeyError):
            claims_table.read(row, tmp_path)


def test_the_worksheet_is_what_its_command_writes_and_the_lesson_names_scenes_there_are():
    assert (DOCS / "worksheet.md").read_text("utf-8") == worksheet.text(), "run python -m scripts.worksheet"
    lesson = (DOCS / "lesson.md").read_text("utf-8")
    named = set(re.findall(r"`((?:hc|pr)-[a-z-]+)`", lesson))
    assert named == set(worksheet.ORDER), "the lesson and its worksheet go through the same scenes"
    labels = {item.label for item in instruments()}
    for name in ("What moved", "What the text became", "Map", "Fused ranking", "Without a query", "Hops",
                 "Find a document", "Time and cost"):  # fmt: skip
        assert name in labels
        assert f"*{name}*" in lesson.replace("\n", " ")
    minutes = re.findall(r"^\| (\d+)–(\d+) \|", lesson, re.MULTILINE)
    assert [end for _, end in minutes][:-1] == [start for start, _ in minutes][1:]
    assert (minutes[0][0], minutes[-1][1]) == ("0", "90")
