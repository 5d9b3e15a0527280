"""Every scene of the samples is true: run with the writer the page uses without a key, and the real embedder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ir_core import library, session
from ir_core.compare import compare_all
from ir_core.errors import BadInput, BadSource, UnknownName
from ir_core.library import samples
from ir_core.library.own_scenes import MOST_SCENES, of_queries
from ir_core.library.scenes import IDENTITY, OUTCOMES, STRATEGY, Scene, outcome_of, read_scenes
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.transforms import TRANSFORMS
from ir_core.writers import CorpusWriter, with_authored

SAMPLES = samples.names()
Opener = Callable[..., Engine]
SCENES = [scene for name in SAMPLES for scene in library.scenes(name)]


@pytest.fixture(scope="module")
def engines(tmp_path_factory, minilm) -> Opener:
    """The engine of a sample as it comes, or by another strategy; each made once, in one home."""
    home = tmp_path_factory.mktemp("scenes")
    made: dict[tuple[str, str], Engine] = {}

    def opened(corpus: str, strategy: Mapping[str, Any] | None = None) -> Engine:
        key = (corpus, repr(strategy))
        if key not in made:
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("QUERY_PRISM_HOME", str(home))
                prepared = session.prepare(corpus, strategy=strategy)
                made[key] = session.open_engine(prepared, make_current=strategy is None)
        return made[key]

    return opened


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.id)
def test_a_scene_shows_what_it_says(scene: Scene, engines):
    engine = engines(scene.corpus)
    examples = library.corpus(scene.corpus).authored()
    found = compare_all(
        engine,
        scene.query,
        transforms=scene.transforms,
        writer=with_authored(CorpusWriter(engine.index), examples, scene.query, scene.history),
        settings=SearchSettings(mode=scene.mode, k=scene.k),
        history=scene.history,
    )
    places = {one.formulation.transform: one.place(scene.looked_for) for one in found}
    if scene.strategy:
        [original] = [one.formulation for one in found if one.formulation.transform == IDENTITY]
        otherwise = engines(scene.corpus, scene.strategy)
        settings = SearchSettings(mode=scene.mode, k=scene.k)
        places[STRATEGY] = search(otherwise, original, settings).place(scene.looked_for)
    shown = {name: rank if rank and rank <= scene.k else None for name, rank in places.items()}
    assert shown == scene.ranks, "of every column"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.id)
def test_its_words_are_two_sentences_whose_ranks_are_the_measured_ones(scene: Scene):
    assert len(scene.says) == 2
    for said in scene.says:
        assert len(re.findall(r"[.!?](?=\s|$)", said.rstrip())) == 1, "one sentence each"
        assert not re.search(r"\brank \d", said), "ranks are named, so that the test above holds for them"
        assert "{" in said or said == scene.says[1], "the first says where the document is"
    assert not any(word in scene.title.lower() for word in ("win", "lose", "best", "worse")), (
        "it is read before a guess"
    )
    judged = library.corpus(scene.corpus).qrels()
    ids = [item.id for item in library.corpus(scene.corpus).queries() if item.text == scene.query]
    assert not ids or any(judged[item].get(scene.looked_for, 0) > 0 for item in ids), "judged relevant"


def test_every_technique_of_the_first_column_wins_and_loses_and_the_original_wins():
    assert len({scene.id for scene in SCENES}) == len(SCENES) >= 20
    seen = Counter((scene.technique, scene.outcome) for scene in SCENES)
    for name in ("rewrite", "multi_query", "hyde", "decompose", "step_back", "condense"):
        assert seen[name, "wins"], name
        assert seen[name, "loses"], name
    assert seen["identity", "original wins"]
    assert seen["identity", "nothing changes"]


@pytest.mark.parametrize(
    ("technique", "ranks", "outcome"),
    [
        ("hyde", {"identity": 3, "hyde": 1}, "wins"),
        ("hyde", {"identity": None, "hyde": 5}, "wins"),
        ("hyde", {"identity": 3, "hyde": None}, "loses"),
        ("hyde", {"identity": 7, "hyde": 9}, "nothing changes"),
        ("hyde", {"identity": 1}, None),
        ("identity", {"identity": 1, "hyde": 1, "rewrite": 2}, "original wins"),
        ("identity", {"identity": 1, "hyde": 1}, "nothing changes"),
        ("identity", {"identity": 2, "hyde": 1, "rewrite": 3}, None),
    ],
)
def test_outcomes_with_k_5_where_all_places_below_are_one(technique, ranks, outcome):
    assert outcome_of(technique, ranks, 5) == outcome
    assert outcome is None or outcome in OUTCOMES


GOOD = """
- {id: a, title: t, technique: hyde, outcome: wins, query: q, transforms: [hyde], looked_for: d,
   ranks: {identity: 2, hyde: 1}, says: ["One {hyde}.", "Two."], reference: r}
