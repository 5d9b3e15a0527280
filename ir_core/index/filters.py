"""Filters, read once into a row mask that both legs obey.

The language is MongoDB's comparison operators, as Chroma's ``where`` uses them: ``{"year": {"$gte": 2020}}``,
``{"owner": "ours"}`` (short for ``$eq``), ``{"$or": [...]}``. Several fields, or several operators of one field, in
one mapping mean *and*. Texts compare as ISO dates where both sides are some, else as text. A missing field matches no
comparison, not even ``$ne``; values of different types are unequal and have no order; only a text that reads as a
number (``"2020"``) is one where the field holds nothing but numbers. ``$not`` turns an answer round.
"""

from __future__ import annotations

import difflib
import json
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
import regex

from ir_core.errors import BadFilter
from ir_core.index.ranks import Mask

MAX_DEPTH = 50
"""No filter a person writes is deeper; a deeper one would only exhaust the stack."""
Test = Callable[[Any], bool]
Key = tuple[str, Any]

_NUMBER = regex.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ISO_DATE = regex.compile(r"\d{4}-\d\d-\d\d(?:$|[T ])")
_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
COMPARISONS = ("$eq", "$ne", "$in", "$nin", *_ORDER, "$contains", "$not")
COMBINATIONS = ("$and", "$or", "$not")


def evaluate(filter: Any, fields: Sequence[Mapping[str, Any]], known: Collection[str]) -> Mask | None:
    """Which artifacts match: (n,) for the ``fields`` of n artifacts; None when the filter asks for nothing.

    :param known: the fields there are; another name is an error, a field an artifact lacks is not.
    :raises BadFilter: for an unknown field or operator (naming the known ones) and for what is no filter.
    """
    if filter is None or (isinstance(filter, Mapping) and not filter):
        return None
    if isinstance(filter, Mapping | list | tuple):
        check_depth(filter)
    return _Reader(fields, known).read(filter)


def check_depth(filter: Mapping[str, Any] | Sequence[Any]) -> None:
    """:raises BadFilter: when mappings and lists stand in one another more than 50 deep."""
    level, depth = [filter], 1
    while level:
        if depth > MAX_DEPTH:
            raise BadFilter(f"The filter is nested more than {MAX_DEPTH} deep. Write it flatter.")
        inside = chain.from_iterable(part.values() if isinstance(part, Mapping) else part for part in level)
        level, depth = [part for part in inside if isinstance(part, Mapping | list | tuple)], depth + 1


class _Reader:
    def __init__(self, fields: Sequence[Mapping[str, Any]], known: Collection[str]) -> None:
        self.fields, self.known = fields, known

    def read(self, part: Any) -> Mask:
        if not isinstance(part, Mapping):
            raise BadFilter(f'{_short(part)} is no filter; expected an object such as {{"year": {{"$gte": 2020}}}}.')
        mask = np.ones(len(self.fields), dtype=np.bool_)
        for name, condition in part.items():
            read = self._combined if str(name).startswith("$") else self._field
            mask &= read(str(name), condition)
        return mask

    def _combined(self, name: str, condition: Any) -> Mask:
        if name == "$not":
            return ~self.read(condition)
        if name not in COMBINATIONS:
            hint = " A comparison stands inside a field." if name in COMPARISONS else ""
            raise _unknown("operator", name, COMBINATIONS, hint)
        if not isinstance(condition, list | tuple) or not condition:
            raise BadFilter(f"{name} needs a list of at least one filter, not {_short(condition)}.")
        masks = [self.read(item) for item in condition]
        joined: Mask = np.logical_and.reduce(masks) if name == "$and" else np.logical_or.reduce(masks)
        return joined

    def _field(self, name: str, condition: Any) -> Mask:
        if name not in self.known:
            raise _unknown("field", name, self.known)
        if not isinstance(condition, Mapping):
            condition = {"$eq": condition}
        if not condition:
            raise BadFilter(f'{name!r} is compared with nothing; expected an operator such as {{"$eq": "x"}}.')
        mask = np.ones(len(self.fields), dtype=np.bool_)
        for sign, operand in condition.items():
            if sign == "$not":
                mask &= ~self._field(name, operand)
                continue
            test = _test(name, str(sign), self._as_field(name, operand))
            values = (row.get(name) for row in self.fields)
            mask &= np.fromiter((value is not None and test(value) for value in values), np.bool_, len(self.fields))
        return mask

    def _as_field(self, name: str, operand: Any) -> Any:
        """A text that reads as a number (a list's, too) as that number, where the field holds nothing but numbers."""
        if isinstance(operand, list | tuple):
            return [self._as_field(name, item) for item in operand]
        if not isinstance(operand, str) or not _NUMBER.fullmatch(operand.strip()):
            return operand
        held = [row[name] for row in self.fields if row.get(name) is not None]
        if held and all(isinstance(value, int | float) and not isinstance(value, bool) for value in held):
            return int(operand) if operand.strip().lstrip("+-").isdecimal() else float(operand)
        return operand


