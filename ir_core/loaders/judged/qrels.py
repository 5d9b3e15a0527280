"""Judgements in TREC's four columns, or as a comma-separated table, written as BEIR's three.

``ir_measures.read_trec_qrels`` reads the first, too, but says neither which line is wrong nor that two lines
contradict each other; lines stay where they are here, so that ``library.read_qrels`` can name them. A test holds the
two against each other.
"""

from __future__ import annotations

import csv

from ir_core.errors import BadSource
from ir_core.loaders._decode import decode


def to_beir(data: bytes, name: str = "The judgements") -> bytes:
    """Query id, document id and grade with tabs between, line by line; what fits no layout is left as it was.

    Four columns are TREC's (query, iteration, document, grade), three BEIR's; where tabs or commas stand between
    them, an id may hold spaces.

    :raises BadSource: when the bytes are no text, or, in a file whose first line is TREC's, naming the line that is
        no judgement. Of BEIR's files ``library.read_qrels`` does that.
    """
    try:
        text, _ = decode(data)
    except BadSource as error:
        raise BadSource(f"{name} {error}") from None
    lines = text.splitlines()
    made = [_three(line) for line in lines]
    first = next((line.split() for line in lines if line.strip()), [])
    if len(first) == 4 and _is_whole(first[3]):
        for number, (line, three) in enumerate(zip(lines, made, strict=True), start=1):
            fields = three.split("\t")
            if line.strip() and not (len(fields) == 3 and _is_whole(fields[2])):
                raise BadSource(
                    f"{name}, line {number}, is not TREC's four fields with white space between (query id, "
                    f"iteration, document id and a whole number): {line[:80]!r}. Correct the line."
                )
    return "\n".join(made).encode("utf-8", "replace")


def _is_whole(text: str) -> bool:
    try:
        return int(text) is not None
    except ValueError:
        return False


def _three(line: str) -> str:
    if "\t" in line:
        fields = [part.strip() for part in line.split("\t")]
    else:
        fields = line.split()
        if len(fields) not in (3, 4) and line.count(",") >= 2:
            fields = [part.strip() for part in next(csv.reader([line]))]
    if len(fields) == 1 and line.count(",") >= 2:
        fields = [part.strip() for part in next(csv.reader([line]))]
    if len(fields) == 4:
        fields = [fields[0], fields[2], fields[3]]
    return "\t".join(fields) if len(fields) == 3 else line
