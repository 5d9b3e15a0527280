"""Repeated headers and footers: lines that are alike by their words, and none that only have numbers in one place."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ir_core.analysis.health import Material
from ir_core.analysis.health.repeated_lines import RepeatedLines
from ir_core.schema import Artifact
from ir_core.strategies import text_of

N = 60
SUBJECTS = ("otters", "bridges", "pianos", "harbours", "lichens", "violins", "tunnels", "glaciers", "kites", "ovens")


def body(number: int) -> str:
    """No line of it is in another document."""
    one, other = SUBJECTS[number % 10], SUBJECTS[number // 10]
    return f"All about {one} and {other}.\nWhoever keeps {one} near {other} is asked to write.\nThe {other} of {one}."


def found(texts) -> list[tuple[int, str]]:
    """How many documents each line is said to be in (twelve are named at most), and the line."""
    artifacts = [one if isinstance(one, Artifact) else Artifact(f"d{n}", one) for n, one in enumerate(texts)]
    index = SimpleNamespace(
        n=len(artifacts),
        surfaces=[SimpleNamespace(id=one.id, text=text_of(one.raw)) for one in artifacts],
        artifact_ids=[one.id for one in artifacts],
        artifact_of=range(len(artifacts)),
    )
    check = RepeatedLines().look(Material(index, None, {one.id: one for one in artifacts}))
    return [(len(one.ids), one.text) for one in check.examples] if check else []


def with_lines(lines, at_end=False) -> list[str]:
    return [f"{body(n)}\n{line}" if at_end else f"{line}\n{body(n)}" for n, line in enumerate(lines)]


DAYS = st.dates()
NUMBERS = st.integers(0, 99_999)
VARYING = {
    "iso date": DAYS.map(str),
    "European date": DAYS.map(lambda day: f"{day:%d/%m/%Y}"),
    "date in words": DAYS.map(lambda day: f"{day:%A, %d %B %Y}"),
    "date of a month": st.integers(1, 31).map(lambda day: f"Monday, {day} March 2026"),
    "time": st.datetimes().map(lambda time: f"{time:%Y-%m-%dT%H:%M:%SZ}"),
    "labelled time": st.datetimes().map(lambda time: f"Received: {time:%d %B %Y %H:%M}"),
    "phone": st.tuples(NUMBERS, NUMBERS).map(lambda pair: f"+49 (0) {pair[0]:05} {pair[1]:05}"),
    "labelled phone": NUMBERS.map(lambda number: f"Phone: +1 (555) 01{number:05} ext. 4"),
    "invoice": NUMBERS.map(lambda number: f"INV-2026-{number:05}"),
    "labelled invoice": NUMBERS.map(lambda number: f"Invoice number: INV-2026-{number:05}"),
    "invoice in words": NUMBERS.map(lambda number: f"Invoice No. {number:05}"),
    "amount": NUMBERS.map(lambda cents: f"EUR {cents / 100:,.2f} net"),
    "labelled amount": NUMBERS.map(lambda cents: f"Amount due on receipt: ${cents / 100:,.2f}"),
    "page number alone": st.integers(1, 12).map(lambda page: f"- {page} / 12345678 -"),
}
FEW = ("date of a month", "page number alone")
"""Of which there are not sixty."""


@pytest.mark.parametrize("kind", VARYING)
@settings(max_examples=20)
@given(data=st.data())
def test_lines_that_differ_in_what_they_say_are_no_header(kind, data):
    lines = data.draw(st.lists(VARYING[kind], min_size=N, max_size=N, unique=kind not in FEW))
    assert found(with_lines(lines, at_end=data.draw(st.booleans()))) == []


@pytest.mark.parametrize(
    "line",
    [
        "Page {} of 60", "Seite {} von 60", "صفحة {} من 60", "Confidential – Draft 4 – page {}",
        "Acme: page {} of 60", "ACME Handbook, internal use only, 2026-03-{:02}",
        "{}. Sitzung des Rates der Stadt Musterstadt am 12.03.2026",
    ],
)  # fmt: skip
@pytest.mark.parametrize("at_end", [False, True])
def test_numbers_among_words_make_no_difference(line, at_end):
    ((count, text),) = found(with_lines([line.format(n + 1) for n in range(N)], at_end))
    assert (count, text) == (12, line.format(1)), "twelve are shown"


@pytest.mark.parametrize("line", ["© 2024 Acme", "Phone: +49 30 1234567", "Strictly confidential"])
def test_the_very_same_line_recurs_whatever_is_in_it(line):
    assert [text for _, text in found(with_lines([line] * 6 + [f"Otherwise {n}x" for n in range(54)]))] == [line]


@pytest.mark.parametrize("line", ["## Description", "Arguments:", "**Arguments:**", "2026-03-21", "INV-2026-11073"])
def test_headings_labels_and_bare_numbers_are_no_header(line):
    assert found(with_lines([line] * N)) == []


def test_fields_of_records_are_no_lines_of_a_text():
    """A record without a text that is known as one gives all its fields, below each other."""
    turns = [
        Artifact(f"t{n}", {
            "user": body(n), "assistant": f"Ask the keeper of number {n}x.", "project": "query-server",
            "model": "model-large-4", "time": f"2026-02-01T10:{n:02}:00Z",
        })
        for n in range(N)
    ]  # fmt: skip
    assert found(turns) == []
    titled = [Artifact(f"p{n}", {"title": "The otters of Europe", "text": body(n)}) for n in range(N)]
    assert found(titled) == []
    headed = [replace(one, raw={**one.raw, "text": f"Acme, for internal use\n{one.raw['text']}"}) for one in titled]
    assert [text for _, text in found(headed)] == ["Acme, for internal use"]
