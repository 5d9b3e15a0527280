"""A comparison taken away: another process ranks the same, another tool measures the same, others can open it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import asdict, replace

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import nDCG

from ir_core import library, session
from ir_core.compare import compare_all
from ir_core.config import MAX_TRANSFORMS
from ir_core.errors import BadInput
from ir_core.evaluation.measures import parse, score
from ir_core.export import Comparison, RunStore, from_bundle, to_bundle, to_html, to_python, to_qrels, to_run
from ir_core.export.trec import run_lines, token
from ir_core.retrieval import SearchSettings
from ir_core.schema import MODE_LEGS
from ir_core.transforms import TRANSFORMS
from ir_core.writers import open_writer

HOSTILE = '<img src=x onerror=alert(1)>"\'; import os # \u202e """ {0} \\N'
PAYLOAD = '0"\nimport os; print("PWNED")\n"""\nprint("PWNED")\n"""'
OTHERS = tuple(name for name in TRANSFORMS.names() if name != "identity")
ROOM = MAX_TRANSFORMS - 1
COLUMNS = [OTHERS[at : at + ROOM] for at in range(0, len(OTHERS), ROOM)]
"""Every transform, as many at a time as stand side by side."""
GIVEN = {"you": {"kind": "variants", "text": "read a file\nopen a document"}}
HISTORY = [{"role": "user", "content": "Can guests open a folder?"}, {"role": "assistant", "content": "Yes."}]


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    """Every transform in every mode, of one judged query, by the corpus writer, over the help centre."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(tmp_path_factory.mktemp("exported")))
        engine = session.open_engine(session.prepare("help_center", embedder="hashing"))
        yield [compared(engine, names, mode) for names in COLUMNS for mode in MODE_LEGS]
        engine.index.close()


@pytest.fixture(scope="module")
def made(every):
    """The first of them, hybrid."""
    return next(one for one in every if one.config["mode"] == "hybrid")


def compared(engine, names, mode) -> Comparison:
    settings = SearchSettings(mode=mode, k=7, filter={"audience": {"$ne": "nobody"}})
    query = next(item for item in library.corpus("help_center").queries() if item.id == "hc-q075")
    choices = [(name, GIVEN.get(name, {})) for name in names]
    writer = open_writer("corpus", index=engine.index)
    results = compare_all(engine, query.text, transforms=choices, writer=writer, settings=settings, history=HISTORY)
    assert [result.formulation.transform for result in results] == ["identity", *names]
    manifest = engine.index.manifest
    config = {
        "corpus": "help_center", "strategy": dict(manifest.strategy), "embedder": manifest.embedder,
        "reranker": None, "index": manifest.fingerprint, "tokeniser": manifest.tokeniser, "k1": manifest.k1,
        "b": manifest.b, "idf": manifest.idf, "filter_fields": list(manifest.filter_fields),
        **asdict(settings), "writer": "corpus", "history": HISTORY,
        "transforms": [{"name": name, "settings": chosen} for name, chosen in choices],
    }  # fmt: skip
    grades = library.corpus("help_center").qrels()["hc-q075"]
    return Comparison(query.text, config, tuple(results), "2026-01-02T03:04:05Z", "0.1", grades, "hc-q075")


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


def test_the_snippets_print_the_identical_rankings_in_a_fresh_process_of_another_installation(every, tmp_path):
    for number, one in enumerate(every):
        (tmp_path / f"{number:02d}.py").write_text(to_python(one), encoding="utf-8")
    script = f"import pathlib, runpy\nfor path in sorted(pathlib.Path({str(tmp_path)!r}).glob('*.py')):\n"
    ran = run_script(script + "    runpy.run_path(path)\n", str(tmp_path / "empty home"))
    assert ran.returncode == 0, ran.stderr[-2_000:]
    assert ran.stdout.splitlines() == [line for one in every for line in ranking(one)]
    assert all(len(ranking(one)) > 20 for one in every)


def test_the_snippet_says_when_the_corpus_is_another(made, tmp_path):
    other = replace(made, config={**made.config, "index": "0123456789abcdef"})
    ran = run_script(to_python(other), str(tmp_path))
    assert ran.returncode != 0
    assert "The ranking would differ" in ran.stderr
    assert ran.stdout == ""


def test_a_text_comes_out_of_the_script_as_it_was_and_a_page_shows_it_as_text(made):
    found = filled(made, HOSTILE)
    found = replace(found, config={**found.config, **{name: made.config[name] for name in ("tokeniser", "idf")}})
    names: dict[str, object] = {}
    exec(compile(to_python(found).split("prepared =")[0], "snippet", "exec"), names)
    (formulation,) = names["FORMULATIONS"]  # type: ignore[misc]
    assert formulation.queries == found.results[0].formulation.queries
    assert (names["CORPUS"], names["VERSION"], names["MADE"]) == (HOSTILE, HOSTILE, HOSTILE)
    page = to_html(found)
    assert "<img" not in page
    assert "<script" not in page
    assert "&lt;img src=x" in page


def filled(made: Comparison, text: str) -> Comparison:
    """One result, with this text for every one that a bundle may hold freely."""
    first = made.results[0]
    query = replace(first.formulation.original, id=text, text=text, role=text, parent=text, term_weights={text: 1.0})
    query = replace(query, surface_ids=(text,))
    formulation = replace(
        first.formulation, transform=text, title=text, original=query, queries=(query,), combine={text: text},
        skip_reason=text,
    )  # fmt: skip
    config = {
        **made.config, "corpus": text, "embedder": text, "reranker": text, "index": text, "tokeniser": text,
        "idf": text, "writer": text, "filter_fields": [text], "filter": {text: {text: [text]}}, "surfaces": [text],
        "strategy": {"name": text, "params": {text: text}}, "transforms": [{"name": text, "settings": {text: text}}],
    }  # fmt: skip
    result = replace(first, formulation=formulation, fingerprint=text)
    return replace(made, query=text, query_id=text, made=text, version=text, config=config, results=(result,))


def structure(script: str) -> str:
    """The script's syntax with every text in it left out; the head, which nobody else writes, stays."""
    tree = ast.parse(script)
    for node in (item for part in tree.body[1:] for item in ast.walk(part) if isinstance(item, ast.Constant)):
        node.value = type(node.value).__name__
    return ast.dump(tree)


