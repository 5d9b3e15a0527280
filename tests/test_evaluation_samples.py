"""Several texts of a query where a model draws them: each searched, their figures averaged, none asked for twice."""

from __future__ import annotations

import io
import threading
import zipfile
from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest

from ir_core import library
from ir_core.evaluation import (
    Row,
    again,
    estimate_run,
    evaluate,
    evaluation_of,
    open_index_of,
    open_writer_of,
    parse,
    score,
)
from ir_core.evaluation.averaging import averaged
from ir_core.evaluation.job import queries_of
from ir_core.evaluation.sampling import STRIDE
from ir_core.export.trec_zip import to_trec_zip
from ir_core.jobs import JobStore, run
from ir_core.secrets import Secret
from ir_core.writers import open_writer
from ir_core.writers.local import LocalWriter
from ir_core.writers.local._installed import available
from tests.evaluation_jobs import CORPUS, figures, job, model, plan, work
from tests.scripted import GOOD, ScriptedWriter

DRAWN = ["password", "invoice", "webhook", "calendar", "export", "locked account"]


def by_seed(task):
    """Another draw for another seed."""
    words = DRAWN[(len(task.query) + task.seed // STRIDE * 2) % len(DRAWN) :] + DRAWN
    return [f"{task.query[:9]} {word}" for word in words[: task.n]]


ANSWERS = dict.fromkeys(GOOD, by_seed)


class Pinned(ScriptedWriter):
    """Asked with one seed only, whatever it is asked with."""

    seed = 0

    def write(self, task, context):
        return super().write(replace(task, seed=self.seed), context)


def pinned(seed):
    writer = Pinned(ANSWERS)
    writer.seed = seed
    return writer


def test_a_query_has_the_mean_of_what_its_three_texts_find():
    made = plan(samples=3, modes=("lexical",), timed_queries=2, controls=("dense",))
    one, writer = job(made), ScriptedWriter(ANSWERS)
    assert run(one, work(writer)).status == "finished"
    assert Counter((task.name, task.seed) for task in writer.asked) == {
        ("rewrite", 0): 12, ("multi_query", 0): 12, ("multi_query", STRIDE): 12, ("multi_query", 2 * STRIDE): 12,
    }  # fmt: skip
    found = evaluation_of(one, "lexical")
    columns = [found.summary(column) for column in found.columns]
    assert [column.samples for column in columns] == [1, 1, 3]
    assert columns[2].calls == 1, "calls are those of one text"
    assert [column.n_timed for column in columns] == [2, 2, 2]
    corpus = library.corpus(CORPUS)
    alone = [
        evaluate(
            open_index_of(made), queries_of(one), corpus.qrels(), transforms=made.transforms, writer=pinned(seed),
            settings=made.settings("lexical"), measures=made.measures, timed_queries=0, samples=1,
        ).columns[2].rows
        for seed in (0, STRIDE, 2 * STRIDE)
    ]  # fmt: skip
    rows = found.columns[2].rows
    for row, *single in zip(rows, *alone, strict=True):
        assert [sample.retrieved for sample in row.samples] == [each.retrieved for each in single]
        for name in made.measures:
            assert row.scores[name] == pytest.approx(mean(each.scores[name] for each in single))
    assert len({sample.retrieved for sample in rows[0].samples}) > 1, "they do differ"
    whole = evaluate(
        open_index_of(made), queries_of(one), corpus.qrels(), transforms=made.transforms,
        writer=ScriptedWriter(ANSWERS), settings=made.settings("lexical"), measures=made.measures, timed_queries=0,
    )  # fmt: skip
    assert [column.rows for column in whole.columns] == [
        tuple(replace(row, latency_s=None, samples=tuple(replace(s, latency_s=None) for s in row.samples))
              for row in column.rows)
        for column in found.columns
    ]  # fmt: skip


def test_exported_runs_read_again_have_the_means():
    one = job(plan(samples=3), n=6)
    run(one, work(ScriptedWriter(ANSWERS)))
    found, qrels = evaluation_of(one, "hybrid"), library.corpus(CORPUS).qrels()
    archive = zipfile.ZipFile(io.BytesIO(to_trec_zip({"hybrid": found}, qrels)))
    names = [name for name in archive.namelist() if "multi" in name]
    assert names == [f"runs/hybrid/3-multi_query.s{number}.run" for number in (1, 2, 3)]
    drawn = []
    for name in names:
        lists: dict[str, list[str]] = {}
        for line in archive.read(name).decode().splitlines():
            query, _, document, *_ = line.split()
            lists.setdefault(query, []).append(document)
        drawn.append(score([parse("ndcg@10")], qrels, lists))
    for row in found.columns[2].rows:
        assert row.scores["ndcg@10"] == pytest.approx(mean(each[row.query_id]["ndcg@10"] for each in drawn), abs=1e-9)


def test_interrupted_often_nothing_is_drawn_twice():
    class Stops(ScriptedWriter):
        def write(self, task, context):
            if len(self.asked) == self.at:
                self.cancel.set()
            return super().write(task, context)

    made = plan(samples=3)
    whole, one, total = job(made), job(made), Counter()
    run(whole, work(ScriptedWriter(ANSWERS)))
    for stop in (2, 7, 19, -1):
        writer = Stops(ANSWERS)
        writer.at, writer.cancel = stop, threading.Event()
        end = run(one, work(writer), cancel=writer.cancel)
        total += Counter((task.name, task.query, task.seed) for task in writer.asked)
    assert end.status == "finished"
    assert (set(total.values()), len(total)) == ({1}, 48)
    assert figures(one) == figures(whole)


def test_where_the_same_text_would_come_again_one_is_enough():
    engine = open_index_of(plan())
    one = job(plan(samples=3, transforms=(("hyde", {}), ("multi_query", {}))), n=3)
    assert run(one, work(open_writer("corpus", index=engine.index))).status == "finished"
    assert [row.n_samples for column in evaluation_of(one, "hybrid").columns for row in column.rows] == [1] * 9
    still = ScriptedWriter(ANSWERS)
    still.temperature_of = lambda task, language: 0.0
    assert run(job(plan(samples=3), n=3), work(still)).status == "finished"
    assert len(still.asked) == 6


@pytest.mark.skipif(bool(available(None)), reason="no local model")
def test_the_local_model_writes_at_temperature_0():
    queries = queries_of(job(plan(), n=3))
    asked = [("hyde", {}), ("multi_query", {})]
    writer = LocalWriter()
    assert estimate_run(asked, writer, queries, samples=3) == estimate_run(asked, writer, queries)


def test_kept_replies_are_one_for_each_draw(llm_server):
    made = plan(samples=3, transforms=(("hyde", {}),), writer=model(llm_server.base_url))
    first, second, key = job(made, n=2), job(made, n=2), Secret("a key")
    queries = queries_of(first)
    engine = open_index_of(made)
    writer, language = open_writer_of(made, engine), engine.index.manifest.language
    before = estimate_run(made.transforms, writer, queries, samples=3, corpus_language=language)
    assert (before.calls, before.kept) == (6, 0)
    run(first, work(key=key))
    seeds = Counter(request.body["seed"] for request in llm_server.requests)
    assert seeds == {0: 2, STRIDE: 2, 2 * STRIDE: 2}
    assert run(second, work(key=key)).status == "finished"
    assert len(llm_server.requests) == 6
    assert [row.kept for row in evaluation_of(second, "hybrid").columns[1].rows] == [1, 1]
    after = estimate_run(made.transforms, writer, queries, samples=3, corpus_language=language)
    assert (after.calls, after.kept) == (6, 6)


def test_a_text_that_could_not_be_made_counts_among_the_others():
    def row(score, **options):
        scores = None if score is None else {"ndcg@10": score}
        return Row("q", "a query", None, scores, calls=1, cost_usd=0.5, **options)

    made = averaged(
        [row(0.9, latency_s=2.0), row(0.6, fallback_reason="busy"), row(0.0, error="lost", latency_s=4.0)]
    )
    assert made.scores == {"ndcg@10": pytest.approx(0.5)}
    assert (made.calls, made.cost_usd, made.latency_s, made.n_samples) == (1, 0.5, 3.0, 3)
    assert made.fallback_share == pytest.approx(1 / 3)
    assert (made.fallback_reason, made.error) == ("In 1 of 3 samples: busy", "In 1 of 3 samples: lost")
    left = averaged([row(None, skip_reason="small talk"), row(0.4)])
    assert (left.scores, left.skip_reason) == ({"ndcg@10": 0.4}, None)
    assert averaged([row(None, skip_reason="small talk")] * 2).skip_reason == "small talk"
    assert averaged([replace(row(0.1), cost_usd=None), row(0.3)]).cost_usd is None


def test_again_searches_the_same_draws():
    one = job(plan(samples=3, modes=("hybrid",)))
    run(one, work(ScriptedWriter(ANSWERS)))
    other, silent = again(one, plan(samples=3, modes=("dense",)), store=JobStore()), ScriptedWriter(ANSWERS)
    assert run(other, work(silent)).status == "finished"
    assert silent.asked == []
    assert evaluation_of(other, "dense").columns[2].rows[0].n_samples == 3
