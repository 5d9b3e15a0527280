"""TREC topics: the classic SGML (``<top><num> Number: 301 <title> …``, nothing closed), and later tracks' XML."""

from __future__ import annotations

import re
from typing import Any

from ir_core.errors import BadSource
from ir_core.loaders.judged.table import Table

_TOP = re.compile(r"<top>(.*?)(?=<top>|\Z)", re.IGNORECASE | re.DOTALL)
_TAGS = "num|title|desc|narr|con|dom|smry|fac|def"
_FIELD = re.compile(rf"<({_TAGS})>(.*?)(?=</?(?:{_TAGS}|top)>|\Z)", re.IGNORECASE | re.DOTALL)
_LEAD = re.compile(r"^\s*(?:number|topic|description|narrative|domain|summary|concepts)\s*:", re.IGNORECASE)
_NAMES = {"num": "id", "desc": "description", "narr": "narrative"}
_IDS = ("number", "num", "id", "topicid", "qid")


def is_classic(text: str) -> bool:
    return "<top>" in text[:100_000].lower()


def is_xml(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n")[:1] == "<"


def read_classic(name: str, text: str) -> Table:
    """A row for each ``<top>``: id, title, description, narrative, as far as they are there.

    :raises BadSource: naming the topic that has no number.
    """
    rows = []
    for place, top in enumerate(_TOP.findall(text), start=1):
        row = {_NAMES.get(tag.lower(), tag.lower()): _plain(_LEAD.sub("", said)) for tag, said in _FIELD.findall(top)}
        if not row.get("id"):
            raise BadSource(f"{name}, topic {place}, has no <num> with a number in it. Correct the topic.")
        rows.append(row)
    return _table(name, rows)


def read_xml(name: str, data: bytes) -> Table:
    """A row for each ``<topic>`` (or ``<query>`` at the top): its number, and the text of each element in it.

    :raises BadSource: when it is no XML, or holds no topic.
    """
    from lxml import etree  # type: ignore[import-untyped]

    try:
        # Nothing is fetched and no entity is expanded: the file is a stranger's.
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise BadSource(f"{name} is not XML that can be read ({error.msg}). Correct that place.") from None
    found = [one for one in root.iter("topic", "top", "query") if _own_id(one)]
    if not found:
        raise BadSource(f"{name} holds no <topic> with a number. Is it a file of topics?")
    return _table(name, [_row(one) for one in found])


def _row(topic: Any) -> dict[str, str]:
    row = {"id": _own_id(topic)}
    for part in topic:
        tag = str(part.tag).lower()
        if tag not in _IDS and isinstance(part.tag, str):
            row.setdefault(_NAMES.get(tag, tag), _plain(" ".join(part.itertext())))
    return row if len(row) > 1 else {**row, "query": _plain(" ".join(topic.itertext()))}


def _own_id(topic: Any) -> str:
    inside = (part.text or "" for part in topic if str(part.tag).lower() in _IDS)
    named = next((topic.get(name) for name in _IDS if topic.get(name)), None) or next(inside, "")
    return _LEAD.sub("", named).strip()


def _table(name: str, rows: list[dict[str, str]]) -> Table:
    if not rows:
        raise BadSource(f"{name} holds no topic. Is it a file of topics?")
    return Table("TREC topics", tuple(dict.fromkeys(key for row in rows for key in row)), tuple(rows))


def _plain(text: str) -> str:
    return " ".join(text.split())
