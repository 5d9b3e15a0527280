"""Corpus health: twenty planted faults are found, and nothing else."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ir_core import session
from ir_core.analysis.health import CHECKS, Health, examine, examine_prepared, lengths_of
from ir_core.errors import Cancelled
from ir_core.library import JudgedQuery
from ir_core.schema import Artifact
from tests.health_corpus import LIMIT, Planted, Reader, index_of


@pytest.fixture(scope="module")
def planted(tmp_path_factory) -> Planted:
    return Planted(tmp_path_factory.mktemp("planted"))


def look(planted: Planted, *, faults: bool) -> Health:
    loaded = planted.write(faults=faults)
    index = index_of(loaded.artifacts, "planted")
    return examine(index, Reader(), loaded=loaded, queries=planted.queries, qrels=planted.qrels)


def test_twenty_planted_faults_are_all_found_and_none_is_invented(planted):
    health = look(planted, faults=True)
    assert sum(map(len, planted.faults.values())) == 20
    found = {one.name: one for one in health.of("found")}
    assert set(found) == set(planted.faults) == set(CHECKS.names()), "every check has a fault, and finds it"
    for name, faults in planted.faults.items():
        told = [(" ".join(one.ids), one.text) for one in found[name].examples]
        assert found[name].count == len(faults) == len(told), (name, found[name].said)
        for fault in faults:
            assert sum(fault in ids or text.startswith(fault) for ids, text in told) == 1, (fault, told)
    assert f"more than the {LIMIT} tokens" in found["over_limit"].said
    assert "2 are in a language that" in found["languages"].said


def test_the_same_documents_without_them_give_no_alarm(planted, tmp_path):
    health = look(Planted(tmp_path), faults=False)
    assert [(one.name, one.status, one.said) for one in health.findings if one.status != "clear"] == []


@pytest.mark.parametrize("name", ["help_center", "procurement"])
def test_samples_have_only_what_is_true_of_them(name):
    """By an embedder without a limit, so that whole articles are no fault."""
    prepared = session.prepare(name, embedder="hashing")
    health = examine_prepared(prepared, prepared.build())
    assert [(one.name, one.status, one.said) for one in health.findings if one.status != "clear"] == []
    assert sum(one.surfaces for one in health.lengths.bins) == health.n_surfaces


def test_every_check_describes_itself_and_says_what_to_do():
    for check in CHECKS:
        for sentence in (check.summary, check.effect, check.change):
            assert sentence.endswith(".")
            assert len(sentence) < 260


def test_without_a_query_set_or_the_source_it_says_so():
    artifacts = [Artifact(f"d{number}", f"Text {number} about a subject of its own.") for number in range(3)]
    index = index_of(artifacts, "three")
    health = examine(index, Reader())
    said = {one.name: one.said for one in health.of("unmeasured")}
    assert set(said) == {"hubs", "unreached", "pdf_without_text"}
    assert all(sentence.startswith("Not measured: ") for sentence in said.values())
    assert health.finding("hubs").count is None


@pytest.mark.parametrize("n", [22, 26, 80])
def test_a_text_that_names_everything_is_a_hub_of_a_small_corpus_too(n):
    words = [f"subject{number}" for number in range(n - 1)]
    artifacts = [Artifact(f"d{number}", f"{word} has a page of its own") for number, word in enumerate(words)]
    index = index_of([*artifacts, Artifact("all", f"overview: {' '.join(words)}")], f"hub{n}")
    queries = [JudgedQuery(f"q{number}", f"overview {word}") for number, word in enumerate(words)]
    qrels = {f"q{number}": {f"d{number}": 1} for number in range(len(words))}
    hubs = examine(index, Reader(), queries=queries, qrels=qrels).finding("hubs")
    assert hubs.status == "found"
    assert hubs.examples[0].ids == ("all",)


def test_it_can_be_stopped_and_tells_how_far_it_is(planted):
    loaded = planted.write(faults=False)
    index = index_of(loaded.artifacts, "stopped")
    told = []
    examine(index, Reader(), on_progress=told.append)
    assert {CHECKS.get(name).label for name in CHECKS.names()} <= {one.stage for one in told}
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        examine(index, Reader(), cancel=cancel)


def test_lengths_add_up_and_know_the_limit():
    tokens = np.array([3, 100, 256, 257, 300, 9_000])
    lengths = lengths_of(tokens, 256)
    assert (lengths.over, lengths.lost) == (3, 1 + 44 + 8_744)
    assert sum(one.surfaces for one in lengths.bins) == 6
    for one in lengths.bins:
        inside = (tokens >= one.low) & ((tokens <= one.high) if one.high is not None else True)
        assert one.surfaces == inside.sum()
    single = lengths_of(np.array([7]), None)
    assert [(one.surfaces, single.over, single.lost) for one in single.bins if one.surfaces] == [(1, 0, 0)]
