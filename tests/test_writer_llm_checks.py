"""What is typed for a model: refused before anything is sent, and without repeating what may be secret."""

from __future__ import annotations

import json
from typing import ClassVar

import pytest

from ir_core import QueryTransformer
from ir_core.errors import BadInput, BadSetting
from ir_core.prompts._render import fenced
from ir_core.protocols import RunContext
from ir_core.schema import Task
from ir_core.writers._llm_checks import checked_base, checked_model
from ir_core.writers._llm_errors import explain
from ir_core.writers.llm import LlmWriter, Price, available_models
from ir_core.writers.recorded import RecordingWriter
from ir_core.writers.reply_store import Kept, ReplyStore
from tests.scripted import GOOD, ScriptedWriter

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
MODEL = "openai/test-model"


class NoSearch:
    steps = ()


@pytest.mark.parametrize(
    "url", ["http://user:hunter2@h/v1", "https://hunter2@h", "HTTP://:hunter2@h:8080/v1", "http://user:hun/ter2@h/v1"]
)
def test_a_user_or_password_in_the_base_url_is_refused_and_not_repeated(url):
    for make in (lambda: LlmWriter(MODEL, api_base=url), lambda: available_models(ask_servers=True, api_base=url)):
        with pytest.raises(BadSetting, match="base URL") as caught:
            make()
        assert "ter2" not in str(caught.value)
    if "hun/" not in url:
        assert "takes no user or password; leave them out and give the key apart" in str(caught.value)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("openai/", "lacks what stands"),
        ("/gpt-4.1", "lacks what stands"),
        ("openai/gpt 4", "white space"),
        ("openai/a\x00b", "control character"),
        ("openai/a\u202eb", "control character"),
        ("openai/" + "x" * 200, "longer than 200"),
    ],
)
def test_a_model_string_that_cannot_be_one_is_refused(model, words):
    with pytest.raises(BadSetting, match=words) as caught:
        LlmWriter(model)
    assert "write it as provider/model" in str(caught.value)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("model", ["gpt-4.1-mini", "ollama/llama3.1:8b", "openai//models/llama", "a/b/c@001"])
def test_what_litellm_takes_is_taken(model):
    assert checked_model(f" {model} ") == model


def test_one_server_has_one_base_url():
    assert checked_base("HTTP://h/v1/") == checked_base(" http://h/v1 ") == "http://h/v1"
    assert checked_base("https://h/") == "https://h"
    assert checked_base(None) is checked_base("  ") is None
    for url in ("http://h/v 1", "http://h/v1\n/x", "http://h\t/v1", "ftp://h", "http://", "http:/h", "h/v1"):
        with pytest.raises(BadSetting, match="base URL"):
            checked_base(url)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_deadline_is_a_time(seconds):
    with pytest.raises(BadSetting, match="above 0 and finite"):
        LlmWriter(MODEL, deadline_s=seconds)


def test_retries_and_prices_are_not_below_nothing():
    with pytest.raises(BadSetting, match="give 0 or more"):
        LlmWriter(MODEL, retries=-1)
    for dollars in (-0.1, float("nan"), float("inf")):
        for prices in ((dollars, 1.0), (1.0, dollars)):
            with pytest.raises(BadSetting, match="give 0 or more"):
                Price(*prices)
    assert Price(0, 0) == Price(0.0, 0.0)


class Dressed(Exception):
    """As litellm dresses whatever went wrong in a client."""

    status_code = 500

    def __init__(self, words: str, response: object = None) -> None:
        super().__init__(words)
        self.response = response


class Response:
    headers: ClassVar = {"content-type": "application/json"}


def test_a_500_that_no_server_sent_is_not_tried_again():
    mistake = Dressed("Cannot combine AUTHORIZATION header with AUTH argument")
    mistake.__cause__ = ValueError("Cannot combine")
    failure = explain(mistake, "h", None)
    assert not failure.again
    assert "the request could not be made (Cannot combine" in str(failure)
    answered = Dressed("the server says 500", Response())
    answered.__cause__ = ValueError("x")
    assert explain(answered, "h", None).again
    assert explain(Dressed("an error in the stream"), "h", None).again


@pytest.mark.parametrize("model", ["openai", "nobody-at-all"])
def test_a_bare_name_nobody_knows_is_explained(model):
    context = RunContext(writer=(writer := LlmWriter(model)), searcher=NoSearch(), use_cache=False)
    with pytest.raises(Exception, match=f"^{model}: no provider is known for this model; write it as provider/model"):
        writer.write(Task("rewrite", "how"), context)
    assert len(context.calls) == 1


def test_a_kept_reply_is_recorded_with_the_date_it_was_written(tmp_path, llm_server):
    replies = ReplyStore(tmp_path / "kept")
    writer = LlmWriter(MODEL, api_base=llm_server.base_url, api_key="k", replies=replies)
    task = Task("hyde", "how do I share", n=2)

    def recorded() -> str:
        path = tmp_path / "r.jsonl"
        recording = RecordingWriter(writer, path)
        recording.write(task, RunContext(writer=recording, searcher=NoSearch()))
        return json.loads(path.read_text().splitlines()[-1])["date"]

    recorded()
    old = "2025-01-02T03:04:05+00:00"
    keys = [row[0] for row in replies._open().execute("SELECT key FROM replies ORDER BY key")]
    for key, date in zip(keys, [old, "2025-06-07T00:00:00+00:00"], strict=True):
        kept = replies.get(key)
        replies.put(key, Kept(kept.text, date=date))
    assert recorded() == old
    task = Task("hyde", "how do I share", n=3)
    assert recorded() > "2026", "one of three is of now"


@pytest.mark.parametrize("text", ["</query>", "</QUERY>", "</query >", "< / Query\n>", "</query_></QUERY>"])
def test_no_text_closes_its_fence(text):
    first, *_, last = fenced("query", f"a {text} b").splitlines()
    assert last == first.replace("<", "</")
    assert last[2:-1].rstrip("_") == "query"
    assert last not in "".join(text.lower().split())


@pytest.mark.parametrize(
    "history", [["x"], "x", 5, {"role": "user", "content": "x"}, [{"role": "user"}], [{"role": 1, "content": "x"}]]
)
def test_a_malformed_history_is_an_error_and_no_traceback(history, capfd):
    transformer = QueryTransformer(ScriptedWriter(GOOD), "rewrite")
    with pytest.raises(BadInput, match=r"Turn 1 of conversation_history .* \{role, content\}"):
        transformer.transform_query("q", history)
    assert capfd.readouterr().err == ""
    assert transformer.transform_query("q", ()) == transformer.transform_query("q")
