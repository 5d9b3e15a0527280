"""What outlives one run of the script: every cache of the app, each one bounded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from ir_core import build, library, visits
from ir_core.analysis import projection
from ir_core.analysis.projection import Ground
from ir_core.charts.query_map import hover_titles
from ir_core.embedders import open_embedder
from ir_core.errors import IndexProblem
from ir_core.evaluation import Evaluation, Evidence, Summary, evaluation_of
from ir_core.index import Index, IndexSettings
from ir_core.jobs import ENDED, Job
from ir_core.protocols import Embedder
from ir_core.retrieval import Engine
from ir_core.strategies import strategy_from_spec
from ir_core.writers.recorded import RecordedWriter
from pages._ui import serving
from pages._ui.by_visit import Kept
from pages._ui.jobs import Jobs
from pages._ui.pins import Pins
from pages._ui.query_sets.resources import askings as askings
from pages._ui.query_sets.resources import forget_query_sets
from pages._ui.query_sets.resources import judgements as judgements
from pages._ui.query_sets.resources import queries as queries
from pages._ui.query_sets.resources import query_sets as query_sets
from pages._ui.query_sets.resources import seen_queries as seen_queries

LINKED = "linked_corpora"


@st.cache_resource(ttl=20, max_entries=64, show_spinner=False)
def _corpora(owner: str | None) -> Sequence[Any]:
    return tuple(library.corpora())


def corpora() -> Sequence[Any]:
    """Every corpus this visit may read, as ``library`` describes it: those that may be listed, and those that a link
    opened. Read again after 20 s: the CLI may have added one."""
    linked = (library.linked(name) for name in st.session_state.get(LINKED, ()))
    return (*_corpora(visits.owner()), *(info for info in linked if info))


def open_link(corpus: str | None) -> None:
    """A link to another visit's corpus opens it for this visit, to read; one added a moment ago is listed."""
    if corpus and corpus not in {info.name for info in corpora()}:
        _corpora.clear(visits.owner())
    if corpus and visits.owner() and library.linked(corpus):
        st.session_state[LINKED] = tuple(dict.fromkeys([*st.session_state.get(LINKED, ()), corpus]))[-20:]


@st.cache_resource(ttl=120, max_entries=3, show_spinner="Reading the documents")
def loaded(name: str) -> Any:
    """A corpus' documents, for previews. A build reads its source again."""
    return library.corpus(name, paths=False).load()


@st.cache_resource(ttl=120, max_entries=8, show_spinner=False)
def authored(name: str) -> Sequence[Any]:
    return tuple(library.corpus(name, paths=False).authored())


@st.cache_resource(max_entries=1, show_spinner=False)
def sample_scenes() -> Mapping[str, library.Scene]:
    """Those that come with the samples, by id."""
    return {one.id: one for info in corpora() if info.kind == "sample" for one in library.scenes(info.name)}


def scene(name: str | None) -> library.Scene | None:
    """A sample's or a saved one; None where there is none of that id (any more)."""
    return sample_scenes().get(name) or library.own_scene(name) if name else None


@st.cache_resource(max_entries=6, show_spinner="Opening the index")
def _engine(corpus: str, fingerprint: str, _index: Index) -> Engine:
    made = Engine(_index, open_embedder(_index.manifest.embedder))
    serving.prepare(made)
    return made


def engine(corpus: str) -> Engine | None:
    """The corpus' current index, ready to search; None before the first build.

    :raises IndexProblem, ModelUnavailable: when it, or what reads queries for it, cannot be opened.
    """
    index = build.current(corpus)
    return engine_of(index) if index else None


def engine_of(index: Index) -> Engine:
    """Of any build, the current one or another. Errors as :func:`engine`."""
    made = _engine(index.manifest.corpus, index.manifest.fingerprint, index)
    if made.index is not index:  # closed and opened again since
        _engine.clear()
        made = _engine(index.manifest.corpus, index.manifest.fingerprint, index)
    return made


@st.cache_resource(max_entries=1, show_spinner=False)
def examinations() -> Jobs:
    """Indexes that are looked over; each once, for all visits."""
    return Jobs(24)


def readable_index(corpus: str) -> Index | None:
    """None before the first build, and where the index is damaged: building again repairs it."""
    try:
        return build.current(corpus)
    except IndexProblem:
        return None


@st.cache_resource(max_entries=6, show_spinner="Fitting the map, once for this index")
def _ground(fingerprint: str, _index: Index) -> tuple[Ground, Any]:
    made = projection.fit(_index)
    return made, hover_titles(made)


def ground(index: Index) -> tuple[Ground, Any]:
    """The map of an index's surfaces, fitted once, and their hover texts."""
    return _ground(index.manifest.fingerprint, index)


