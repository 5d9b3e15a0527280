"""Query transformers: names, aliases, defaults, return types, and what is returned when the LLM fails."""

from __future__ import annotations

import inspect

import pytest

from ir_core import (
    AVAILABLE_STRATEGIES,
    BaseQueryTransformer,
    HyDEQueryTransformer,
    MultiQueryExpansion,
    QueryDecomposition,
    QueryRewriter,
    QueryTransformer,
    StepBackQueryTransformer,
    create_query_transformer,
    prompts,
)
from ir_core.errors import BadSetting, UnknownName, WriterError
from ir_core.writers.llm import LlmWriter
from tests.api_parts import Model
from tests.scripted import GOOD, ScriptedWriter

QUERY = "how do I get back in"
HISTORY = [{"role": "user", "content": "I lost my phone."}, {"role": "assistant", "content": "Which account?"}]
ALIASES = {
    QueryRewriter: ("rewrite", "query_rewrite"),
    MultiQueryExpansion: ("multi_query", "multi_query_expansion", "query_expansion"),
    QueryDecomposition: ("decomposition", "query_decomposition", "sub_query"),
    HyDEQueryTransformer: ("hyde", "hypothetical_document"),
    StepBackQueryTransformer: ("step_back", "stepback"),
}
DEFAULTS = {
    QueryRewriter: ("query_rewrite", 0.0, "rewrite"),
    MultiQueryExpansion: ("multi_query_expansion", 0.2, "multi_query"),
    QueryDecomposition: ("query_decomposition", 0.0, "decompose"),
    HyDEQueryTransformer: ("hyde", 0.3, "hyde"),
    StepBackQueryTransformer: ("step_back", 0.0, "step_back"),
}
WRITTEN = {
    QueryRewriter: GOOD["rewrite"][0],
    MultiQueryExpansion: [QUERY, *GOOD["multi_query"]],
    QueryDecomposition: list(GOOD["decompose"]),
    HyDEQueryTransformer: GOOD["hyde"][0],
    StepBackQueryTransformer: [QUERY, *GOOD["step_back"]],
}
CLASSES = pytest.mark.parametrize("kind", ALIASES, ids=lambda kind: kind.__name__)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in ALIASES.items() for name in names])
def test_every_name_and_alias_makes_its_class(kind, name):
    assert type(create_query_transformer(name, llm_provider=ScriptedWriter())) is kind


def test_the_strategies_there_are():
    assert AVAILABLE_STRATEGIES == ("rewrite", "multi_query", "decomposition", "hyde", "step_back")
    assert [create_query_transformer(name, "some/model").name for name in AVAILABLE_STRATEGIES] == list(
        AVAILABLE_STRATEGIES
    )


@pytest.mark.parametrize("name", ["bogus", "identity", ""])
def test_an_unknown_strategy_lists_those_there_are(name):
    with pytest.raises(UnknownName, match=r"decomposition.*step_back"):
        create_query_transformer(name, ScriptedWriter())


@CLASSES
def test_defaults(kind):
    prompt_key, temperature, task = DEFAULTS[kind]
    transformer = kind(ScriptedWriter())
    assert list(inspect.signature(kind).parameters) == ["llm_provider", "prompt_key", "temperature"]
    assert (transformer.prompt_key, transformer.temperature) == (prompt_key, temperature)
    assert prompts.load(task).temperature == temperature


@CLASSES
def test_what_it_returns_and_what_it_asks(kind):
    writer = ScriptedWriter()
    assert kind(writer).transform(QUERY, HISTORY) == WRITTEN[kind]
    (task,) = writer.asked
    assert (task.name, task.temperature) == (DEFAULTS[kind][2], DEFAULTS[kind][1])
    assert (task.query, list(task.history)) == (QUERY, HISTORY)


@CLASSES
def test_a_temperature_that_is_set_is_asked_for(kind):
    writer = ScriptedWriter()
    kind(writer, temperature=0.9).transform(QUERY)
    assert writer.asked[0].temperature == 0.9


@CLASSES
@pytest.mark.parametrize("reply", [WriterError("down"), RuntimeError("down"), [""], []], ids=str)
def test_a_writer_that_fails_gives_the_query_back(kind, reply, caplog):
    transformer = kind(ScriptedWriter(answers=dict.fromkeys(GOOD, reply)))
    assert transformer.transform(QUERY) == (QUERY if isinstance(WRITTEN[kind], str) else [QUERY])
    assert "returned the original query" in caplog.text
    assert transformer.formulate(QUERY).fallback_reason


