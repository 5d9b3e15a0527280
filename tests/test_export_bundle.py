"""A bundle comes back as the same value; of a damaged one it is said where, and what is taken can be shown."""

from __future__ import annotations

import gzip
import html
import json
import random
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.errors import BadInput
from ir_core.export import Comparison, from_bundle, run_store, to_bundle, to_html, to_python, to_qrels, to_run
from ir_core.schema import Query, Step
from pages._ui import card_badges, card_details, cards, export, links, moves
from pages.compare import taking
from tests.app import open_app, press, shown
from tests.made_results import hit, result

CONFIG = {
    "corpus": "notes", "strategy": {"name": "Chunked", "params": {"max_tokens": 250}}, "embedder": "hashing",
    "reranker": None, "index": "0123456789abcdef", "tokeniser": "prism-words-1", "k1": 1.5, "b": 0.75, "idf": "okapi",
    "filter_fields": ["team"], "mode": "hybrid", "k": 2, "depth": None, "filter": {"team": "web"}, "surfaces": None,
    "dense_weight": 1.0, "lexical_weight": 1, "writer": "corpus", "history": [{"role": "user", "content": "hi"}],
    "transforms": [{"name": "rewrite", "settings": {"original_weight": 1.0}}],
}  # fmt: skip
VARIANT = Query("variant-1", "other words", "variant", 0.5, ("lexical",), term_weights={"other": 0.5})


def comparison() -> Comparison:
    """A small one that has something of everything."""
    first = result(["a", "b"], below=["c"])
    second = result(["b", "a"], transform="rewrite", title="Rewrite", queries=(VARIANT,), combine={"lexical": "max"})
    found = replace(first.rankings[0], hits=first.rankings[0].hits[:1])
    made = replace(second.formulation, steps=(Step("feedback", (VARIANT,), (found,)),))
    second = replace(second, formulation=made, evidence={"variant-1": (hit("b", 1),)})
    return Comparison("the query", CONFIG, (first, second), "2026-01-02T03:04:05Z", "0.1", {"a": 1}, "q1")


def told() -> dict:
    return json.loads(gzip.decompress(to_bundle(comparison())))


def packed(data: object) -> bytes:
    return gzip.compress(json.dumps(data).encode())


def test_a_bundle_comes_back_as_the_same_value():
    made = comparison()
    back = from_bundle(to_bundle(made))
    assert (back.results, back.grades, back.config) == (made.results, made.grades, made.config)
    assert to_bundle(back) == to_bundle(made)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        gzip.compress(b"[1, 2"),
        gzip.compress(b"[]"),
        gzip.compress(b'{"query_prism": 99}'),
        packed({"query_prism": 1, "comparison": {"query": 3}}),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b" " * 70_000_000),
    ],
    ids=["empty", "no gzip", "half", "no mapping", "later", "damaged", "deep", "huge"],
)
def test_what_is_no_bundle_is_refused_in_a_sentence(data):
    with pytest.raises(BadInput, match="bundle"):
        from_bundle(data)


