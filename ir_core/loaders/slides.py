"""PowerPoint presentations: what each slide says, its tables, and the speaker's notes (python-pptx)."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, clean_text, is_blank
from ir_core.loaders._package import package
from ir_core.schema import Artifact

_FURNITURE = frozenset({"DATE", "FOOTER", "SLIDE_NUMBER", "HEADER"})
"""Placeholders that say the same on every slide."""
_MAX_DEPTH = 20


class Slides(FileFormat):
    name = "pptx"
    label = "PowerPoint presentation"
    summary = "One document per file: each slide's text and tables, then its notes; hidden slides are left out."
    suffixes = (".pptx",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        data = file.data(options.max_file_bytes)
        with package(data, options, "a PowerPoint presentation", self.suffixes[0]):
            from pptx import Presentation

            deck = Presentation(io.BytesIO(data))
            parts: list[str] = []
            hidden: list[int] = []
            for number, slide in enumerate(deck.slides, start=1):
                if slide.element.get("show") in ("0", "false"):
                    hidden.append(number)
                else:
                    parts.append(_text(slide))
            about = deck.core_properties
            found = {"title": about.title, "author": about.author, "slides": len(parts) + len(hidden)}
        if hidden:
            listed = ", ".join(map(str, hidden[:10])) + (" …" if len(hidden) > 10 else "")
            yield Problem(file.name, f"has hidden slides, which were left out: {listed}; show them to have them read")
        text = "\n\n".join(part for part in parts if not is_blank(part))
        if is_blank(text):
            yield Problem(
                file.name, "holds no text (only pictures, perhaps) and was left out; save it with text in it"
            )
        else:
            yield Artifact(file.name, text, clean_metadata(found, options.unfit))


def _text(slide: Any) -> str:
    lines = [line for line in _lines(slide.shapes) if not is_blank(line)]
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        lines += [f"Notes: {notes}"] if notes else []
    # A line break inside a paragraph is a vertical tab there.
    return clean_text("\n".join(lines)).replace("\x0b", "\n").strip()


def _lines(shapes: Iterable[Any], depth: int = 0) -> Iterator[str]:
    """Each shape's text in the order of the slide, a table's rows with a bar between their cells."""
    for shape in shapes:
        if shape.is_placeholder and getattr(shape.placeholder_format.type, "name", "") in _FURNITURE:
            continue
        if hasattr(shape, "shapes") and depth < _MAX_DEPTH:
            yield from _lines(shape.shapes, depth + 1)
        elif shape.has_text_frame:
            yield shape.text_frame.text
        elif shape.has_table:
            for row in shape.table.rows:
                # A merged cell is spelled out once, where it begins.
                cells = (" ".join(cell.text.split()) for cell in row.cells if not cell.is_spanned)
                yield " | ".join(cell for cell in cells if cell)