"""


@pytest.mark.parametrize(
    "text",
    [
        GOOD + GOOD,
        GOOD.replace("wins", "loses"),
        GOOD.replace('"Two."', '"Two {rewrite}."'),
        GOOD.replace("[hyde]", "[hydra]"),
        GOOD.replace("technique: hyde", "technique: strategy"),
        GOOD.replace("query: q", "query: q, strategy: {name: Hydra}"),
        GOOD.replace("query: q", "query_id: nobody"),
    ],
)
def test_a_scene_that_contradicts_itself_is_refused_by_number(text):
    assert read_scenes(GOOD, "c", [])[0].sentences == "One rank 1. Two."
    with pytest.raises(BadSource, match=r"scenes.yaml, scene \d"):
        read_scenes(text, "c", [])


def mine(**given: object) -> Scene:
    history = ({"role": "user", "content": "before"},)
    choices = (("multi_query", {"n": 5}),)
    base = {
        "id": "",
        "title": "Mine",
        "corpus": "help_center",
        "query": "q",
        "history": history,
        "transforms": choices,
    }
    return Scene(**{**base, "looked_for": "hc-001", "writer": "openai/x", "note": "look", **given})  # type: ignore[arg-type]


def test_a_saved_scene_comes_back_as_it_was_and_can_be_deleted(home):
    kept = library.save_scene(mine())
    [found] = library.own_scenes("help_center")
    assert found.id == kept.id
    assert (found.query, found.history, found.looked_for, found.note) == ("q", mine().history, "hc-001", "look")
    assert dict(found.transforms)["multi_query"]["n"] == 5
    assert library.own_scenes("procurement") == []
    text = next((home / "scenes").iterdir()).read_text()
    assert not any(word in text for word in ("api_key", "base_url", "http"))
    library.delete_scene(kept.id)
    assert library.own_scenes() == []
    for name in (kept.id, "../corpora/x", "own-../x"):
        with pytest.raises(UnknownName):
            library.delete_scene(name)


def test_the_store_is_bounded_and_a_damaged_file_costs_only_itself(home):
    kept = library.save_scenes([mine(title=str(number)) for number in range(MOST_SCENES)])
    with pytest.raises(BadInput, match="200 scenes are kept"):
        library.save_scene(mine())
    (home / "scenes" / f"{kept[0].id}.json").write_text("{")
    assert len(library.own_scenes()) == MOST_SCENES - 1


@pytest.mark.parametrize("given", [{"title": " "}, {"query": " "}, {"title": "x" * 200}, {"note": "x" * 2_000}])
def test_what_is_no_scene_is_not_kept(given):
    with pytest.raises(BadInput):
        library.save_scene(mine(**given))
    assert library.own_scenes() == []


def test_a_query_set_becomes_scenes_that_look_for_the_best_judged_document():
    corpus = library.corpus("help_center")
    found = of_queries(mine(), corpus.queries(), corpus.qrels())
    assert len(found) == 50
    one = next(scene for scene in found if scene.title.startswith("hc-q026"))
    assert (one.query, one.looked_for, one.history) == ("receipt", "hc-037", ())
    assert all(TRANSFORMS.get(name) for scene in found for name, _ in scene.transforms)