@given(st.text(st.characters(), min_size=1, max_size=30) | st.sampled_from([PAYLOAD, HOSTILE, '"""', "\x0c\n#"]))
def test_nothing_of_a_bundle_is_ever_code(made, text):
    assert structure(to_python(filled(made, text))) == structure(to_python(filled(made, "harmless")))


def test_a_bundle_with_code_in_its_facts_runs_none_of_it(made, tmp_path):
    ran = run_script(to_python(from_bundle(to_bundle(replace(made, version=PAYLOAD, made=PAYLOAD)))), str(tmp_path))
    assert ran.returncode == 0, ran.stderr[-2_000:]
    assert "PWNED" not in ran.stdout + ran.stderr
    assert ran.stdout.splitlines() == ranking(made)


def test_the_runs_and_the_judgements_give_the_same_ndcg_in_another_tool(every, tmp_path):
    qrels, run = tmp_path / "judged.qrels", tmp_path / "some.run"
    qrels.write_text(to_qrels(every[0]))
    for made, column in ((one, column) for one in every for column in range(len(one.results))):
        run.write_text(to_run(made, column))
        theirs = ir_measures.calc_aggregate(
            [nDCG @ 10], ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
        )[nDCG @ 10]
        names = [hit.artifact_id for hit in made.results[column].fused.hits]
        ours = score([parse("ndcg@10")], {"q": made.grades}, {"q": names})["q"]["ndcg@10"]
        assert theirs == pytest.approx(ours, abs=1e-9)


def test_a_line_of_a_run_stays_one_line_whatever_the_tag():
    assert run_lines("q", ["d"], "hyde\nq Q0 x 1 9 t") == "q Q0 d 1 1 hyde%0Aq%20Q0%20x%201%209%20t\n"


def test_a_bundle_of_what_was_really_made_comes_back_as_the_same_value(every):
    for one in every:
        back = from_bundle(to_bundle(one))
        assert (back.results, back.grades) == (one.results, dict(one.grades))
        assert to_bundle(back) == to_bundle(one)


def test_an_id_stays_one_word_and_its_own():
    names = ["a b", "a%20b", "متحف 1", "", "\t", "a\u2028b", "plain-1"]
    words = [token(name) for name in names]
    assert len(set(words)) == len(names)
    assert all(word and len(word.split()) == 1 for word in words)
    assert token("plain-1") == "plain-1"


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
