"""Sixty help articles, and the same with twenty faults planted in them; the query set that goes with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ir_core import library
from ir_core.build import build
from ir_core.embedders.hashing import Hashing
from ir_core.index import Index
from ir_core.library import JudgedQuery
from ir_core.loaders import Loaded, load
from ir_core.schema import Artifact
from ir_core.strategies import WholeText, text_of
from tests.made_files import pdf

LIMIT = 260
LONG = ("hc-012", "hc-059")
"""Articles of more tokens than that."""
SIZE = 60


@dataclass(frozen=True)
class Reader(Hashing):
    """The hashing embedder, as if it read English only and 260 tokens of a text."""

    name = "hashing of 260 tokens"
    languages: frozenset[str] | None = frozenset({"en"})
    max_tokens = LIMIT
    fingerprint = "hashing-1:256:260"


FRENCH = """Réserver une salle de réunion
Pour réserver une salle, ouvrez le calendrier et choisissez le jour qui vous convient. Les salles libres sont
affichées à droite avec leur nombre de places. Si la salle est déjà occupée, une autre vous est proposée dans le même
bâtiment. La réservation peut être annulée jusqu'à une heure avant le début de la réunion."""
GERMAN = """Drucker im dritten Stock
Der Drucker im dritten Stock steht neben der Küche und druckt nur in Schwarz und Weiß. Wer farbig drucken möchte, geht
in den zweiten Stock. Papier liegt im Schrank daneben; wenn es zur Neige geht, bitte beim Empfang neues bestellen.
Störungen meldet man der Haustechnik, die sich meistens noch am selben Tag darum kümmert."""
ORPHAN = """Knitting
Purl stitches alternate; ribbing stretches; cables cross; yarn weights vary: lace, worsted, chunky."""
EXTRA = {
    "réserver une salle de réunion dans le calendrier": "french.txt",
    "Drucker im dritten Stock, Papier bestellen": "german.txt",
    "assembly manual of the standing desk: bolts, crossbar, cable tray": "manual.pdf",
    "what was filed under ARCHIVE-7741": "stamped.pdf",
}


def _article(number: int) -> str:
    """A page of the manual, no two alike."""
    steps = (
        "Lay both legs on a soft carpet before you open the box of bolts.",
        "Fasten the crossbar with four long bolts, finger tight at first.",
        "Turn the frame over together, since it weighs thirty kilograms.",
        "Screw the cable tray below the top, away from the motor column.",
        "Plug the handset into socket A, and wait until zero is displayed.",
        "Raise the desk to its end stop once, so that it learns its range.",
    )
    return f"Standing desk assembly manual, revision 4) Tj 0 -14 Td ({steps[number]}"


@dataclass
class Planted:
    """``faults`` names each planted one: what it is called, and the check that has to find it."""

    folder: Path

    @cached_property
    def clean(self) -> dict[str, str]:
        """File name to text."""
        articles = {
            artifact.id: text_of(artifact.raw)
            for artifact in library.corpus("help_center").load().artifacts
            if artifact.id not in (*LONG, "hc-066")
        }
        return {f"{name}.txt": text for name, text in list(articles.items())[:SIZE]}

    @cached_property
    def faults(self) -> dict[str, tuple[str, ...]]:
        """Check to the documents that its faults are in, one entry per fault (lines and groups count once)."""
        return {
            "blank": ("empty.txt", "spaces.txt"),
            "pdf_without_text": ("scan.pdf", "stamped.pdf"),
            "over_limit": ("hc-012.txt", "hc-059.txt"),
            "exact_duplicates": ("copy-of-3.txt", "copy-of-5.txt"),
            "near_duplicates": ("nearly-7.txt", "nearly-9.txt"),
            "repeated_lines": ("ACME intranet", "Printed from", "Standing desk assembly"),
            "encodings": ("hc-020.txt", "hc-021.txt", "hc-022.txt"),
            "languages": ("french.txt", "german.txt"),
            "hubs": ("everything.txt",),
            "unreached": ("knitting.txt",),
        }

    def write(self, *, faults: bool) -> Loaded:
        texts: dict[str, str | bytes] = dict(self.clean)
        if faults:
            texts |= self._planted()
        for name, text in texts.items():
            (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return load(self.folder)

    def _planted(self) -> dict[str, str | bytes]:
        clean = list(self.clean.items())
        whole = {artifact.id: text_of(artifact.raw) for artifact in library.corpus("help_center").load().artifacts}
        new: dict[str, str | bytes] = {
            "empty.txt": "",
            "spaces.txt": " \n\t \n",
            "scan.pdf": pdf("", "", ""),
            "stamped.pdf": pdf("ARCHIVE-7741", "", "", "", title="A scan"),
            "manual.pdf": pdf(*map(_article, range(6))),
            "copy-of-3.txt": clean[3][1].replace("\n", "\n\n"),
            "copy-of-5.txt": clean[5][1],
            "nearly-7.txt": clean[7][1].replace("the", "this", 2),
            "nearly-9.txt": clean[9][1] + "\nThis article was reviewed last spring.",
            "french.txt": FRENCH,
            "german.txt": GERMAN,
            "knitting.txt": ORPHAN,
            "everything.txt": self._stuffed(),
            **{f"{name}.txt": whole[name] for name in LONG},
        }
        for number, (name, text) in enumerate(clean[30:36]):
            new[name] = f"ACME intranet, confidential, page {number} of 12\n{text}"
        for number, (name, text) in enumerate(clean[40:46]):
            new[name] = f"{text}\nPrinted from the knowledge base on 2026-01-0{number}"
        by_name = self.clean
        new["hc-020.txt"] = f"{by_name['hc-020.txt']} See the café’s “menu”.".encode().decode("cp1252", "replace")
        new["hc-020.txt"] = new["hc-020.txt"].replace("\ufffd", "")
        new["hc-021.txt"] = by_name["hc-021.txt"] + " Gr\ufffd\ufffde aus M\ufffdnchen."
        new["hc-022.txt"] = f"{by_name['hc-022.txt']} Grüße für Jürgen aus Köln.".encode().decode("cp1252")
        return new

    def _stuffed(self) -> str:
        """The words that queries use most."""
        words = Counter(word for query in self.queries for word in set(re.findall(r"[a-z]+", query.text.lower())))
        return "Everything\n" + " ".join(word for word, _ in words.most_common(180))

    @cached_property
    def queries(self) -> list[JudgedQuery]:
        """Of a single word the hashing embedder makes noise, which reaches anything."""
        extra = [JudgedQuery(f"extra-{number}", text) for number, text in enumerate(EXTRA)]
        return [*(q for q in library.corpus("help_center").queries() if len(q.text.split()) >= 4), *extra]

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        found = {
            query: {f"{name}.txt": grade for name, grade in judged.items()}
            for query, judged in library.corpus("help_center").qrels().items()
        }
        return found | {f"extra-{number}": {name: 1} for number, name in enumerate(EXTRA.values())}


def index_of(artifacts: Iterable[Artifact], name: str) -> Index:
    return build(name, artifacts, WholeText(), Reader())
