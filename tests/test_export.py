"""A comparison taken away: another process ranks the same, another tool measures the same, others can open it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from dataclasses import asdict, replace

import ir_measures
import pytest
from ir_measures import nDCG

from ir_core import library, session
from ir_core.compare import compare_all
from ir_core.errors import BadInput
from ir_core.export import Comparison, RunStore, from_bundle, to_bundle, to_html, to_python, to_qrels, to_run
from ir_core.export.trec import token
from ir_core.retrieval import SearchSettings
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer

HOSTILE = '<img src=x onerror=alert(1)>"\'; import os # \u202e """ {0} \\N'


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Every transform of one judged query, by the corpus writer, over the help centre."""
    home = tmp_path_factory.mktemp("exported")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(home))
        engine = session.open_engine(session.prepare("help_center", embedder="hashing"))
        writer = open_writer("corpus", index=engine.index)
        settings = SearchSettings(k=7, filter={"audience": {"$ne": "nobody"}})
        query = next(item for item in library.corpus("help_center").queries() if item.id == "hc-q075")
        names = [name for name in TRANSFORMS.names() if name != "identity"][:7]
        results = compare_all(
            engine, query.text, transforms=[(name, {}) for name in names], writer=writer, settings=settings
        )
        manifest = engine.index.manifest
        config = {
            "corpus": "help_center", "strategy": dict(manifest.strategy), "embedder": manifest.embedder,
            "reranker": None, "index": manifest.fingerprint, "tokeniser": manifest.tokeniser, "k1": manifest.k1,
            "b": manifest.b, "idf": manifest.idf, "filter_fields": list(manifest.filter_fields),
            **asdict(settings), "writer": "corpus", "history": [],
        }  # fmt: skip
        grades = library.corpus("help_center").qrels()["hc-q075"]
        yield Comparison(query.text, config, tuple(results), "2026-01-02T03:04:05Z", "0.1", grades, "hc-q075")
        engine.index.close()


def ranking(made: Comparison) -> list[str]:
    return [
        f"{name}\t{hit.rank}\t{hit.artifact_id}\t{hit.score:.6f}"
        for name, result in zip(made.names, made.results, strict=True)
        for hit in result.fused.hits
    ]


def run_script(script: str, home: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "QUERY_PRISM_HOME": home}
    return subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=120, check=False
    )


def test_the_snippet_prints_the_identical_ranking_in_a_fresh_process_of_another_installation(made, tmp_path):
    ran = run_script(to_python(made), str(tmp_path / "empty home"))
    assert ran.returncode == 0, ran.stderr[-2_000:]
    assert ran.stdout.splitlines() == ranking(made)
    assert len(ranking(made)) > 30


def test_the_snippet_says_when_the_corpus_is_another(made, tmp_path):
    other = replace(made, config={**made.config, "index": "0123456789abcdef"})
    ran = run_script(to_python(other), str(tmp_path))
    assert ran.returncode != 0
    assert "The ranking would differ" in ran.stderr
    assert ran.stdout == ""


def test_nothing_of_a_text_is_ever_code(made):
    first = made.results[0]
    query = replace(first.formulation.original, text=HOSTILE)
    formulation = replace(first.formulation, original=query, queries=(query,), title=HOSTILE)
    found = replace(made, results=(replace(first, formulation=formulation),), query=HOSTILE)
    names: dict[str, object] = {}
    script = to_python(found).split("prepared =")[0]
    exec(compile(script, "snippet", "exec"), names)
    assert names["FORMULATIONS"][0].queries == (query,)  # type: ignore[index]
    page = to_html(found)
    assert "<img" not in page
    assert "<script" not in page
    assert "&lt;img src=x" in page


def test_the_run_and_the_judgements_give_the_same_ndcg_in_another_tool(made, tmp_path):
    qrels = tmp_path / "judged.qrels"
    qrels.write_text(to_qrels(made))
    for column, result in enumerate(made.results):
        run = tmp_path / "some.run"
        run.write_text(to_run(made, column))
        theirs = ir_measures.calc_aggregate(
            [nDCG @ 10], ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
        )[nDCG @ 10]
        from ir_core.evaluation.measures import parse, score

        names = [hit.artifact_id for hit in result.fused.hits]
        ours = score([parse("ndcg@10")], {"q": made.grades}, {"q": names})["q"]["ndcg@10"]
        assert theirs == pytest.approx(ours, abs=1e-9)


def test_an_id_stays_one_word_and_its_own():
    names = ["a b", "a%20b", "متحف 1", "", "\t", "a\u2028b", "plain-1"]
    words = [token(name) for name in names]
    assert len(set(words)) == len(names)
    assert all(word and len(word.split()) == 1 for word in words)
    assert token("plain-1") == "plain-1"


def test_a_bundle_comes_back_as_the_same_value(made):
    data = to_bundle(made)
    back = from_bundle(data)
    assert back.results == made.results
    assert back.grades == dict(made.grades)
    assert to_bundle(back) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nonsense",
        gzip.compress(b"[1, 2"),
        gzip.compress(b"[]"),
        gzip.compress(b'{"query_prism": 99}'),
        gzip.compress(json.dumps({"query_prism": 1, "comparison": {"query": 3}}).encode()),
        gzip.compress(b"[" * 100_000),
        gzip.compress(b" " * 70_000_000),
    ],
    ids=["empty", "no gzip", "half", "no mapping", "later", "damaged", "deep", "huge"],
)
def test_what_is_no_bundle_is_refused_in_a_sentence(data):
    with pytest.raises(BadInput, match="bundle"):
        from_bundle(data)


def test_the_store_is_bounded_and_keeps_the_newest(made, tmp_path):
    store = RunStore(tmp_path / "runs", max_runs=3)
    ids = []
    for number in range(5):
        ids.append(store.put(replace(made, query=f"query {number}")))
        path = next(tmp_path.glob(f"runs/{ids[-1]}*"))
        os.utime(path, (number, number))
    assert len(set(ids)) == 5
    assert store.get(ids[-1]).query == "query 4"
    assert len(list((tmp_path / "runs").iterdir())) == 3
    for gone in (ids[0], "../../etc/passwd", "x"):
        with pytest.raises(BadInput):
            store.get(gone)
    small = RunStore(tmp_path / "runs", max_bytes=10)
    assert small.get(small.put(made)).query == made.query, "the newest is never the one that is dropped"