NO_NUMBERS = [float("nan"), float("inf"), float("-inf"), 10**400, "nan", "1.0"]
HIT = ("results", 1, "fused", "hits", 0)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("config",), {}),
        (("results",), []),
        *((("config", name), None) for name in ("corpus", "strategy", "embedder", "index", "mode", "k", "writer")),
        (("config", "strategy"), "x"),
        (("config", "strategy"), {"params": {}}),
        (("config", "history"), ["x"]),
        (("config", "history"), [{"role": "user"}]),
        (("config", "history"), None),
        (("config", "transforms"), ["hyde"]),
        (("config", "surfaces"), "document"),
        (("config", "mode"), "psychic"),
        *((("config", "k1"), value) for value in NO_NUMBERS),
        *(((*HIT, "score"), value) for value in NO_NUMBERS),
        *((("results", 1, "formulation", "queries", 0, "weight"), value) for value in (*NO_NUMBERS, -1.0)),
        (("config", "filter"), {"year": float("nan")}),
        *(((*HIT, "rank"), rank) for rank in (0, -1, 2, 1.5, "1", True)),
        ((*HIT, "contributions", 0, "rank"), 0),
        (("results", 0, "below", 0, "rank"), 1),
        (("results", 1, "rankings", 0, "hits", 1, "rank"), 3),
        (("results", 1, "evidence", "variant-1", 0, "rank"), 2),
        (("results", 1, "formulation", "steps", 0, "rankings", 0, "hits", 0, "rank"), 2),
        *(
            (("results", 1, "formulation", "transform"), name)
            for name in ("", "a b", "hyde\nq Q0 x 1 9 t", "a\x00", "a\u2028b", "../hyde", "a\\b", "\u202ehyde")
        ),
    ],
    ids=lambda item: ".".join(map(str, item)) if isinstance(item, tuple) else ascii(item)[:20],
)  # fmt: skip
def test_a_damaged_bundle_is_refused_with_the_place(path, value):
    data = told()
    place = data["comparison"]
    for part in path[:-1]:
        place = place[part]
    place[path[-1]] = value
    with pytest.raises(BadInput, match="bundle"):
        from_bundle(packed(data))


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES |= st.lists(VALUES, max_size=2) | st.dictionaries(st.text(max_size=3), VALUES, max_size=2)


@given(seed=st.integers(0, 2**32), value=VALUES, drop=st.booleans())
def test_whatever_is_taken_can_be_shown_and_exported(seed, value, drop):
    data = told()
    change(data["comparison"], random.Random(seed), value, drop=drop)
    try:
        made = from_bundle(packed(data))
    except BadInput:
        return
    assert to_html(made)
    compile(to_python(made), "snippet", "exec")
    to_qrels(made)
    export.to_csv(made.results)
    export.to_json(made.query, made.config, made.results)
    taking.facts(made.config)
    for column, one in enumerate(made.results):
        assert to_run(made, column).count("\n") == len(one.fused.hits)
        badges = card_badges.badges(one, saw_history=True)
        cards.head(column, one.formulation.title, result=one, badges=badges, moved=moves.summary({}, 1))
        cards.body(one, str)
        card_details.details(one)
        moved = moves.moves(one, made.results[0])
        for found in one.fused.hits:
            cards.hit_row(found, moved.get(found.artifact_id), None)
    chosen = tuple((item["name"], item["settings"]) for item in made.config.get("transforms") or ())
    links.to_params(links.Link(query=made.query, transforms=chosen, filter=made.config["filter"]))


def change(value: object, rng: random.Random, new: object, *, drop: bool) -> None:
    """One place at random, however deep, holds something else or is gone."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))  # type: ignore[arg-type,call-overload]
        key = rng.choice(keys)
        inside = value[key]  # type: ignore[index]
        if isinstance(inside, dict | list) and inside and rng.random() < 0.8:
            value = inside
        elif drop:
            del value[key]  # type: ignore[attr-defined]
            return
        else:
            value[key] = deepcopy(new)  # type: ignore[index]
            return


def test_a_transform_that_is_not_here_stays_in_the_link():
    params = links.to_params(links.Link(transforms=(("gone", {"n": 5}), ("hyde", {}))))
    assert params["t"] == ['gone:{"n":5}', "hyde"]


def test_a_result_of_transforms_and_a_corpus_that_are_not_here_is_shown_and_can_be_asked_again():
    made = comparison()
    config = {**CONFIG, "transforms": [{"name": "gone", "settings": {"n": 5}}], "strategy": {"name": "Gone"}}
    second = replace(made.results[1], formulation=replace(made.results[1].formulation, transform="gone"))
    name = run_store().put(replace(made, config=config, results=(made.results[0], second)))
    app = open_app(f"run={name}")
    assert "The corpus 'notes' is not here" in html.unescape(shown(app))
    press(app, "ask_again")
    assert not app.exception
    assert "no longer exists" in shown(app)
