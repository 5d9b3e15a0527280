"""How well the corpus writer spells and splits, on the sets of a folder: docs/corpus-writer.md.

    python -m scripts.measure_corpus_writer --data FOLDER [--out docs/corpus-writer.md]

FOLDER holds BEIR folders (scifact, mtrag_govt, hotpotqa_train100 …). No vectors are needed, so the hashing embedder
builds the indexes. Rules were written looking at queries whose id has an even SHA-256; the odd ones are apart.
"""

from __future__ import annotations

import random
import string
import time
from collections import Counter
from pathlib import Path

import click

from ir_core.index import Index
from ir_core.language import of_query
from ir_core.library import JudgedQuery, corpus, split_of
from ir_core.schema import Task
from ir_core.session import prepare
from ir_core.text import tokenise
from ir_core.writers.corpus.decompose import decompose
from ir_core.writers.corpus.rewrite import rewrite

TYPOS, SEED, MIN_LETTERS = 200, 1, 4
KINDS = {"substitution": "s", "deletion": "d", "insertion": "i", "transposition": "t"}
SPELLING_SETS = ("scifact", "mtrag_govt")
SPLITTING_SETS = ("hotpotqa_train100", "musique_train100", "scifact", "codebase", "mtrag_govt")


@click.command()
@click.option("--data", required=True, type=click.Path(path_type=Path, exists=True), help="Folder of BEIR folders.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the page here as well.")
def main(data: Path, out: Path | None) -> None:
    indexes = {
        name: prepare(str(data / name), embedder="hashing").build(make_current=False) for name in SPLITTING_SETS
    }
    queries = {name: corpus(str(data / name)).queries() for name in SPLITTING_SETS}
    sections = [
        "# The corpus writer's spelling and splitting\n\nMade by `python -m scripts.measure_corpus_writer`.",
        _typos(indexes),
        _untouched(indexes, queries),
        _splits(indexes, queries),
    ]
    page = "\n\n".join(sections) + "\n"
    print(page)
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(page, encoding="utf-8")


def _typos(indexes: dict[str, Index]) -> str:
    lines = [
        f"## One-letter typos\n\n{TYPOS} words drawn (seed {SEED}) from the corpus' distinct words of {MIN_LETTERS} "
        "letters a–z or more, rare and odd ones too, each with one random letter substituted, deleted, inserted or "
        "two neighbours swapped, given as a query of one word. A typo that happens to be another word counts as not "
        "restored.\n",
        "| set | restored | " + " | ".join(KINDS) + " | left alone | wrong word | ms a query |",
        "|---|---|" + "---|" * len(KINDS) + "---|---|---|",
    ]
    for name in SPELLING_SETS:
        index, rng = indexes[name], random.Random(SEED)
        words = sorted(w for w in index.vocabulary if len(w) >= MIN_LETTERS and w.isascii() and w.isalpha())
        rewrite(Task("rewrite", "warmingupp"), index, "en")
        done, drawn, outcome = Counter[str](), Counter[str](), Counter[str]()
        started = time.perf_counter()
        for word in rng.sample(words, TYPOS):
            kind, typo = _misspelt(word, rng)
            got = rewrite(Task("rewrite", typo), index, "en")[0].text
            drawn[kind] += 1
            done[kind] += got == word
            outcome["restored" if got == word else "left" if got == typo else "wrong"] += 1
        each = (time.perf_counter() - started) / TYPOS
        kinds = " | ".join(f"{done[kind]}/{drawn[kind]}" for kind in KINDS)
        lines.append(
            f"| {name} | {outcome['restored']} of {TYPOS} ({outcome['restored'] / TYPOS:.1%}) | {kinds} | "
            f"{outcome['left']} | {outcome['wrong']} | {1000 * each:.2f} |"
        )
    return "\n".join(lines)


def _misspelt(word: str, rng: random.Random) -> tuple[str, str]:
    while True:
        kind, at = rng.choice(list(KINDS)), rng.randrange(len(word))
        letter = rng.choice(string.ascii_lowercase)
        typo = {
            "substitution": word[:at] + letter + word[at + 1 :],
            "deletion": word[:at] + word[at + 1 :],
            "insertion": word[:at] + letter + word[at:],
            "transposition": word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
        }[kind]
        if typo != word:
            return kind, typo


def _untouched(indexes: dict[str, Index], queries: dict[str, list[JudgedQuery]]) -> str:
    lines = [
        "## Real queries\n\nOf the queries all of whose words the corpus holds, none may be respelt; others "
        "may be, and the words changed are listed.\n",
        "| set | queries | all words held | of those respelt | words respelt in the others |",
        "|---|---|---|---|---|",
    ]
    for name, index in indexes.items():
        held = respelt_held = 0
        others: list[str] = []
        for query in queries[name]:
            language = of_query(query.text, index.manifest.language) or index.manifest.language or "en"
            known = all(map(index.document_frequency, tokenise(query.text)))
            notes = rewrite(Task("rewrite", query.text), index, language)[0].note.split("; ")
            changes = [note.removeprefix("typo: ") for note in notes if note.startswith("typo: ")]
            held += known
            respelt_held += known and bool(changes)
            others += changes
        shown = f": {', '.join(others)}" if others else ""
        lines.append(f"| {name} | {len(queries[name])} | {held} | {respelt_held} | {len(others)}{shown} |")
    return "\n".join(lines)


def _splits(indexes: dict[str, Index], queries: dict[str, list[JudgedQuery]]) -> str:
    lines = [
        "## Decomposition\n\nShare of queries that are split, by half.\n",
        "| set | even half | odd half | how (both halves) |",
        "|---|---|---|---|",
    ]
    for name, index in indexes.items():
        groups = {name: queries[name]}
        if name.startswith("hotpotqa"):
            kinds = sorted({str(query.metadata.get("type")) for query in queries[name]})
            groups = {f"{name}, {k}": [q for q in queries[name] if q.metadata.get("type") == k] for k in kinds}
        for label, group in groups.items():
            halves = {"tune": Counter[bool](), "test": Counter[bool]()}
            how = Counter[str]()
            for query in group:
                language = of_query(query.text, index.manifest.language) or index.manifest.language or "en"
                parts = decompose(Task("decompose", query.text), index, language)
                halves[split_of(query.id)][len(parts) > 1] += 1
                how[parts[0].note] += len(parts) > 1
            reasons = ", ".join(f"{n} × {note}" for note, n in how.most_common() if n)
            lines.append(f"| {label} | {_share(halves['tune'])} | {_share(halves['test'])} | {reasons} |")
    return "\n".join(lines)


def _share(counts: Counter[bool]) -> str:
    n = sum(counts.values())
    return f"{counts[True]} of {n} ({counts[True] / max(1, n):.0%})"


if __name__ == "__main__":
    main()
