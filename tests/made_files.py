"""Real files, made in memory for the tests of loaders."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Files = Sequence[tuple[str, bytes]]


def jsonl(*records: Any) -> bytes:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()


def zipped(*members: tuple[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def pdf(*pages: str, password: str | None = None, title: str | None = None) -> bytes:
    """One line of text per page; "" makes a page without text, as a scan has."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    font = writer._add_object(
        DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
    )
    for text in pages:
        page = writer.add_blank_page(300, 100)
        fonts = DictionaryObject({NameObject("/F1"): font})
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 10 50 Td ({text}) Tj ET".encode() if text else b"")
        page[NameObject("/Contents")] = writer._add_object(content)
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def docx(paragraphs: Sequence[str], table: Sequence[Sequence[str]] = ()) -> bytes:
    """A heading paragraph each, then the table, then a last paragraph."""
    import docx as python_docx

    document = python_docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if table:
        made = document.add_table(len(table), len(table[0]))
        for row, texts in zip(made.rows, table, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
        document.add_paragraph("after the table")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def write_all(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


BEIR: Mapping[str, str | bytes] = {
    "corpus.jsonl": jsonl(
        {"_id": "d1", "title": "Bees", "text": "They dance.", "metadata": {"area": "garden", "tags": ["a", "b"]}},
        {"_id": "d2", "title": "", "text": "Wasps sting."},
        {"_id": "d3", "title": "Skill", "text": "", "payload": {"name": "n", "description": "d", "body": "b"}},
    ),
    "queries.jsonl": jsonl(
        {"_id": "q1", "text": "who dances?", "metadata": {"answer": "bees", "category": "simple", "level": "easy"}},
        {
            "_id": "q2",
            "text": "and who stings?",
            "metadata": {"history": [{"role": "user", "text": "who dances?"}, {"role": "agent", "text": "bees"}]},
        },
    ),
    "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq2\td2\t1\nq2\td1\t0\n",
    "qrels/train.tsv": "query-id\tcorpus-id\tscore\nq9\td1\t1\n",
    "README.md": "# About the collection\nNot a document.",
}

TOML = """
title = "Bees and wasps"
description = "Three documents."
language = "en"
licence = "CC0-1.0"
filter_fields = ["area"]
[strategy]
name = "Chunked"
params = { chunk_size = 300 }
[[examples]]
label = "simple"
query_id = "q1"
[[examples]]
label = "gone"
query_id = "q7"
"""


def a_program(folder: Path) -> Path:
    """A program folder with one sample, "bees"."""
    write_all(folder / "sample_corpora" / "bees", {**BEIR, "corpus.toml": TOML})
    return folder