@CLASSES
def test_a_blank_query_asks_nobody(kind):
    writer = ScriptedWriter()
    text = isinstance(WRITTEN[kind], str)
    assert kind(writer).transform("") == ("" if text else [])
    assert kind(writer).transform("  ") == ("" if text else ["  "])
    assert writer.asked == []


def test_multi_query_has_three_to_five_with_the_original_first():
    variants = [f"wording {n}" for n in range(9)]
    assert MultiQueryExpansion(Model([QUERY.upper(), *variants])).transform(QUERY) == [QUERY, *variants[:4]]
    assert MultiQueryExpansion(Model(variants[:2])).transform(QUERY) == [QUERY, *variants[:2]]


def test_decomposition_has_two_to_four_or_the_query_alone():
    parts = [f"part {n}" for n in range(9)]
    assert QueryDecomposition(Model(parts)).transform(QUERY) == parts[:4]
    assert QueryDecomposition(Model([QUERY])).transform(QUERY) == [QUERY]


def test_step_back_that_is_no_broader_is_left_out():
    assert StepBackQueryTransformer(Model(QUERY.upper() + "?")).transform(QUERY) == [QUERY]


def test_a_function_gets_the_prompt_with_the_history_before_the_query():
    model = Model('"recover an account without the phone"')
    assert QueryRewriter(model).transform(QUERY, HISTORY) == "recover an account without the phone"
    (prompt,) = model.prompts
    assert prompt.index("user: I lost my phone.") < prompt.index("assistant: Which account?") < prompt.index(QUERY)
    assert prompt.startswith(prompts.load("rewrite").system)


@pytest.mark.parametrize("reply", [KeyError("k"), 7, "", "I'm sorry, I can't help with that."], ids=repr)
def test_a_function_that_fails_is_on_record(reply):
    made = QueryRewriter(Model(reply)).formulate(QUERY)
    assert [query.text for query in made.queries] == [QUERY]
    (call,) = made.calls
    assert call.error == made.fallback_reason
    assert made.fallback_reason.startswith("model")
    assert call.tokens_in is None
    assert call.cost_usd is None


def test_the_error_of_a_function_shows_no_key():
    made = QueryRewriter(Model(RuntimeError("refused: sk-marker-51f0c2aa9e"))).formulate(QUERY)
    assert "RuntimeError" in made.fallback_reason
    assert "marker" not in made.fallback_reason


def test_another_prompt_of_the_same_kind_is_asked():
    writer = ScriptedWriter()
    assert StepBackQueryTransformer(writer, prompt_key="query_rewrite").transform(QUERY)[1:] == GOOD["rewrite"]
    assert writer.asked[0].name == "rewrite"


def test_a_prompt_that_does_not_fit_is_refused():
    with pytest.raises(BadSetting, match="'passage'"):
        QueryRewriter(ScriptedWriter(), prompt_key="hyde")
    with pytest.raises(UnknownName, match="rewrite"):
        QueryRewriter(ScriptedWriter(), prompt_key="rewrit")


def test_no_llm_is_said_at_once_with_the_ways_out(monkeypatch):
    monkeypatch.delenv("QUERY_PRISM_MODEL", raising=False)
    with pytest.raises(ValueError, match=r"llm_provider is required.*QUERY_PRISM_MODEL"):
        create_query_transformer("rewrite")
    monkeypatch.setenv("QUERY_PRISM_MODEL", "openai/some-model")
    assert isinstance(create_query_transformer("rewrite")._writer, LlmWriter)


@pytest.mark.parametrize("provider", [7, "corpus", " "])
def test_what_is_no_provider_is_refused(provider):
    with pytest.raises(BadSetting):
        QueryTransformer(llm_provider=provider)


def test_the_wrapper_takes_a_name_with_its_settings():
    transformer = QueryTransformer(
        ScriptedWriter(), strategy="hypothetical_document", strategy_config={"temperature": 0.1}
    )
    assert transformer.name == "hyde"
    assert transformer.transformer.temperature == 0.1
    assert transformer.transform_query(QUERY, HISTORY) == GOOD["hyde"][0]
    assert QueryTransformer(llm_provider=ScriptedWriter()).name == "rewrite"


def test_the_wrapper_takes_a_transformer_of_ones_own_and_needs_no_llm():
    class Shout(BaseQueryTransformer):
        name = "shout"

        def transform(self, query, conversation_history=None):
            return [query.upper(), *(turn["content"] for turn in conversation_history or ())]

    transformer = QueryTransformer(strategy=Shout())
    assert transformer.name == "shout"
    assert transformer.transform_query("a", HISTORY) == ["A", "I lost my phone.", "Which account?"]
    with pytest.raises(TypeError):
        BaseQueryTransformer()
