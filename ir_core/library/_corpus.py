"""One corpus: its documents, queries and judgements, read anew at each call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_core import loaders
from ir_core.language import main_language
from ir_core.library import _store
from ir_core.library._info import CorpusInfo
from ir_core.library.authored import Authored, read_authored
from ir_core.library.queries import JudgedQuery, Qrels, read_qrels, read_queries
from ir_core.loaders import Judgements, Loaded
from ir_core.schema import Raw


@dataclass(frozen=True, slots=True)
class Corpus:
    """``info`` is what was known when it was opened."""

    info: CorpusInfo

    @property
    def name(self) -> str:
        return self.info.name

    def load(self, *, text_column: str | None = None) -> Loaded:
        """The documents as they are now; a document gone from the source is gone.

        :param text_column: in place of the one kept with the corpus.
        :raises BadSource: when it cannot be read (NeedsColumn and NothingRead among them).
        """
        column = text_column or self.info.text_column
        if self.info.kind == "environment":
            loaded = loaders.load_environment()
        elif self.info.path:
            loaded = loaders.load(self.info.path, text_column=column)
        else:
            loaded = loaders.load_files(kept_files(self.name), text_column=column)
        self._keep(told_by(loaded))
        return loaded

    def queries(self) -> list[JudgedQuery]:
        """Empty when it comes with none.

        :raises BadSource: naming a line that is no query.
        """
        data = self._judgements().queries
        return read_queries(data) if data else []

    def qrels(self) -> Qrels:
        """Empty when it comes with none.

        :raises BadSource: naming a line that is no judgement.
        """
        data = self._judgements().qrels
        return read_qrels(data) if data else {}

    def authored(self) -> list[Authored]:
        """Example texts that a person put beside a sample, or a folder laid out like one; empty for any other.

        :raises BadSource: naming a line that is no example.
        """
        file = self.info.path / "authored.jsonl" if self.info.path else None
        return read_authored(file.read_bytes(), self.queries()) if file and file.is_file() else []

    def _judgements(self) -> Judgements:
        if self.info.kind == "environment":
            return Judgements()
        return loaders.judgements(self.info.path or kept_files(self.name))

    def _keep(self, told: dict[str, Any]) -> None:
        if not _store.there(self.name):
            return
        record = _store.read(self.name)
        if any(record.get(key) != value for key, value in told.items()):
            _store.update(self.name, lambda latest: {**latest, **told})


def kept_files(name: str) -> list[tuple[str, Path]]:
    """(name as uploaded, where it is kept) of an upload's files.

    :raises BadSource: when corpus.json is missing or damaged.
    """
    folder = _store.folder(name) / "files"
    listed = _store.read(name).get("files") or ()
    return [(str(item["name"]), folder / Path(str(item["stored"])).name) for item in listed]


def told_by(loaded: Loaded) -> dict[str, Any]:
    """What is kept of a corpus once it was read."""
    return {
        "n_documents": len(loaded.artifacts),
        "language": main_language(_text(artifact.raw) for artifact in loaded.artifacts),
        "default_strategy": loaded.default_strategy,
    }


def _text(raw: Raw) -> str:
    return raw if isinstance(raw, str) else " ".join(value for value in raw.values() if isinstance(value, str))
