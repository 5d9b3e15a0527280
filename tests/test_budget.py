"""What a run will take, told before; and caps that hold, also for calls side by side."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from ir_core.budget import Cap, CappedWriter, Purse, Spent, capped, estimate
from ir_core.compare import DEFAULT_TRANSFORMS, compare_all
from ir_core.errors import BadSetting, CapReached, UnknownName
from ir_core.evaluation import evaluate
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings
from ir_core.schema import Call, Foreseen, Task
from ir_core.transforms import TRANSFORMS
from ir_core.writers.llm import LlmWriter, Price, Slots
from ir_core.writers.reply_store import ReplyStore
from tests.scripted import ScriptedWriter
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
SIX = [(name, {}) for name in DEFAULT_TRANSFORMS]
QUERY = "reset my password"
PRICE = Price(1.0, 10.0)
TURNS = [{"role": "user", "content": "tell me about Atlas"}] * 9
ONE_COSTS = (11 * 1.0 + 7 * 10.0) / 1e6
"""By the tokens the test server counts."""


def llm_at(server, tmp_path, **options) -> LlmWriter:
    given = {
        "api_key": "k",
        "backoff_s": 0.01,
        "slots": Slots(),
        "replies": ReplyStore(tmp_path / "replies"),
        **options,
    }
    return LlmWriter("openai/test-model", api_base=server.base_url, **given)


def run(engine, writer, **options):  # noqa: F811
    results = compare_all(engine, QUERY, transforms=SIX, writer=writer, settings=SearchSettings(), **options)
    return [result.formulation for result in results]


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


def test_a_cap_of_calls_holds_side_by_side_and_keeps_what_is_done(engine, llm_server, tmp_path):  # noqa: F811
    purse = Purse(Cap(max_calls=3), what="this run", way_out="Raise it in Budget.")
    made = run(engine, capped(llm_at(llm_server, tmp_path), purse))
    assert len(llm_server.requests) == 3
    fell = [one.fallback_reason for one in made if one.fallback_reason]
    assert len(fell) == 2
    assert all(one.startswith("The cap of this run (3 calls) is reached: ") for one in fell)
    assert all(one.endswith("Raise it in Budget.") for one in fell)
    assert purse.spent().calls == 3


def test_a_cap_of_dollars_refuses_what_is_expected_to_go_beyond_it(engine, llm_server, tmp_path):  # noqa: F811
    writer = llm_at(llm_server, tmp_path, price=PRICE)
    passage = writer.foresee(TRANSFORMS.make("hyde").task(QUERY, ()), "en").cost_usd
    purse = Purse(Cap(max_usd=0.9 * passage))
    made = {one.transform: one for one in run(engine, capped(writer, purse))}
    assert made["hyde"].fallback_reason.startswith("The cap of this run ($0.00")
    asked = len(llm_server.requests)
    assert 1 <= asked < 5
    assert asked + sum(bool(one.fallback_reason) for one in made.values()) == 5
    assert purse.spent().cost_usd == pytest.approx(asked * ONE_COSTS)
    assert purse.spent().cost_usd <= purse.cap.max_usd


def test_what_is_under_way_counts_at_its_expected_cost():
    purse = Purse(Cap(max_usd=0.05))
    (held,) = purse.reserve(Foreseen(1, cost_usd=0.03), "m")
    with pytest.raises(CapReached, match=r"\$0.03 spent or under way, about \$0.03 more needed"):
        purse.reserve(Foreseen(1, cost_usd=0.03), "m")
    purse.pay(Call("rewrite", "m", cost_usd=0.01), held)
    (again,) = purse.reserve(Foreseen(1, cost_usd=0.03), "m")
    purse.release([again])
    purse.reserve(Foreseen(4), "m")  # no price: each at the mean of the earlier calls
    with pytest.raises(CapReached):
        purse.reserve(Foreseen(1), "m")


def test_a_visits_purse_outlives_its_runs(engine, llm_server, tmp_path):  # noqa: F811
    visit = Purse(Cap(max_calls=7), what="this visit")
    first = run(engine, capped(llm_at(llm_server, tmp_path / "a"), Purse(Cap(max_calls=5)), visit))
    assert not any(one.fallback_reason for one in first)
    second = run(engine, capped(llm_at(llm_server, tmp_path / "b"), Purse(), visit))
    assert sum("The cap of this visit" in (one.fallback_reason or "") for one in second) == 3
    assert len(llm_server.requests) == 7
    visit.cap = Cap()
    assert not any(one.fallback_reason for one in run(engine, capped(llm_at(llm_server, tmp_path / "c"), visit)))


def test_kept_replies_are_free_and_pass_under_any_cap(engine, llm_server, tmp_path):  # noqa: F811
    writer = llm_at(llm_server, tmp_path)
    run(engine, writer)
    purse = Purse(Cap(max_calls=0, max_usd=0))
    made = run(engine, capped(writer, purse))
    assert not any(one.fallback_reason for one in made)
    assert all(call.cached for one in made for call in one.calls)
    assert purse.spent().calls == 0


def test_an_averaged_hyde_has_room_for_all_its_passages_or_for_none(engine, llm_server, tmp_path):  # noqa: F811
    writer = llm_at(llm_server, tmp_path)
    task = Task("hyde", QUERY, n=4, temperature=0.5)
    with pytest.raises(CapReached, match=r"0 made or under way, 4 more needed"):
        _write(capped(writer, Purse(Cap(max_calls=3))), task)
    assert llm_server.requests == []
    assert len(_write(capped(writer, Purse(Cap(max_calls=4))), task)) == 4


def test_a_further_try_needs_room_too(llm_server, tmp_path):
    llm_server.queue("503", "503", "503")
    purse = Purse(Cap(max_calls=2))
    with pytest.raises(CapReached):
        _write(capped(llm_at(llm_server, tmp_path), purse), Task("rewrite", QUERY))
    assert len(llm_server.requests) == 2
    assert (purse.spent().calls, purse.spent().unpriced) == (2, 0), "a refused request has no price that is unknown"


def test_dollars_cannot_be_capped_without_a_price_and_the_text_says_so(llm_server, tmp_path):
    (text,) = _write(capped(llm_at(llm_server, tmp_path), Purse(Cap(max_usd=0.01))), Task("rewrite", QUERY))
    assert "the cap in dollars did not hold" in text.note


def test_a_cap_of_no_dollars_takes_only_what_is_known_to_cost_nothing(llm_server, tmp_path):
    with pytest.raises(CapReached, match=r"\(\$0\) is reached: the price of the next call is unknown"):
        _write(capped(llm_at(llm_server, tmp_path), Purse(Cap(max_usd=0))), Task("rewrite", QUERY))
    assert llm_server.requests == []
    assert Purse(Cap(max_usd=0)).reserve(Foreseen(1, cost_usd=0.0), "m")


def test_a_writer_that_knows_nothing_of_caps_is_stopped_all_the_same():
    writer = capped(ScriptedWriter(), Purse(Cap(max_calls=1)))
    _write(writer, Task("rewrite", QUERY))
    with pytest.raises(CapReached):
        _write(writer, Task("rewrite", QUERY))
    assert len(writer.asked) == 1


def test_a_capped_writer_is_otherwise_the_writer_itself():
    inner = ScriptedWriter()
    writer = capped(inner, Purse())
    assert isinstance(writer, CappedWriter)
    assert (writer.name, writer.label, writer.is_llm, writer.tasks) == (inner.name, "scripted", True, inner.tasks)
    assert writer.reads_history is True
    assert not hasattr(writer, "warm")
    free = ScriptedWriter(is_llm=False)
    assert capped(free, Purse()) is free


def test_no_two_threads_pass_under_one_last_call():
    purse, passed, gate = Purse(Cap(max_calls=5)), [], threading.Barrier(20)

    def one() -> None:
        gate.wait()
        try:
            held = purse.reserve(Foreseen(1), "m")
        except CapReached:
            return
        purse.pay(Call("rewrite", "m", cost_usd=0.0), held[0])
        passed.append(1)

    threads = [threading.Thread(target=one) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == purse.spent().calls == 5


def test_an_evaluation_under_a_cap_measures_what_was_written_by_then(engine):  # noqa: F811
    queries = [JudgedQuery(f"q{i}", f"reset my password {i}") for i in range(6)]
    qrels = {query.id: {"d000": 1} for query in queries}
    found = evaluate(
        engine, queries, qrels, transforms=SIX, writer=capped(ScriptedWriter(), Purse(Cap(max_calls=12))),
        settings=SearchSettings(), timed_queries=0, samples=1,
    )  # fmt: skip
    sums = [found.summary(column) for column in found.columns]
    assert (sums[0].n, sums[0].skipped) == (6, 0)
    assert (sum(one.n for one in sums[1:]), sum(one.skipped for one in sums[1:])) == (12, 18)
    assert not any(one.fallback_rate for one in sums)
    reasons = {row.skip_reason for column in found.columns for row in column.rows if row.skip_reason}
    assert all(reason.startswith("The cap of this run (12 calls) is reached") for reason in reasons)


@pytest.mark.parametrize("wrong", [{"max_calls": -1}, {"max_usd": -0.01}, {"max_usd": float("nan")}])
def test_a_cap_that_is_none_is_refused(wrong):
    with pytest.raises(BadSetting):
        Cap(**wrong)


class _NoSearch:
    steps = ()


def _write(writer, task):
    return writer.write(task, RunContext(writer=writer, searcher=_NoSearch()))
