"""Judgements in TREC's four columns, or as a comma-separated table, written as BEIR's three.

``ir_measures.read_trec_qrels`` reads the first, too, but says neither which line is wrong nor that two lines
contradict each other; lines stay where they are here, so that ``library.read_qrels`` can name them. A test holds the
two against each other.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

from ir_core.errors import BadSource
from ir_core.loaders._decode import decode


def to_beir(data: bytes, name: str = "The judgements") -> bytes:
    """Query id, document id and grade with tabs between, line by line; what fits no layout is left as it was.

    Four columns are TREC's (query, iteration, document, grade), three BEIR's; where tabs or commas stand between
    them, an id may hold spaces.

    :raises BadSource: when the bytes are no text, or, in a file of TREC's, naming the line that is no judgement. Of
        BEIR's files ``library.read_qrels`` does that.
    """
    try:
        text, _ = decode(data)
    except BadSource as error:
        raise BadSource(f"{name} {error}") from None
    lines = text.splitlines()
    trec = _is_trec([line for line in lines if line.strip()])
    made = []
    for number, line in enumerate(lines, start=1):
        fields = _of_trec(line) if trec else _of_any(line)
        if trec and line.strip() and not fields:
            raise BadSource(f"{name}, line {number}, {_wrong(line)}")
        made.append("\t".join([fields[0], *fields[-2:]]) if fields else line)
    return "\n".join(made).encode("utf-8", "replace")


def _is_trec(lines: Sequence[str]) -> bool:
    """By the first line: four fields or more, a number among them, which a header has not; nor BEIR's three with tabs
    between. Or all have TREC's usual iteration, wherever the tabs are."""
    words = [line.split() for line in lines]
    if not words or all(len(one) == 4 and one[1] in ("0", "Q0") for one in words):
        return bool(words)
    plain = lines[0].count("\t") != 2 and lines[0].count(",") < 2
    return plain and len(words[0]) >= 4 and any(_is_number(word) for word in words[0])


def _of_trec(line: str) -> list[str]:
    """Any white space separates, as for TREC's own tools; tabs alone where they make four fields, as of ids with
    spaces."""
    return next((one for one in (_tabs(line), line.split()) if len(one) == 4 and _is_whole(one[3])), [])


def _of_any(line: str) -> list[str]:
    ways = [_tabs(line)] if "\t" in line else [line.split()]
    if "\t" not in line and line.count(",") >= 2:
        ways.insert(0, [part.strip() for part in next(csv.reader([line]))])
    return next((one for one in ways if len(one) in (3, 4) and _is_whole(one[-1])), [])


def _wrong(line: str) -> str:
    """What a line of TREC's should have been, what it is, and the way out."""
    fields = next((one for one in (_tabs(line), line.split()) if len(one) == 4), line.split())
    why, way_out = f"It has {len(fields)} field{'s' * (len(fields) != 1)}.", "Correct the line or take it out."
    if len(fields) == 4:
        why = f"Its grade {fields[3][:20]!r} is not a whole number."
    if len(fields) == 6:
        way_out = "If every line has six, the file is a TREC run, a list of what was found: choose the qrels instead."
    return (
        "is not TREC's four fields with white space between (query id, iteration, document id and a whole number): "
        f"{line[:80] + '…' * (len(line) > 80)!r}. {why} {way_out}"
    )


def _tabs(line: str) -> list[str]:
    return [part.strip() for part in line.split("\t")]


def _is_whole(text: str) -> bool:
    try:
        return int(text) is not None
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    try:
        return float(text) is not None
    except ValueError:
        return False
