"""Scenes: one query with what is to be seen in it, as data. A sample's own stand in its scenes.yaml.

A scene of a sample is a claim about this program: where the document that is looked for stands, by transform, with
the writer that needs no key. A test runs every one of them. In a scene with a ``strategy`` the corpus is also indexed
by that one, and the original's rank there is named as the technique "strategy".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from ir_core.config import DEFAULT_K, DEFAULT_MODE, MAX_K, MAX_TRANSFORMS
from ir_core.errors import BadSource
from ir_core.library.corpora import corpus as corpus_named
from ir_core.library.queries import JudgedQuery
from ir_core.params import values_of
from ir_core.schema import Turn
from ir_core.strategies import strategy_from_spec
from ir_core.transforms import TRANSFORMS

Outcome = Literal["wins", "loses", "original wins", "nothing changes"]
OUTCOMES: tuple[Outcome, ...] = ("wins", "loses", "original wins", "nothing changes")
IDENTITY, STRATEGY = "identity", "strategy"
Choice = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Scene:
    """``technique`` is a transform's name ("identity" where the original is the point, "strategy" where it is how the
    corpus was indexed) and ``outcome`` what becomes of ``looked_for`` under it; both are None for a scene that a
    person saved, which has a ``note`` for ``says``.

    ``ranks`` has, by transform, the rank of ``looked_for``, None where it is not among the first k; ``says`` names
    them as ``{transform}``. ``transforms`` are complete settings, the original left out. ``strategy`` is another than
    the corpus' own, as {"name", "params"}: the original's rank with it stands under "strategy". ``writer`` None:
    whichever is chosen. There is no field for a key or a server."""

    id: str
    title: str
    corpus: str
    query: str
    history: tuple[Turn, ...] = ()
    transforms: tuple[Choice, ...] = ()
    mode: str = DEFAULT_MODE
    k: int = DEFAULT_K
    looked_for: str | None = None
    strategy: Mapping[str, Any] | None = None
    technique: str | None = None
    outcome: Outcome | None = None
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    reference: str = ""
    writer: str | None = None
    note: str = ""
    created: str = ""

    @property
    def sentences(self) -> str:
        """``says`` with its ranks in words, else the note."""
        words = {name: rank_words(rank, self.k) for name, rank in self.ranks.items()}
        return " ".join(said.format_map(words) for said in self.says) or self.note


def rank_words(rank: int | None, k: int) -> str:
    return f"rank {rank}" if rank is not None and rank <= k else f"below the first {k}"


def outcome_of(technique: str, ranks: Mapping[str, int | None], k: int) -> Outcome | None:
    """What became of the document that is looked for: higher is better, all places below k are one.

    :param ranks: by transform, the original's as "identity".
    None where the original was not the best and is what the scene is about, or the technique has no rank.
    """
    place = {name: rank if rank is not None and rank <= k else k + 1 for name, rank in ranks.items()}
    original = place[IDENTITY]
    if technique != IDENTITY:
        if technique not in place:
            return None
        return "wins" if place[technique] < original else "loses" if place[technique] > original else OUTCOMES[3]
    others = [rank for name, rank in place.items() if name != IDENTITY]
    if any(rank < original for rank in others):
        return None
    return "original wins" if any(rank > original for rank in others) else "nothing changes"


def scenes(corpus: str) -> tuple[Scene, ...]:
    """Those that come with a sample, in the order of its file; empty for any other corpus.

    :raises BadSource: naming the scene that is none.
    :raises UnknownName: for no such corpus.
    """
    opened = corpus_named(corpus, paths=False)
    file = opened.info.path / "scenes.yaml" if opened.info.kind == "sample" and opened.info.path else None
    if file is None or not file.is_file():
        return ()
    return read_scenes(file.read_text("utf-8"), corpus, opened.queries())


def read_scenes(text: str, corpus: str, queries: Iterable[JudgedQuery]) -> tuple[Scene, ...]:
    """:param queries: the corpus' own, which scenes name by id.
    :raises BadSource: naming the scene that is none, or has the id of another.
    """
    import yaml

    safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, where there is one, takes a tenth of the time
    known = {query.id: query for query in queries}
    found: dict[str, Scene] = {}
    for number, record in enumerate(yaml.load(text, Loader=safe) or (), start=1):
        try:
            scene = _scene(record, corpus, known)
            if scene.id in found:
                raise ValueError(f"the id {scene.id!r} is taken")
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            what = f"{type(error).__name__}: {error}"
            raise BadSource(f"scenes.yaml, scene {number}, is no scene ({what}). Correct it.") from None
        found[scene.id] = scene
    return tuple(found.values())


def _scene(record: Mapping[str, Any], corpus: str, known: Mapping[str, JudgedQuery]) -> Scene:
    asked = known[record["query_id"]] if "query_id" in record else None
    history = asked.history if asked else tuple(cast(Turn, dict(turn)) for turn in record.get("history", ()))
    scene = Scene(
        id=str(record["id"]),
        title=str(record["title"]),
        corpus=corpus,
        query=asked.text if asked else str(record["query"]),
        history=history,
        transforms=with_settings(_choice(item) for item in record["transforms"]),
        mode=str(record.get("mode", DEFAULT_MODE)),
        k=int(record.get("k", DEFAULT_K)),
        looked_for=str(record["looked_for"]),
        strategy=record.get("strategy"),
        technique=str(record["technique"]),
        outcome=record["outcome"],
        ranks=dict(record["ranks"]),
        says=tuple(str(said) for said in record["says"]),
        reference=str(record["reference"]),
    )
    strategy_from_spec(scene.strategy)  # raises for one there is not
    columns = {IDENTITY, *(name for name, _ in scene.transforms)}
    names = columns | {STRATEGY} if scene.strategy else columns
    if scene.outcome not in OUTCOMES or len(scene.says) != 2 or scene.technique not in names:
        raise ValueError(f"{scene.id}: an outcome of {OUTCOMES}, two sentences and one of its transforms are needed")
    if not set(scene.ranks) <= names or not 1 <= scene.k <= MAX_K or len(columns) > MAX_TRANSFORMS:
        raise ValueError(f"{scene.id}: ranks of its own transforms, k and columns within bounds are needed")
    if scene.outcome != outcome_of(scene.technique, scene.ranks, scene.k):
        raise ValueError(f"{scene.id}: its ranks do not say {scene.outcome!r}")
    scene.sentences  # noqa: B018  (a KeyError where a sentence names a rank that is not given)
    return scene


def _choice(item: str | Mapping[str, Mapping[str, Any]]) -> Choice:
    if isinstance(item, str):
        return item, {}
    [(name, settings)] = item.items()
    return name, settings


def with_settings(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Each with all its settings, so that what was set before does not stay.

    :raises UnknownName, BadSetting: for a transform or setting there is not."""
    made = [TRANSFORMS.make(name, settings) for name, settings in choices]
    return tuple((one.name, values_of(one)) for one in made if one.name != IDENTITY)
