"""A small index of real documents, and runs of the corpus writer over it."""

from __future__ import annotations

from collections.abc import Iterable

from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.index import Index
from ir_core.protocols import RunContext
from ir_core.retrieval import Engine, IndexSearcher, SearchSettings
from ir_core.schema import Artifact, Task, Written
from ir_core.strategies import WholeText
from ir_core.writers.corpus import CorpusWriter

LIBRARY = {
    "Library cards": "A library card is free for residents. Bring a document that shows your address. Cards last two "
    "years and are renewed at the desk.",
    "Late returns": "A book returned late costs ten cents a day. The fine stops at five euros. Pay fines at the desk "
    "or in the app.",
    "Interlibrary loan (ILL)": "A book we do not hold is fetched by interlibrary loan (ILL). An interlibrary loan "
    "takes two weeks and costs three euros.",
    "Reading rooms": "Reading rooms are open until nine. Laptops are welcome; a cable is lent at the desk.",
    "Renewing a book": "Renew a book in the app before it is late. A book that someone waits for cannot be renewed.",
    "Ada Lovelace Reading Room": "The Ada Lovelace Reading Room holds science books. It seats forty readers.",
    "Receipts": "You receive a receipt for every fine you pay. Set max_receipt_age in the app's settings.",
}


def index_of(documents: Iterable[tuple[str, str]], name: str = "small") -> Index:
    artifacts = [Artifact(f"d{n}", {"title": title, "text": text}) for n, (title, text) in enumerate(documents)]
    return build(name, artifacts, WholeText(), open_embedder("hashing"))


def context_for(index: Index, writer: CorpusWriter) -> RunContext:
    engine = Engine(index, open_embedder("hashing"))
    return RunContext(writer=writer, searcher=IndexSearcher(engine, SearchSettings()))


def write(index: Index, task: str, query: str, **options: object) -> list[Written]:
    writer = CorpusWriter(index)
    return context_for(index, writer).write(Task(task, query, **options))  # type: ignore[arg-type]