def _test(name: str, sign: str, operand: Any) -> Test:
    where = f"{sign} of {name!r}"
    if sign in ("$in", "$nin"):
        if not isinstance(operand, list | tuple | set | frozenset):
            raise BadFilter(f"{where} needs a list of values, not {_short(operand)}.")
        members = {_key(item, where) for item in operand}
        if sign == "$in":
            return lambda value: _key(value) in members
        return lambda value: _key(value) not in members
    if sign in ("$eq", "$ne"):
        wanted = _key(operand, where)
        if sign == "$eq":
            return lambda value: _key(value) == wanted
        return lambda value: _key(value) != wanted
    if sign == "$contains":
        item = _scalar(operand, where)
        return lambda value: isinstance(value, list | tuple) and any(_key(part) == item for part in value)
    if sign in _ORDER:
        return _ordered(_ORDER[sign], operand, where)
    raise _unknown("operator", sign, COMPARISONS, f" It stands in field {name!r}.")


def _ordered(compare: Callable[[Any, Any], bool], operand: Any, where: str) -> Test:
    wanted = _scalar(operand, where)
    if wanted[0] == "flag":
        raise BadFilter(f"{where} needs a number, a date or a text, not {_short(operand)}.")

    def test(value: Any) -> bool:
        have = _key(value)
        if have[0] == wanted[0]:
            return compare(have[1], wanted[1])
        return isinstance(value, str) and isinstance(operand, str) and compare(value, operand)

    return test


def _key(value: Any, where: str | None = None) -> Key:
    """A value with its type, so that 1, True and "1" differ. With ``where``, what cannot be compared is an error."""
    if isinstance(value, str):
        return _text_key(value)
    if isinstance(value, bool):
        return "flag", value
    if isinstance(value, int | float):
        return "number", value
    if isinstance(value, list | tuple):
        return "list", tuple(_key(item, where) for item in value)
    if where is not None:
        hint = ' To find what lacks the field write {"$not": {"field": {"$ne": ""}}}.' if value is None else ""
        raise BadFilter(f"{where} cannot compare with {_short(value)}; expected text, number, true or false.{hint}")
    return "other", None


def _scalar(value: Any, where: str) -> Key:
    if isinstance(value, list | tuple):
        raise BadFilter(f"{where} needs one value, not the list {_short(value)}.")
    return _key(value, where)


@lru_cache(maxsize=16_384)
def _text_key(text: str) -> Key:
    if _ISO_DATE.match(text):
        try:
            moment = datetime.fromisoformat(text)
            return "date", moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            pass
    return "text", text


def is_date(value: Any) -> bool:
    """True for a text that compares as an ISO date."""
    return isinstance(value, str) and _text_key(value)[0] == "date"


def _unknown(what: str, name: str, known: Collection[str], more: str = "") -> BadFilter:
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(sorted(known)) or "none: this corpus has no fields to filter on"
    return BadFilter(f"The filter's {what} {name!r} is unknown.{hint}{more} Known: {listed}.")


def _short(value: Any) -> str:
    """As JSON, which is how filters are written."""
    try:
        shown = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        shown = repr(value)
    shown = shown.encode("utf-8", "backslashreplace").decode()
    return shown if len(shown) <= 60 else shown[:57] + "..."
