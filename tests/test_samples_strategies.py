"""Samples whose strategy decides: what is indexed of a skill, and a package found by what it depends on."""

from __future__ import annotations

import pytest

from ir_core import library, session
from ir_core.compare import compare_all
from ir_core.retrieval import Engine, SearchSettings
from ir_core.strategies import Skill, WholeText
from ir_core.strategies._payload import text_of
from ir_core.writers import CorpusWriter

DEPS = {"name": "Package", "params": {"embed_deps": True}}
DEPENDENTS = {"shapely": {"bramble-geo"}, "psycopg": {"rowferry", "outpost-box"}}


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> dict[bool, Engine]:
    """The packages without and with their deps as surfaces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("packages")))
        return {
            embed: session.open_engine(
                session.prepare("packages", strategy=DEPS if embed else None, embedder="hashing"),
                make_current=not embed,
            )
            for embed in (False, True)
        }


def found(engine: Engine, query: str, **settings) -> list[tuple[str, str]]:
    [result] = compare_all(
        engine, query, transforms=(), writer=CorpusWriter(engine.index), settings=SearchSettings(**settings)
    )
    return [(hit.artifact_id, hit.kind) for hit in result.fused.hits]


@pytest.mark.parametrize(("name", "dependents"), DEPENDENTS.items())
def test_a_package_is_found_by_what_it_depends_on_only_where_that_is_a_surface(packages, name, dependents):
    with_deps = found(packages[True], f"who imports {name}", mode="lexical", k=len(dependents))
    assert {(one, "deps") for one in dependents} == set(with_deps)
    without = found(packages[False], f"who imports {name}", mode="lexical", k=10)
    assert not dependents & {one for one, _ in without}


@pytest.mark.parametrize(("name", "dependents"), DEPENDENTS.items())
def test_deps_can_be_filtered_on_whether_they_are_embedded_or_not(packages, name, dependents):
    for engine in packages.values():
        hits = found(engine, "anything", mode="dense", k=10, filter={"deps": {"$contains": name}})
        assert {one for one, _ in hits} == dependents


def test_judgements_of_who_depends_on_it_are_what_the_records_say():
    """Score 2 has whoever names the library among its deps, and nobody else."""
    corpus = library.corpus("packages")
    records = {one.id: one.raw for one in corpus.load().artifacts}
    asked = {query.id: query.text for query in corpus.queries()}
    checked = 0
    for query_id, grades in corpus.qrels().items():
        for library_name in ("shapely", "redis", "psycopg", "pillow", "lxml", "sqlalchemy"):
            if library_name in asked[query_id].split() or f"{library_name}?" in asked[query_id].split():
                direct = {name for name, raw in records.items() if library_name in raw["deps"]}
                assert {name for name, grade in grades.items() if grade == 2} == direct, asked[query_id]
                checked += 1
    assert checked == 6


def test_of_a_skill_the_body_is_no_part_of_what_is_searched_and_of_the_whole_text_it_is():
    for one in library.corpus("skills").load().artifacts:
        [own] = Skill().decompose(one.id, one.raw, one.metadata).surfaces
        [whole] = WholeText().decompose(one.id, one.raw, one.metadata).surfaces
        assert one.raw["body"] not in own.text
        assert all(one.raw[key] in whole.text for key in ("name", "description", "body"))


def test_the_whole_text_of_a_record_has_its_description_and_readme():
    assert text_of({"name": "quern", "description": "Frames.", "readme": "Lazy."}) == "quern.\nFrames.\nLazy."
    assert text_of({"name": "quern", "description": "Frames."}) == "quern.\nFrames."
    assert text_of({"description": "Frames."}) == "Frames."
