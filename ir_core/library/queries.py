"""Judged queries: queries.jsonl and qrels/*.tsv in BEIR's layout, with what this project adds as metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ir_core.errors import BadSource
from ir_core.schema import Turn

Split = Literal["tune", "test"]
Qrels = dict[str, dict[str, int]]
"""Query id to document id to grade; a grade above 0 is relevant."""


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query somebody judged documents for. ``set`` is "boss", "regression" or None; ``metadata`` is the rest."""

    id: str
    text: str
    category: str | None = None
    history: tuple[Turn, ...] = ()
    answers: tuple[str, ...] = ()
    set: str | None = None
    split: Split = "test"
    metadata: Mapping[str, Any] = field(default_factory=dict)


def split_of(query_id: str) -> Split:
    """Settings are chosen on "tune" (an even SHA-256 of the id) and reported on "test"."""
    even = int(hashlib.sha256(query_id.encode("utf-8", "surrogatepass")).hexdigest(), 16) % 2 == 0
    return "tune" if even else "test"


def read_queries(data: bytes) -> list[JudgedQuery]:
    """Every query of a queries.jsonl, in its order.

    :raises BadSource: naming the line that is no query, or whose id another has; a measurement must not leave one out
        in silence.
    """
    found = []
    seen: dict[str, int] = {}
    for number, line in enumerate(data.decode("utf-8-sig", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            query = _query(record)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"
            raise BadSource(
                f"queries.jsonl, line {number}, is not a query with _id and text ({what}). Correct the line."
            ) from None
        if query.id in seen:
            raise BadSource(
                f"queries.jsonl, lines {seen[query.id]} and {number}, have the same id {query.id!r}, so a judgement "
                "cannot say which it means. Give each query an id of its own."
            )
        seen[query.id] = number
        found.append(query)
    return found


def read_qrels(data: bytes) -> Qrels:
    """The judgements of a qrels file: query id, document id and grade, tabs between; a header line is skipped.

    :raises BadSource: naming the line that is no judgement, or contradicts an earlier one.
    """
    found: Qrels = {}
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), start=1):
        fields = [part.strip() for part in line.split("\t")]
        if not line.strip() or (number == 1 and not fields[-1].lstrip("+-").replace(".", "", 1).isdigit()):
            continue
        try:
            query_id, document_id, written = fields
            grade = int(written)
        except ValueError:
            raise BadSource(
                f"The judgements, line {number}, are not query id, document id and a whole number with tabs between: "
                f"{line[:80]!r}. Correct the line."
            ) from None
        before = found.setdefault(query_id, {}).setdefault(document_id, grade)
        if before != grade:
            raise BadSource(
                f"The judgements, line {number}, give {document_id!r} for the query {query_id!r} the grade {grade}, "
                f"and an earlier line gave it {before}. Keep one of them."
            )
    return found


def _query(record: Mapping[str, Any]) -> JudgedQuery:
    query_id, text = str(record["_id"]), str(record["text"])
    given = dict(record.get("metadata") or {})
    answers = given.pop("answers", None) or given.pop("answer", None) or ()
    history = given.pop("history", None) or ()
    split = given.pop("split", None)
    return JudgedQuery(
        id=query_id,
        text=text,
        category=given.pop("category", None),
        history=tuple(_turn(turn) for turn in history),
        answers=(answers,) if isinstance(answers, str) else tuple(str(answer) for answer in answers),
        set=given.pop("set", None),
        split=split if split in ("tune", "test") else split_of(query_id),
        metadata=given,
    )


def _turn(turn: Mapping[str, Any]) -> Turn:
    """Some sets call what was said "text", and the one who answers "agent"."""
    role = str(turn.get("role", "user"))
    said = turn["content"] if "content" in turn else turn["text"]
    return {"role": "assistant" if role in {"agent", "bot"} else role, "content": str(said)}