@st.cache_resource(max_entries=1, show_spinner=False)
def repeats() -> Jobs:
    """Transforms that are asked several times, of all visits."""
    return Jobs(16)


@st.cache_resource(max_entries=1, show_spinner=False)
def pins() -> Pins:
    """Pinned comparisons, one per visit."""
    return Pins(32)


Measured = tuple[Evaluation, tuple[Summary, ...], tuple[Evidence | None, ...]]


@st.cache_resource(max_entries=30, show_spinner="Computing the intervals")
def _measured(run_id: str, mode: Any, part: int, done: int, changed: str, _job: Job) -> Measured:
    found = evaluation_of(_job, mode, part)
    sums = tuple(found.summary(column, compared=found.measures[:1]) for column in found.columns)
    return found, sums, found.evidence()


def measured(job: Job, mode: Any, part: int = 0) -> Measured:
    """What a part of a run has found so far in one mode, each column added up, and what may be said of it on the
    primary measure.

    :raises BadInput: when its files cannot be read.
    """
    state = job.state()
    return _measured(job.id, mode, part, state.done, state.changed if state.status in ENDED else "", job)


@st.cache_resource(max_entries=1, show_spinner=False)
def routings() -> Jobs:
    """Queries that are routed, one or many, of all visits."""
    return Jobs(48)


@st.cache_resource(max_entries=24, show_spinner="Computing the figures")
def _replayed(run_id: str, what: str, state: str, _make: Callable[[], Any]) -> Any:
    return _make()


def replayed(job: Job, what: str, make: Callable[[], Any]) -> Any:
    """What ``make`` reads off a replay, kept until there is more of it. ``what`` tells apart several of one run."""
    state = job.state()
    return _replayed(job.id, what, f"{state.done} {state.changed if state.status in ENDED else ''}", make)


def computed(key: str, make: Callable[[], Any]) -> Any:
    """What ``make`` gives, kept under a key that names all it depends on."""
    return _replayed(key, "", "", make)


@st.cache_resource(max_entries=1, show_spinner=False)
def runs() -> Jobs:
    """Comparisons, the last one of each tab."""
    return Jobs(128)


@st.cache_resource(ttl=900, max_entries=4, show_spinner=False)
def _replay(path: str, task: str | None, fingerprint: str, _index: Index) -> RecordedWriter:
    named = library.corpus(_index.manifest.corpus, paths=False).queries() if task else ()
    return RecordedWriter(path, task=task, queries=named, surfaces=_index.row_of)


def replay(path: str, task: str | None, index: Index) -> RecordedWriter:
    """A recording over this index.

    :raises BadInput: when it cannot be read.
    """
    return _replay(path, task, f"{index.manifest.corpus} {index.manifest.fingerprint}", index)


@st.cache_resource(max_entries=1, show_spinner=False)
def purses() -> Kept[Any]:
    """What each visit has spent."""
    return Kept(visits.MOST)


@st.cache_resource(max_entries=1, show_spinner=False)
def questions() -> Jobs:
    """Which models there are and whether one answers, of all visits."""
    return Jobs(64)


@st.cache_resource(max_entries=1, show_spinner=False)
def builds() -> Jobs:
    return Jobs(16)


def embedder(name: str) -> Embedder:
    """Opened once per process by its family; here so that pages need not know where from."""
    return open_embedder(name)


@st.cache_resource(ttl=300, max_entries=4, show_spinner="Reading the documents as this strategy does")
def _plan(
    key: str, _loaded: Any, _strategy: Mapping[str, Any] | None, _embedder: str, _settings: IndexSettings
) -> Any:
    strategy = strategy_from_spec(_strategy)
    assert strategy is not None
    corpus = key.split("\n", 1)[0]
    return build.plan(_loaded.artifacts, strategy, embedder(_embedder), corpus_name=corpus, settings=_settings)


def plan(
    corpus: str, strategy: Mapping[str, Any] | None, model: str, settings: IndexSettings, documents: Any
) -> build.Plan:
    """What a build would do. Kept for the same documents, settings and current index."""
    index = readable_index(corpus)
    now = f"{index.manifest.fingerprint} {index.manifest.built_at}" if index else "none"
    content = hash(tuple((artifact.id, repr(artifact.raw)) for artifact in documents.artifacts))
    key = "\n".join([corpus, repr(strategy), model, repr(settings), now, str(content)])
    return _plan(key, documents, strategy, model, settings)


def forget_corpora() -> None:
    """After one was added, renamed or deleted."""
    for cache in (_corpora, loaded, authored, _plan):
        cache.clear()
    forget_query_sets()
