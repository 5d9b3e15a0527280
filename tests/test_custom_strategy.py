"""docs/custom-strategy.md does what it says: its code is run as it stands there, with a real server for a model."""

from __future__ import annotations

import linecache
import re
from pathlib import Path
from types import ModuleType

import pytest

from ir_core.embedders import open_embedder
from ir_core.library import add_upload
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Formulation, Query
from ir_core.strategies import Chunked, strategy_id
from ir_core.writers.llm import LlmWriter, Price

DOC = Path(__file__).parent.parent / "docs" / "custom-strategy.md"
TEXTS = {
    "bees.txt": "The hive is opened in spring. " * 60,
    "wasps.txt": "A nest under the roof is left alone until the frost. " * 30,
    "ants.txt": "They carry leaves along a path of scent.",
}
SYNOPSES = {
    "bees": "A yearly calendar for keepers of hives.",
    "wasps": "Advice to house owners about stinging guests.",
    "ants": "How workers find their way to food.",
}


@pytest.fixture(scope="module")
def doc() -> ModuleType:
    """The document's code as one module; ``inspect`` finds its source, as in a file."""
    code = "\n\n".join(re.findall(r"```python\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL))
    module = ModuleType("custom_strategy")
    linecache.cache[str(DOC)] = (len(code), None, code.splitlines(keepends=True), str(DOC))
    exec(compile(code, str(DOC), "exec", dont_inherit=True), module.__dict__)
    return module


@pytest.fixture
def corpus() -> str:
    return add_upload("Insects", [(name, text.encode()) for name, text in TEXTS.items()]).info.name


def reply(body: dict) -> str:
    asked = body["messages"][-1]["content"]
    return next(text for name, text in SYNOPSES.items() if f"{name}.txt" in asked)


def writer(doc, server, model: str = "openai/m") -> LlmWriter:
    return LlmWriter(
        model, api_key="sk-not-a-key", api_base=server.base_url, edited=doc.ASKED, price=Price(1.0, 10.0), retries=0
    )


def test_synopses_stand_beside_the_chunks_and_are_searched(doc, corpus, llm_server, capsys):
    llm_server.reply = reply
    embedder = open_embedder("hashing")
    index, synopses = doc.index_with_synopses(corpus, writer(doc, llm_server), embedder)
    assert index.manifest.kinds["synopsis"] == 3
    assert index.manifest.kinds["chunk"] > 3
    assert {one.text for one in index.surfaces if one.kind == "synopsis"} == set(SYNOPSES.values())
    original = Query("original", "calendar for keepers")
    asked = Formulation("original", "Original", original, (original,))
    (hit, *_) = search(Engine(index, embedder), asked, SearchSettings(surfaces=("synopsis",), k=1)).fused.hits
    assert (hit.artifact_id, hit.kind, hit.text) == ("bees.txt", "synopsis", SYNOPSES["bees"])

    assert len(llm_server.requests) == synopses.spent.calls == 3
    assert synopses.spent.cost_usd > 0
    assert synopses.spent.unpriced == 0
    assert f"3 calls, {synopses.spent.tokens_in} tokens in" in capsys.readouterr().out
    longest = max(len(request.text) for request in llm_server.requests)
    assert 1_500 < longest < 5_500, "the text is shown, up to 4,000 characters of it"

    again, later = doc.index_with_synopses(corpus, writer(doc, llm_server), embedder)
    assert again.manifest.fingerprint == index.manifest.fingerprint
    assert (len(llm_server.requests), later.spent.calls) == (3, 0), "the replies were kept"


def test_the_strategys_id_tells_what_decides_the_surfaces_and_nothing_else(doc, corpus, llm_server):
    def made(model: str = "openai/m", **settings) -> tuple[object, str]:
        strategy = doc.WithSynopsis(Chunked(**settings), doc.Synopses(writer(doc, llm_server, model)))
        return strategy, strategy_id(strategy)

    strategy, first = made()
    assert first == made()[1]
    assert len({first, made("openai/other")[1], made(chunk_size=500)[1]}) == 3
    llm_server.reply = reply
    strategy.decompose("bees.txt", TEXTS["bees.txt"], {})
    assert strategy_id(strategy) == first, "asking changes nothing"
    one, two = (
        doc.index_with_synopses(corpus, writer(doc, llm_server, model), open_embedder("hashing"))[0].manifest
        for model in ("openai/m", "openai/other")
    )
    assert one.fingerprint != two.fingerprint
    assert one.vectors_id == two.vectors_id, "the texts are the same, so nothing was embedded again"


def test_a_writer_that_fails_costs_a_document_its_synopsis_only(doc, corpus, llm_server, capsys):
    llm_server.reply = reply
    llm_server.queue("500", "well", "blank")
    index, synopses = doc.index_with_synopses(corpus, writer(doc, llm_server), open_embedder("hashing"))
    assert index.manifest.n_artifacts == 3
    assert index.manifest.kinds["synopsis"] == 1
    assert {one.artifact_id for one in index.surfaces if one.kind == "chunk"} == TEXTS.keys()
    assert set(synopses.failed) == {"ants.txt", "wasps.txt"}
    assert "ants.txt has no synopsis: " in capsys.readouterr().out
    fields = {name: one["has_synopsis"] for name, one in zip(index.artifact_ids, index.fields, strict=True)}
    assert fields == {"ants.txt": False, "bees.txt": True, "wasps.txt": False}
    mended, later = doc.index_with_synopses(corpus, writer(doc, llm_server), open_embedder("hashing"))
    assert mended.manifest.kinds["synopsis"] == 3
    assert (later.spent.calls, later.failed) == (2, {}), "only those that failed were asked for again"


def test_a_dead_model_is_not_asked_for_every_document(doc, llm_server):
    llm_server.queue(*["500"] * 9)
    synopses = doc.Synopses(writer(doc, llm_server))
    strategy = doc.WithSynopsis(Chunked(), synopses)
    plans = [strategy.decompose(f"d{number}", f"text {number}") for number in range(9)]
    assert all([surface.kind for surface in plan.surfaces] == ["chunk"] for plan in plans)
    assert len(llm_server.requests) == doc.GIVE_UP_AFTER == synopses.spent.calls
    assert len(synopses.failed) == 9
