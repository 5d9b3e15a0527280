"""Two indexes of one corpus: what each holds, and that the second takes nothing from the first. Which surfaces are
looked at."""

from __future__ import annotations

import pytest

from ir_core import build, session
from ir_core.analysis.browse import select
from ir_core.analysis.two_strategies import kept_builds, open_build, two_strategies
from ir_core.embedders import open_embedder
from ir_core.errors import BadFilter, UnknownName
from ir_core.schema import Artifact
from ir_core.strategies import Chunked, Skill, WholeText

TEXT = "One two three.\n\nFour five six.\n\nSeven eight nine."
ARTIFACTS = [
    Artifact("a", TEXT, {"title": "Numbers", "year": 2020}),
    Artifact("b", "حَجزُ قاعةٍ للاجتماعات", {"title": "قاعات", "year": 2021}),
]


def index_of(strategy, *, make_current: bool = True, artifacts=ARTIFACTS):
    return build.build("two", artifacts, strategy, open_embedder("hashing"), make_current=make_current)


def test_the_second_index_takes_nothing_from_the_one_in_use():
    whole = index_of(WholeText())
    chunks = index_of(Chunked(chunk_size=16, overlap=0), make_current=False)
    current = build.current("two")
    assert current is not None
    assert current.manifest.fingerprint == whole.manifest.fingerprint
    assert {made.fingerprint for made in kept_builds("two")} == {
        whole.manifest.fingerprint,
        chunks.manifest.fingerprint,
    }
    opened = open_build("two", chunks.manifest.fingerprint)
    assert opened is not None
    assert opened.n == chunks.n
    assert open_build("two", "../two") is None, "only a build of the corpus"


def test_overlap_is_counted_in_characters_of_the_source():
    whole, chunks = index_of(WholeText()), index_of(Chunked(chunk_size=16, overlap=0), make_current=False)
    found = two_strategies(whole, chunks, ARTIFACTS)
    seen = sum(len("".join(artifact.raw.split())) for artifact in ARTIFACTS)
    assert (found.overlap.source, found.overlap.both, found.overlap.only) == (seen, seen, (0, 0))
    assert (found.one.n_surfaces, found.other.n_surfaces) == (2, chunks.n)
    assert found.one.doubled == found.other.doubled == 0
    assert (found.overlap.texts, found.overlap.either) == (0, 2 + chunks.n)
    assert found.other.longest <= 16


def test_what_overlaps_and_what_is_left_out_is_told():
    whole = index_of(WholeText())
    overlapping = index_of(Chunked(chunk_size=30, overlap=15), make_current=False)
    assert two_strategies(whole, overlapping, ARTIFACTS).other.doubled > 0
    shorter = [Artifact("a", "One two three.", {}), ARTIFACTS[1]]
    gone = two_strategies(whole, overlapping, shorter)
    assert gone.overlap.source is None, "surfaces of an older text are no parts of it any more"
    skill = {"name": "cut", "description": "Cuts paper.", "body": "How it cuts."}
    of_skills = [Artifact("s", skill, {})]
    short = index_of(Skill(), artifacts=of_skills)
    body = index_of(WholeText(text_key="body"), make_current=False, artifacts=of_skills)
    assert two_strategies(short, body, of_skills).overlap.both is None


def test_surfaces_are_selected_by_every_condition():
    index = index_of(WholeText())
    ids = lambda **conditions: [index.surfaces[int(row)].artifact_id for row in select(index, **conditions)]  # noqa: E731
    assert ids() == ["a", "b"]
    assert ids(text="THREE. four") == ["a"], "capitals and line breaks aside"
    assert ids(text="حجز") == ["b"], "vowel marks aside"
    assert ids(document="numb") == ids(filter={"year": 2020}) == ids(rows=[0]) == ["a"]
    assert ids(rows=[0], filter={"year": 2021}) == []
    assert ids(kinds=["document"], rows=[7, -1, 1]) == ["b"], "rows there are not are left out"
    with pytest.raises(UnknownName):
        select(index, kinds=["chunk"])
    with pytest.raises(BadFilter):
        select(index, filter={"month": 1})


def test_a_second_index_embeds_nothing_that_is_there_already(monkeypatch):
    session.prepare("procurement", embedder="hashing").build()
    plan = session.prepare("procurement", embedder="hashing", strategy={"name": "Chunked"}).plan()
    longer = sum(len(surface.text) > 1_200 for surface in session.prepare("procurement").plan().surfaces)
    assert 0 < plan.n_to_embed <= 4 * longer, "documents that are one chunk are known"
