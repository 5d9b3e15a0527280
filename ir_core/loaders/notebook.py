"""Jupyter notebooks: prose and code in their order, and the short text that the code put out (nbformat)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import regex

from ir_core.errors import BadSource
from ir_core.loaders._base import FileFormat, Item, Options, Problem, SourceFile
from ir_core.loaders._clean import clean_metadata, clean_text, is_blank
from ir_core.loaders._decode import decode
from ir_core.loaders.markdown import first_heading
from ir_core.schema import Artifact

MAX_OUTPUT_CHARS = 500
"""Of one cell's output; a log of a training run would drown what the notebook says."""
_EMBEDDED = regex.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=\s]*+")


class Notebook(FileFormat):
    name = "ipynb"
    label = "Jupyter notebook"
    summary = "One document per file: prose, code and short text outputs in their order; no pictures."
    suffixes = (".ipynb",)

    def read(self, file: SourceFile, options: Options) -> Iterator[Item]:
        text, note = decode(file.data(options.max_file_bytes))
        if note:
            yield Problem(file.name, note, lost=False)
        book = _notebook(text)
        parts, damaged = [], []
        for number, cell in enumerate(book["cells"], start=1):
            try:
                parts.append(_cell(cell))
            except (AttributeError, KeyError, TypeError):
                damaged.append(number)
        if damaged:
            listed = ", ".join(map(str, damaged[:5])) + (" …" if len(damaged) > 5 else "")
            yield Problem(file.name, f"has cells that cannot be read: {listed}")
        body = clean_text("\n\n".join(part for part in parts if not is_blank(part)))
        if is_blank(body):
            yield Problem(file.name, "has no cell with text and was left out; save it again with text in it")
            return
        prose = "\n".join(_joined(cell.get("source")) for cell in book["cells"] if _is(cell, "markdown"))
        about = book.get("metadata") or {}
        kernel = about.get("kernelspec") or {} if isinstance(about, Mapping) else {}
        found = {
            "title": first_heading(prose),
            "kernel": kernel.get("language") or kernel.get("name") if isinstance(kernel, Mapping) else None,
        }
        yield Artifact(file.name, body, clean_metadata(found, options.unfit))


def _notebook(text: str) -> Mapping[str, Any]:
    """The notebook in the fourth version of the format, whatever version it was saved in; not validated, since of a
    notebook with a damaged cell the others can still be read.

    :raises BadSource: when it is none.
    """
    from nbformat import convert, from_dict, reader

    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # through which nbformat says what is said here
    try:
        book = convert(from_dict(reader.parse_json(text)), 4)
    except reader.NotJSONError as error:
        raise BadSource(f"is not JSON ({error.__cause__}), as a notebook is; save it again from Jupyter") from None
    except RecursionError:
        raise BadSource("is nested too deeply to be read; save it again from Jupyter") from None
    except Exception as error:  # the converters trust what they are given
        raise BadSource("is JSON, but no notebook that can be read; save it again from Jupyter") from error
    if not isinstance(book, Mapping) or not isinstance(book.get("cells"), list):
        raise BadSource("is JSON, but no notebook: it has no list of cells; save it again from Jupyter")
    return book


def _cell(cell: Mapping[str, Any]) -> str:
    source = _EMBEDDED.sub("", _joined(cell["source"])).strip()
    outputs = cell.get("outputs") or () if _is(cell, "code") else ()
    said = _EMBEDDED.sub("", "\n".join(filter(None, map(_output, outputs)))).strip()
    if len(said) > MAX_OUTPUT_CHARS:
        said = said[:MAX_OUTPUT_CHARS].rstrip() + " …"
    return "\n".join(filter(None, (source, said)))


def _output(output: Mapping[str, Any]) -> str:
    """What an output says as text; its pictures, markup and stack traces are left out."""
    kind = output["output_type"]
    if kind == "stream":
        return _joined(output.get("text")).strip()
    if kind == "error":
        return f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    return _joined((output.get("data") or {}).get("text/plain")).strip()


def _joined(source: Any) -> str:
    """Text that the format lets be a list of lines."""
    return source if isinstance(source, str) else "".join(map(str, source or ()))


def _is(cell: Any, kind: str) -> bool:
    return isinstance(cell, Mapping) and cell.get("cell_type") == kind
