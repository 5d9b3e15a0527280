"""XML: records where elements repeat, else its text (lxml); entities are never resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_text, is_blank
from ir_core.loaders._records import TEXT_COLUMNS, pick, read_records
from ir_core.loaders._xml import local, parse
from ir_core.schema import Artifact


class Xml(FileFormat):
    name = "xml"
    label = "XML"
    summary = "One document per repeated element that holds named texts (a feed's items), else one per file."
    suffixes = (".xml", ".rss", ".atom")

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        root, note = parse(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        own = sorted({str(tag.text) for tag in root.iter() if not isinstance(tag.tag, str)})
        if own:
            listed = ", ".join(own[:5]) + (" …" if len(own) > 5 else "")
            yield Problem(
                file.name, f"uses entities, which are not resolved and stay as written: {listed}", lost=False
            )
        records = _records(root, options.text_column)
        if records:
            placed = (
                (f"element {number}", f"{file.name}:{number}", record)
                for number, record in enumerate(records, start=1)
            )
            yield from read_records(placed, file.name, options)
            return
        text = clean_text("\n".join(_lines(root)))
        if is_blank(text):
            what = "has no text between its tags (attributes are not read) and was left out"
            yield Problem(file.name, f"{what}; export it as a table or with its text in elements")
            return
        title = next((_one_line(tag) for tag in root.iter() if local(tag).lower() == "title"), "")
        yield Artifact(file.name, text, {"title": title} if title else {})


def _records(root: Any, text_column: str | None) -> list[dict[str, Any]]:
    """The largest group of like-named brothers that read as records with a text; [] where the file is no list.

    Looked for in the root and one level below: ``<rss><channel><item>``.
    """
    best: list[dict[str, Any]] = []
    for parent in (root, *root.iterchildren("*")):  # an entity that is not resolved is a child too
        groups: dict[str, list[Any]] = {}
        for tag in parent.iterchildren("*"):
            if len(tag):
                groups.setdefault(local(tag), []).append(tag)
        for group in groups.values():
            if len(group) > max(1, len(best)):
                made = [_record(tag) for tag in group]
                if sum(_has_text(record, text_column) for record in made) > len(made) / 2:
                    best = made
    return best


def _has_text(record: Mapping[str, Any], text_column: str | None) -> bool:
    return text_column in record or pick(record, TEXT_COLUMNS) is not None


def _record(tag: Any) -> dict[str, Any]:
    """Its attributes and children by name; what comes twice is a list."""
    found: dict[str, Any] = {name.rpartition("}")[2]: value for name, value in tag.attrib.items()}
    for child in tag.iterchildren(tag="*"):
        # <link href="…"/> says what it says in its one attribute.
        text = "\n".join(_lines(child)) or (child.attrib.values()[0] if len(child.attrib) == 1 else "")
        name = local(child)
        if name not in found:
            found[name] = text
        elif isinstance(found[name], list):
            found[name].append(text)
        else:
            found[name] = [found[name], text]
    return found


def _lines(tag: Any) -> Iterator[str]:
    """The text as lines: one for each element that has text of its own, with all that is marked up inside it."""
    stack = [tag]
    while stack:
        here = stack.pop()
        pieces = (here.text, *(child.tail for child in here))
        entities = any(not isinstance(child.tag, str) for child in here)
        if entities or any(piece and piece.strip() for piece in pieces):
            line = _one_line(here)
            if line:
                yield line
        else:
            stack.extend(reversed(here))


def _one_line(tag: Any) -> str:
    return " ".join("".join(tag.itertext()).split())
