"""Which column of a table is what: guessed from its name, or said by a person; then the table as BEIR's two files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ir_core.errors import BadSetting, BadSource, NeedsColumn, UnknownName
from ir_core.loaders._judgements import Judgements
from ir_core.loaders.judged.table import Table

USUAL: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "qid", "queryid", "questionid", "topicid", "number", "num"),
    "text": ("query", "question", "text", "title", "querytext", "utterance", "q", "prompt", "description"),
    "category": ("category", "type", "intent", "class", "kind"),
    "answers": ("answers", "answer", "goldanswers", "goldanswer", "groundtruth", "referenceanswer"),
    "history": ("history", "conversation", "turns", "messages", "dialog", "dialogue"),
    "documents": (
        "documents", "relevantdocuments", "relevantdocs", "relevant", "docids", "documentids", "docid", "documentid",
        "corpusid", "corpusids", "gold", "golddocs", "goldids", "positive", "positives", "positiveids", "relevantids",
        "relevantdocids", "docs",
    ),
    "grade": ("grade", "relevance", "rel", "score"),
    "split": ("split",),
}  # fmt: skip
"""Usual names, compared without case and punctuation; the first that is there is taken."""
_PUNCTUATION = re.compile(r"[\W_]")
_RESERVED = frozenset({"category", "answers", "answer", "history", "split"})
"""What the metadata of a query means to ``library``: a column of that name counts only where it is mapped."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Column by field, None where there is none. Without ``id`` queries are numbered; ``documents`` are ids of
    relevant documents, a list or separated by | ; or commas, of ``grade`` (1 where no column says another)."""

    id: str | None = None
    text: str | None = None
    category: str | None = None
    answers: str | None = None
    history: str | None = None
    documents: str | None = None
    grade: str | None = None
    split: str | None = None


FIELDS = tuple(item.name for item in fields(Columns))


def is_known(column: str) -> bool:
    """Whether a name is one that a header of queries would have."""
    return any(_key(column) in names for names in USUAL.values())


def guess(table: Table) -> Columns:
    """By the columns' names; a field whose usual names are not there stays None."""
    there = {_key(column): column for column in reversed(table.columns)}
    found = {field: next((there[name] for name in names if name in there), None) for field, names in USUAL.items()}
    if found["documents"] is None:
        found["grade"] = None
    return Columns(**found)


def parse_map(text: str, table: Table) -> Columns:
    """``id=qid,text=question`` laid over the guess; ``category=`` says that there is none.

    :raises BadSetting: for a part that is no pair, and a field said twice.
    :raises UnknownName: for a field or a column there is not.
    """
    found = {name: getattr(guess(table), name) for name in FIELDS}
    said: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        field, sign, column = (one.strip() for one in part.partition("="))
        if not sign:
            raise BadSetting(f"--map {part!r} is no field=column. Write for instance id=qid,text=question.")
        if field not in FIELDS:
            raise UnknownName("field of a query", field, FIELDS)
        if column and column not in table.columns:
            raise UnknownName("column", column, table.columns)
        if said.setdefault(field, column) != column:
            raise BadSetting(f"--map says both {field}={said[field]} and {field}={column}. Keep one of them.")
        found[field] = column or None
    return Columns(**found)


def mapped(table: Table, columns: Columns, name: str = "The file") -> Judgements:
    """The table as BEIR's queries.jsonl and qrels. Rows that repeat a query, each with another document, are one
    query. Columns that are not mapped stay as metadata.

    :raises NeedsColumn: when none holds the query's text.
    :raises BadSource: naming the row whose query is blank, whose id another query has, or whose cell cannot be read.
    """
    if columns.text is None:
        listed = ", ".join(table.columns[:30])
        reason = f"has no column that is known to hold the query. Say which one does; its columns: {listed}"
        raise NeedsColumn(name, table.columns, reason)
    seen: dict[str, tuple[int, dict[str, Any]]] = {}
    judged: list[str] = []
    for number, row in enumerate(table.rows, start=1):
        where = f"{name}, row {number},"
        record = _record(row, columns, where, number)
        first, before = seen.setdefault(record["_id"], (number, record))
        if before["text"] != record["text"] or (first != number and not columns.documents):
            raise BadSource(
                f"{name}, rows {first} and {number}, have the same id {record['_id']!r}, so a judgement cannot say "
                "which it means. Give each query an id of its own."
            )
        judged += [f"{record['_id']}\t{doc}\t{grade}" for doc, grade in _judged(row, columns, where)]
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for _, record in seen.values())
    qrels = "\n".join(("query-id\tcorpus-id\tscore", *judged)).encode("utf-8", "replace") if judged else None
    return Judgements(lines.encode("utf-8", "replace"), qrels)


