"""Caps of calls and dollars."""

from __future__ import annotations

import threading

import pytest

from ir_core.budget import Cap, CappedWriter, Purse, capped
from ir_core.compare import compare_all
from ir_core.errors import BadSetting, CapReached
from ir_core.evaluation import evaluate
from ir_core.library import JudgedQuery
from ir_core.protocols import RunContext
from ir_core.retrieval import SearchSettings
from ir_core.schema import Call, Foreseen, Task
from ir_core.transforms import TRANSFORMS
from ir_core.writers.llm import LlmWriter, Slots
from ir_core.writers.reply_store import ReplyStore
from tests.scripted import ScriptedWriter
from tests.test_budget import PRICE, QUERY, SIX
from tests.test_retrieval import engine  # noqa: F401  (a fixture)

ONE_COSTS = (11 * 1.0 + 7 * 10.0) / 1e6


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
