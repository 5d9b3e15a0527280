"""A home in which every store has something, made by the parts themselves; and how each store is read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ir_core import build, config, library, session
from ir_core.embedders import open_embedder
from ir_core.evaluation import evaluation_of
from ir_core.export import run_store
from ir_core.index import VectorStore, folders
from ir_core.jobs import JobStore, run
from ir_core.library import Scene, own_scenes, save_scene
from ir_core.library.sets import query_set
from ir_core.library.sets.kept import add_query_set
from ir_core.protocols import RunContext
from ir_core.router import own_labels, own_tables, published, save_label, save_table
from ir_core.schema import Task
from ir_core.text import sha256
from ir_core.writers import reply_store
from ir_core.writers.recorded import RecordingWriter, read_recording
from pages._ui import visit
from tests import evaluation_jobs
from tests.scripted import ScriptedWriter
from tests.test_export_bundle import comparison

SAMPLE = evaluation_jobs.CORPUS
KEPT = reply_store.Kept("a reply", 1, 2, date="2026-01-02T03:04:05+00:00")
SCENE = Scene(id="", corpus=SAMPLE, title="Mine", query="zebra", technique=None, outcome=None)


@dataclass(frozen=True)
class Store:
    """``files`` is a pattern below the home; ``said`` must be found in the error or the log once one is damaged;
    ``silent`` are damages that cannot be told from a sound file."""

    files: str
    read: Callable[[], Any]
    said: str
    silent: tuple[str, ...] = ()


def fill() -> None:
    session.prepare(SAMPLE, embedder="hashing").build()
    library.add_upload("Zebra papers", [("note.txt", b"The zebra.\n"), ("b.txt", b"Shed.\n")])
    job = evaluation_jobs.job(evaluation_jobs.plan(timed_queries=2), 4)
    assert run(job, evaluation_jobs.work()).status == "finished"
    reply_store.store().put("key", KEPT)
    save_scene(SCENE)
    save_table(published()["ours"], "mine")
    for number in range(3):
        save_label(SAMPLE, f"zebra {number}", "broad")
    judged = library.corpus(SAMPLE)
    add_query_set(SAMPLE, "Mine", judged.queries()[:4], judged.qrels())
    run_store().put(comparison())
    file = config.home() / "recordings" / "brought" / "0123" / "one.jsonl"
    file.parent.mkdir(parents=True)
    record(file, 3)
    visit._secret(str(config.home()))
    close()


def record(file: Path, n: int) -> None:
    writer = RecordingWriter(ScriptedWriter({"rewrite": lambda task: [f"about {task.query}"]}), file)
    for number in range(n):
        writer.write(Task("rewrite", f"query {number}"), RunContext(writer=writer, searcher=None))


def close() -> None:
    """As a new process finds it."""
    folders.close_indexes(config.home() / "indexes")
    reply_store.store()._close()
    reply_store._stores.clear()
    visit._secret.cache_clear()


def answers() -> Any:
    index = build.current(SAMPLE)
    assert index is not None
    vectors = open_embedder("hashing").encode_query(["reset my password"])
    legs = index.dense(vectors, 5), index.lexical([{"password": 1.0}], 5)
    names = [index.surfaces[int(row)].id for found in legs for row in found[0][0]]
    return names, index.fields[0], index.titles[0], index.row_of[names[0]], index.artifact_of.tolist()


def vectors() -> int:
    index_texts = [artifact.raw for artifact in library.corpus(SAMPLE).load().artifacts]
    strategy = session.prepare(SAMPLE, embedder="hashing").strategy
    plans = [strategy.decompose(str(n), raw, {}) for n, raw in enumerate(index_texts)]
    keys = [sha256(surface.text) for one in plans for surface in one.surfaces]
    with VectorStore(config.home() / "vectors.sqlite") as store:
        return len(store.tokens(open_embedder("hashing").fingerprint, keys))


def upload() -> Any:
    info = next(one for one in library.corpora() if one.kind == "upload")
    loaded = library.corpus(info.name).load()
    return info.title, [artifact.raw for artifact in loaded.artifacts]


def query_sets() -> Any:
    mine = query_set(SAMPLE, "mine")
    return mine.queries(), mine.qrels()


def runs() -> Any:
    return [evaluation_of(job, "hybrid").to_json()["transforms"] for job in JobStore().jobs()]


def states() -> Any:
    return [job.state() for job in JobStore().jobs()]


def lines(name: str) -> Any:
    return [job.lines(name).read() for job in JobStore().jobs()]


def recording() -> Any:
    return read_recording(next((config.home() / "recordings").rglob("*.jsonl")))


def frozen() -> Any:
    return run_store().get(next((config.home() / "runs").glob("*.gz")).name.split(".")[0])


_BUILD = "indexes/help-center*/*/"
STORES: Mapping[str, Store] = {
    "vectors": Store("vectors.sqlite", vectors, r"vector store vectors\.sqlite was damaged", ("empty",)),
    "replies": Store("replies/*.sqlite", lambda: reply_store.store().get("key"), "replies were damaged", ("empty",)),
    **{
        f"index {name}": Store(_BUILD + name, answers, "(damaged|cannot be read).*Build the index again")
        for name in ("manifest.json", "lexical/*.npy", "chroma/chroma.sqlite3", "chroma/*/data_level0.bin")
    },
    "index current": Store("indexes/help-center*/current", answers, r"damaged.*Build the index again"),
    "corpus": Store("corpora/*/corpus.json", upload, r"corpus\.json of 'zebra-papers'"),
    "settings": Store("settings/help-center.json", lambda: library.get_settings(SAMPLE), "settings of 'help_center'"),
    "scene": Store("scenes/own-*.json", own_scenes, "saved scene own-.* cannot be read"),
    "routes": Store("routes/mine.json", own_tables, r"route table mine\.json is left out"),
    "labels": Store("labels/*.json", lambda: own_labels(SAMPLE), r"labels in help-center\.json are left out"),
    "job job.json": Store("jobs/*/job.json", runs, "The job .* cannot be read"),
    "job state.json": Store("jobs/*/state.json", states, r"state\.json of the job"),
    "job queries.json": Store("jobs/*/queries.json", runs, "The queries of the run"),
    **{
        f"job {name}": Store(f"jobs/*/{name}", partial(lines, name), rf"{name}.*left out", ("empty",))
        for name in ("texts.jsonl", "results.jsonl", "seconds.jsonl")
    },
    "recording": Store("recordings/brought/*/*.jsonl", recording, r"one\.jsonl"),
    "frozen result": Store("runs/*.gz", frozen, "The file is no bundle"),
    "query set set.json": Store("query_sets/*/mine/set.json", query_sets, "query set mine"),
    "query set queries": Store("query_sets/*/mine/queries.jsonl", query_sets, r"queries\.jsonl", ("empty",)),
    "query set judgements": Store("query_sets/*/mine/qrels/test.tsv", query_sets, "The judgements, line", ("empty",)),
    "visits' secret": Store(visit.KEY_FILE, lambda: visit._secret(str(config.home())), "visits-secret"),
}  # fmt: skip