def _record(row: Mapping[str, Any], columns: Columns, where: str, number: int) -> dict[str, Any]:
    text = _text(row.get(columns.text or ""))
    if not text:
        raise BadSource(f"{where} has no text in the column {columns.text!r}. Fill it in, or take the row out.")
    own_id = _text(row.get(columns.id)) if columns.id else f"q{number}"
    if not own_id:
        raise BadSource(f"{where} has no id in the column {columns.id!r}. Fill it in, or map no column to the id.")
    taken = {getattr(columns, field) for field in FIELDS}
    about: dict[str, Any] = {
        key: value for key, value in row.items()
        if key not in taken and key not in _RESERVED and isinstance(value, str | int | float) and value != ""
    }  # fmt: skip
    if isinstance(row.get("metadata"), Mapping):
        about |= row["metadata"]
    for field in ("category", "split"):
        column = getattr(columns, field)
        if column and (said := _text(row.get(column))):
            about[field] = said
    if columns.answers and (answers := _list(row.get(columns.answers), "|")):
        about["answers"] = answers
    if columns.history and (turns := _turns(row.get(columns.history), where)):
        about["history"] = turns
    return {"_id": own_id, "text": text, "metadata": about}


def _judged(row: Mapping[str, Any], columns: Columns, where: str) -> Iterator[tuple[str, int]]:
    value = _value(row.get(columns.documents)) if columns.documents else None
    grades = _list(row.get(columns.grade), "|;,") if columns.grade else []
    pairs = list(value.items()) if isinstance(value, Mapping) else []
    if not pairs:
        names = _list(value, "|;\n") if value is not None else []
        if len(names) == 1 and isinstance(value, str):
            names = _list(value, ",")
        each: list[Any] = grades if len(grades) == len(names) else grades[:1] * len(names) or [1] * len(names)
        pairs = list(zip(names, each, strict=True))
    for doc, grade in pairs:
        try:
            number = float(grade)
            if number != int(number):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            raise BadSource(f"{where} has the grade {str(grade)[:40]!r}; a whole number was expected.") from None
        yield " ".join(str(doc).split()), int(number)


def _turns(value: Any, where: str) -> list[dict[str, str]]:
    """Turns as mappings, or texts that take turns, the person first."""
    found = _value(value)
    if isinstance(found, str):
        found = [line for line in found.splitlines() if line.strip()]
    turns: list[dict[str, str]] = []
    for place, turn in enumerate(found or []):
        if isinstance(turn, Mapping) and ("content" in turn or "text" in turn):
            turns.append(
                {"role": str(turn.get("role", "user")), "content": str(turn.get("content", turn.get("text")))}
            )
        elif isinstance(turn, str):
            turns.append({"role": ("user", "assistant")[place % 2], "content": turn})
        else:
            raise BadSource(f"{where} has a history that is no list of turns. Write [{{role, content}}, …].")
    return turns


def _list(value: Any, separators: str) -> list[str]:
    found = _value(value)
    if isinstance(found, list | tuple):
        return [said for said in map(_text, found) if said]
    text = "" if found is None or isinstance(found, Mapping) else str(found)
    return [part.strip() for part in re.split(f"[{re.escape(separators)}]", text) if part.strip()]


def _value(value: Any) -> Any:
    """What a cell holds: a text that is a JSON list or object is that."""
    if isinstance(value, str) and value.strip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, Mapping | list) else " ".join(str(value).split())


def _key(column: str) -> str:
    return _PUNCTUATION.sub("", column).lower()
