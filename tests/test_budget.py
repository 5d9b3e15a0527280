"""What a run will take, told before; and caps that hold, also for calls side by side."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from ir_core.budget import Spent, estimate
from ir_core.compare import DEFAULT_TRANSFORMS
from ir_core.errors import UnknownName
from ir_core.writers.llm import LlmWriter, Price
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]
QUERY = "reset my password"
PRICE = Price(1.0, 10.0)
TURNS = [{"role": "user", "content": "tell me about Atlas"}] * 9
"""By the tokens the test server counts."""


# What it will take


def test_calls_are_those_the_transforms_will_make():
    writer = LlmWriter("openai/some-model", price=PRICE)
    assert estimate(SIX, writer, QUERY).calls == 5
    averaged = [("hyde", {"passages": 8}), ("identity", {}), ("joined_turns", {}), ("multi_query", {"n": 8})]
    assert estimate(averaged, writer, QUERY).calls == 8 + 1
    assert estimate([("identity", {})], writer, QUERY).cost_usd == 0
    with pytest.raises(UnknownName):
        estimate([("hide", {})], writer, QUERY)


def test_tokens_and_dollars_add_up_over_the_rendered_prompts():
    writer = LlmWriter("openai/some-model", price=PRICE)
    short = estimate(SIX, writer, QUERY)
    assert short.cost_usd == pytest.approx((short.tokens_in * 1.0 + short.tokens_out * 10.0) / 1e6)
    longer = estimate(SIX, writer, QUERY + " x" * 400)
    assert longer.tokens_in - short.tokens_in == pytest.approx(5 * 800 / 4, abs=5), "in all five prompts"
    assert estimate(SIX, writer, QUERY, TURNS).tokens_in > short.tokens_in
    alone, three = (estimate([("hyde", {"passages": n})], writer, QUERY) for n in (1, 3))
    assert (three.tokens_in, three.tokens_out) == (3 * alone.tokens_in, 3 * alone.tokens_out)


def test_what_nobody_knows_is_unknown_and_never_zero():
    found = estimate(SIX, LlmWriter("openai/model-of-nobody", api_base="http://10.0.0.7/v1"), QUERY)
    assert (found.cost_usd, found.seconds) == (None, None)
    known = Spent(calls=4, answered=2, seconds=3.0, cost_usd=0.08)
    again = estimate(SIX, LlmWriter("openai/model-of-nobody"), QUERY, spent=known)
    assert again.cost_usd == pytest.approx(5 * 0.02), "earlier calls of the visit say what one costs"
    assert again.seconds == pytest.approx(2 * 1.5), "five calls, four at once, 1.5 s each"
    assert estimate(SIX, LlmWriter("openai/m"), QUERY, spent=replace(known, unpriced=1)).cost_usd is None


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("openai/m", {"api_base": "https://api.example.com/v1?key=1"}, "go to api.example.com."),
        ("openai/m", {}, "go to the provider of openai/m."),
        ("openai/m", {"api_base": "http://127.0.0.1:11434/v1"}, "go to 127.0.0.1:11434, a server on this machine."),
    ],
)
def test_what_leaves_the_machine_is_said(model, options, words):
    first, documents = estimate(SIX, LlmWriter(model, **options), QUERY, TURNS).leaves
    assert first == f"Your query and 6 earlier turns {words}"
    assert documents.startswith("Nothing of the documents")


def test_a_writer_on_this_machine_is_free_and_says_that_nothing_leaves():
    here = ScriptedWriter(is_llm=False)
    found = estimate(SIX, here, QUERY, TURNS)
    assert (found.calls, found.cost_usd, found.sends_to) == (5, 0, None)
    assert found.leaves == ("Nothing leaves this machine.",)
    unsaid = estimate(SIX, ScriptedWriter(), QUERY)
    assert (unsaid.cost_usd, unsaid.sends_to) == (None, "scripted"), "never said to be here"


def test_an_estimate_imports_no_litellm():
    code = (
        "import sys; from ir_core.budget import estimate; from ir_core.writers.llm import LlmWriter\n"
        "found = estimate([('hyde', {})], LlmWriter('openai/gpt-4.1-mini'), 'x')\n"
        "assert found.cost_usd is None and 'litellm' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_litellms_table_gives_the_price_once_it_is_loaded():
    from ir_core.writers._litellm import load

    load()
    found = estimate(SIX, LlmWriter("openai/gpt-4.1-mini"), QUERY)
    assert found.cost_usd == pytest.approx((found.tokens_in * 0.4 + found.tokens_out * 1.6) / 1e6)


# Caps
