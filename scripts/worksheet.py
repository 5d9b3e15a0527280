"""The worksheet of the lesson, with the answers computed from the scenes.

``python -m scripts.worksheet`` writes docs/worksheet.md. A test holds the scenes to what they say.
"""

from __future__ import annotations

from pathlib import Path

from ir_core import library
from ir_core.library import Scene, samples
from ir_core.library.scenes import IDENTITY, rank_words
from ir_core.transforms import TRANSFORMS

DOCS = Path(__file__).parent.parent / "docs"
ORDER = (
    "pr-other-name", "pr-acronym", "hc-everyday-words", "hc-rewrite-too-tidy", "hc-angles", "hc-setting-name",
    "hc-passage", "pr-clock", "hc-two-parts", "hc-needless-parts", "pr-portal-chapter", "hc-follow-up",
    "hc-follow-up-drowned", "hc-exact-code", "hc-switching-on", "hc-nothing-to-gain",
)  # fmt: skip
"""Scenes of the lesson."""
HEAD = """# Worksheet

Made by `python -m scripts.worksheet`; for the [lesson](lesson.md). Fill in your guess before the ranking is revealed.
The answers stand at the end: print without them.

Name: ______________________________  Date: ______________

## Guess, then look

For each scene: which transform puts the looked-for document highest? *None* is an answer.

| no. | scene | the question | my guess | right? |
|---|---|---|---|---|
"""
QUESTIONS = """
## In your own words

1. What is the difference between a text that *replaces* the query and one that is *added to* it? Name one scene
   for each.
2. Why does an invented passage help although its facts may be wrong? And where did it harm?
3. What is a bridge query, and why could the second question not be asked at first?
4. Reciprocal rank fusion gives rank r a share of 1 / (60 + r). A document is first in one list of four and in none of
   the others; another is tenth in all four. Which comes first? Compute both.
5. Which kind of question would you never transform? How would a program recognise it?
6. Choose a claim in [claims.md](claims.md). What is the source, what is our figure, how many queries, and does the
   interval leave out zero?
"""


def chosen() -> list[Scene]:
    """:raises KeyError: for a scene that is no longer there."""
    found = {scene.id: scene for name in samples.names() for scene in library.scenes(name)}
    return [found[name] for name in ORDER]


def text() -> str:
    scenes = chosen()
    asked = "\n".join(
        f"| {number} | `{scene.id}` {scene.title} | {scene.query} | | |"
        for number, scene in enumerate(scenes, start=1)
    )
    answers = "\n".join(
        f"| {number} | {best(scene)} | {ranks(scene)} | {scene.sentences} |"
        for number, scene in enumerate(scenes, start=1)
    )
    return (
        f"{HEAD}{asked}\n{QUESTIONS}\n## Answers\n\n"
        f"| no. | best | ranks of the looked-for document | what there is to see |\n|---|---|---|---|\n{answers}\n\n"
        f"{in_words()}"
    )


def best(scene: Scene) -> str:
    """Labels of the columns that do better than the original, or "none"."""
    place = {name: rank or scene.k + 1 for name, rank in scene.ranks.items()}
    first = min(place.values())
    if first == place[IDENTITY]:
        return "none"
    return ", ".join(label(name) for name, rank in place.items() if rank == first)


def ranks(scene: Scene) -> str:
    return "; ".join(f"{label(name)} {rank_words(rank, scene.k)}" for name, rank in scene.ranks.items())


def label(name: str) -> str:
    return str(TRANSFORMS.get(name).label)


def in_words() -> str:
    one, four = 1 / (60 + 1), 4 / (60 + 10)
    return (
        "1. Replaced: nothing of the user's words is searched (`hc-rewrite-too-tidy`). Added: they keep a vote "
        "(`hc-angles`).\n"
        "2. Only its place among the vectors is used (`hc-passage`). It pulls to what its writer thought of first "
        "(`pr-clock`).\n"
        "3. A sentence of a first hit with the question's words that the document lacks (`pr-portal-chapter`): the "
        "sentence was not known before.\n"
        f"4. First in one list: 1/61 = {one:.4f}. Tenth in four: 4/70 = {four:.4f}. The second comes first: "
        "places are counted, not reasons.\n"
        "5. Exact codes, names and quotations (`hc-exact-code`): digits and capitals in a word, quotation marks, a "
        "word that few documents hold.\n"
        "6. As the table has it. An interval that spans zero is no evidence of a difference, and no proof of none.\n"
    )


def main() -> None:
    (DOCS / "worksheet.md").write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
