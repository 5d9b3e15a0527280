"""When what happened, and what it brought."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ir_core.analysis.gain import gains
from ir_core.analysis.timeline import timeline
from ir_core.schema import Call, Step, Trace
from tests.made_results import result

PARALLEL = [Call("hyde", "m", started=10.5, seconds=1.0, queued=0.2), Call("hyde", "m", started=10.4, seconds=1.0)]


def timed(calls, **more):
    trace = Trace(writer_s=1.3, encode_s=0.01, search_s=0.02, started=10.3, n_searches=2)
    return result(["a"], calls=calls, trace=trace, title="HyDE", **{"started": 10.3, "seconds": 1.2, **more})


def test_parallel_calls_have_lanes_and_a_wait_stands_before_its_call():
    found = timeline([result(["a"], trace=Trace(search_s=0.01, started=10.0), started=10.0), timed(PARALLEL)])
    assert found.lanes == (1, 2)
    spans = [span for span in found.spans if span.column == 1]
    waiting = next(span for span in spans if span.kind == "waiting")
    writing = [span for span in spans if span.kind == "writing"]
    assert (waiting.start, waiting.seconds) == (pytest.approx(0.3), pytest.approx(0.2))
    assert sorted(span.start for span in writing) == pytest.approx([0.4, 0.5])
    assert {span.lane for span in writing} == {0, 1}
    waited_for = next(span for span in writing if span.start == pytest.approx(0.5))
    assert waited_for.lane == waiting.lane
    searching = next(span for span in spans if span.kind == "searching")
    assert searching.start == pytest.approx(1.5 + 0.01), "after the last call and the encoding"
    assert found.seconds == pytest.approx(1.5 + 0.01 + 0.02)


def test_spans_of_one_lane_never_overlap():
    calls = [Call("t", "m", started=10.3 + n / 10, seconds=0.25) for n in range(7)]
    found = timeline([timed(calls)])
    for lane in range(found.lanes[0]):
        spans = sorted((s.start, s.start + s.seconds) for s in found.spans if s.lane == lane)
        assert all(end <= start + 1e-6 for (_, end), (start, _) in pairwise(spans))


def test_kept_texts_take_no_time_and_are_counted():
    found = timeline([timed([Call("t", "m", started=10.4, cached=True, first_s=2.0)], seconds=0.0)])
    assert found.kept == (1,)
    assert not [span for span in found.spans if span.kind == "writing"]


def test_searches_before_writing_are_drawn_with_their_wait_and_what_is_left_is_own_work():
    step = Step("feedback", (), (), started=10.3, seconds=0.2)
    found = timeline([timed([], steps=(step,), seconds=0.5, queued=0.1)])
    spans = {span.kind: (span.start, span.seconds) for span in found.spans}
    assert spans["waiting"] == pytest.approx((0.0, 0.1))
    assert spans["looking first"] == pytest.approx((0.1, 0.2))
    assert spans["writing"] == pytest.approx((0.3, 0.3)), "begun + 0.5 + 0.1 waited"
    assert spans["encoding"][0] == pytest.approx(0.6)


@pytest.mark.parametrize("results", [[], [result(["a"])]], ids=["none", "never timed"])
def test_what_was_not_timed_here_has_no_spans(results):
    found = timeline(results)
    assert (found.spans, found.seconds) == ((), 0.0)


def brought(cost, cached=False, first=None):
    call = Call("t", "m", cost_usd=cost, cached=cached, first_s=first)
    return result(["a", "b"], calls=[call], trace=Trace(writer_s=0.5), title="T")


ORIGINAL = result(["b", "a"], trace=Trace(search_s=0.1))


def test_gains_are_against_the_original_per_call_second_and_dollar():
    base, found = gains([ORIGINAL, brought(0.002)], {"a": 1}, 2)
    assert (base.ndcg, base.d_ndcg, base.per_call) == (pytest.approx(0.6309297535714575), 0.0, None)
    gain = 1.0 - 0.6309297535714575
    assert found.d_ndcg == pytest.approx(gain)
    assert found.d_recall == 0.0
    assert found.per_call == pytest.approx(gain)
    assert found.per_second == pytest.approx(gain / 0.4)
    assert found.per_dollar == pytest.approx(gain / 0.002)


def test_unknown_stays_unknown_and_free_has_no_gain_per_dollar():
    _, unknown = gains([ORIGINAL, brought(None)], {"a": 1}, 2)
    assert (unknown.cost_usd, unknown.per_dollar, unknown.is_free) == (None, None, False)
    _, free = gains([ORIGINAL, brought(0.0)], {"a": 1}, 2)
    assert (free.per_dollar, free.is_free) == (None, True)


def test_a_kept_text_counts_at_its_first_time_or_as_unknown():
    _, known, unknown = gains([ORIGINAL, brought(0.1, True, 3.0), brought(0.1, True)], {"a": 1}, 2)
    assert known.seconds == pytest.approx(0.5 - 0.1 + 3.0)
    assert (unknown.seconds, unknown.per_second) == (None, None)


def test_without_judgements_or_an_original_there_is_no_gain():
    skipped = result([], skip_reason="small talk")
    assert gains([ORIGINAL], {}, 5) == gains([ORIGINAL], {"a": 0}, 5) == gains([], {"a": 1}, 5) == []
    assert gains([skipped, brought(0.1)], {"a": 1}, 5) == []
    assert len(gains([ORIGINAL, skipped, brought(0.1)], {"a": 1}, 5)) == 2
