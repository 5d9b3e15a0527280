"""Each decider on its own: what it says, what it needs, and rules wherever its answer cannot be used."""

from __future__ import annotations

import pytest

from ir_core.errors import Cancelled, WriterError
from ir_core.params import make
from ir_core.retrieval import SearchSettings
from ir_core.router import DECIDERS, LABELS, Context, Labelled, label_named
from ir_core.router.deciders._corpus import forms, standing
from ir_core.router.deciders._reading import read
from ir_core.router.deciders._weights import WEIGHTS
from ir_core.router.deciders.rules import TESTS
from ir_core.router.deciders.signal import evidence
from ir_core.schema import Hit, Ranking
from ir_core.writers.llm import LlmWriter
from tests.scripted import ScriptedWriter
from tests.transforming import HISTORY, engine

QUERY = "which plan costs more than the other, and since when?"


def context(writer=None, **more):
    return Context(engine(), writer or ScriptedWriter(), SearchSettings(k=3), **more)


def rules(query, history=()):
    return DECIDERS.make("rules").decide(query, history, context())


def model(answer):
    return ScriptedWriter(answers={"classify": answer}, tasks=frozenset({"classify"}))


@pytest.mark.parametrize(
    ("query", "history", "label"),
    [
        ("quota", (), "ambiguous_short"),
        ("files in the bin", (), "simple"),
        ("ERR-4207 came up again", (), "narrow_technical"),
        ("does the bin hold files longer than the old shredder did?", (), "multi_hop"),
        ("compare the files in the bin and the quota", (), "multi_hop"),
        ("what are the rules about lending laptops?", (), "broad"),
        ("my gadget vanished on the train yesterday", (), "vocabulary"),
        ("and what about them?", HISTORY, "follow_up"),
        ("thanks a lot!", HISTORY, "small_talk"),
        ("HOLD_MINUTES in the bin", (), "narrow_technical"),
        ("exit 137 on the workspace", (), "narrow_technical"),
        ("كم مدة حفظ الملفات؟ وما الفرق بين الخطتين؟", (), "multi_hop"),
        ("وكم يكلف ذلك؟", HISTORY, "follow_up"),
        ("thanks, that was the one", HISTORY, "small_talk"),
    ],
)
def test_the_rules_say_what_fired_and_the_heaviest_label_wins(query, history, label):
    found = rules(query, history)
    assert found.label == label
    totals = {name: sum(r.weight for r in found.reasons if r.label == name) for name in LABELS}
    assert totals[label] == max(totals.values()) > 0
    assert found.confidence == pytest.approx(totals[label] / sum(totals.values()))
    assert found.confidence_from == "rule"
    assert (found.calls, found.searches) == ((), 0)


def test_words_are_missing_only_where_the_corpus_has_no_form_of_them():
    assert rules("locking the accounts").label == "simple"
    assert any("shredding" in reason.text for reason in rules("shredding the accounts").reasons)


def test_arabic_forms_of_a_word_are_the_same_word():
    assert forms("وبطاقتي") & forms("البطاقة") & forms("بطاقة")
    assert forms("بطاقة").isdisjoint(forms("حديقة"))


def test_the_documents_that_hold_a_word_are_counted_once_each():
    index = engine().index
    rows = [index.holding([word]) for word in ("bin", "files")]
    assert [len(found) for found in rows] == [index.document_frequency("bin"), index.document_frequency("files")]
    assert sorted(index.holding(["bin", "files", "no such word"])) == sorted([*rows[0], *rows[1]])


def test_one_document_with_every_word_and_title_is_seen():
    found = standing(("guests", "share", "zeppelin"), engine().index, "en")
    assert found.unknown == ("zeppelin",)
    assert found.titled == pytest.approx(1 / 3)
    whole = standing(("guests", "share"), engine().index, "en")
    assert (whole.together, whole.unknown) == (1.0, ())
    assert standing((), engine().index, "en").together == standing(("zeppelin",), engine().index, "en").together == 0


def test_a_query_in_another_language_is_not_jargon():
    assert read("luhn routine for visa", (), engine().index).jargon == ("luhn",)
    assert read("wie lange gilt meine neue Bibliothekskarte noch", (), engine().index).jargon == ()


def test_every_rule_has_weights_and_every_weight_a_rule():
    assert list(WEIGHTS) == list(TESTS)
    assert all(set(one) <= set(LABELS) and min(one.values()) > 0 for one in WEIGHTS.values())


@pytest.mark.parametrize("reply", ["multi_hop", "Multi-hop.", "“multi hop”"])
def test_a_model_gives_a_label_by_name(reply):
    found = DECIDERS.make("llm").decide("quota", (), context(model([reply])))
    assert (found.label, found.decider, found.fallback_reason, len(found.calls)) == ("multi_hop", "llm", None, 1)
    assert (found.confidence, found.confidence_from) == (None, None)


@pytest.mark.parametrize(
    "reply",
    [["purple"], ["3"], ["broad or simple"], [""], [], ["follow_up"], WriterError("down"), RuntimeError("odd")],
    ids=["nonsense", "number", "two", "blank", "nothing", "no history", "down", "odd"],
)
def test_whatever_else_a_model_says_rules_decide_and_it_is_said(reply):
    found = DECIDERS.make("llm").decide(QUERY, (), context(model(reply)))
    alone = rules(QUERY)
    assert (found.label, found.decider, found.reasons) == (alone.label, "rules", alone.reasons)
    assert found.fallback_reason.startswith("Rules decided in place of the model.")


def test_a_writer_that_cannot_classify_costs_no_call():
    found = DECIDERS.make("llm").decide(QUERY, (), context(ScriptedWriter()))
    assert (found.decider, found.calls) == ("rules", ())
    assert "cannot do classify" in found.fallback_reason


def test_a_cancelled_run_is_not_decided_by_rules():
    cancelled = context(model(["broad"]))
    cancelled.cancel.set()
    with pytest.raises(Cancelled):
        DECIDERS.make("llm").decide(QUERY, (), cancelled)


@pytest.mark.parametrize(("reply", "decider"), [("narrow_technical", "llm"), ("I think it is a question", "rules")])
def test_a_real_server_is_asked_once_with_every_label(llm_server, reply, decider):
    llm_server.reply = lambda body: reply
    writer = LlmWriter("openai/test-model", api_base=llm_server.base_url, api_key="k")
    found = DECIDERS.make("llm").decide("quota", (), context(writer))
    assert found.decider == decider
    assert len(llm_server.requests) == 1
    assert all(label in llm_server.requests[0].text for label in LABELS)


EXAMPLES = (
    Labelled("forgot my password", "vocabulary"),
    Labelled("forgot the password again", "vocabulary"),
    Labelled("compare two plans", "multi_hop"),
)


def test_the_nearest_examples_vote_and_the_query_is_never_its_own():
    nearest = DECIDERS.make("examples", {"k": 1})
    found = nearest.decide("forgot my password again", (), context(examples=EXAMPLES))
    assert (found.label, found.confidence_from) == ("vocabulary", "measured")
    itself = Labelled("Forgot my password AGAIN?", "broad")
    same = nearest.decide("forgot my password again", (), context(examples=(itself, *EXAMPLES)))
    assert same == found or (same.label, same.reasons) == (found.label, found.reasons)


def test_a_corrected_label_replaces_the_one_before():
    corrected = (*EXAMPLES, Labelled("forgot my password", "simple"), Labelled("forgot the password again", "simple"))
    assert DECIDERS.make("examples", {"k": 2}).decide("forgot password", (), context(examples=corrected)).label == (
        "simple"
    )


def test_without_examples_and_for_a_follow_up_of_nothing_rules_decide():
    for examples in ((), (Labelled("and that?", "follow_up"),)):
        found = DECIDERS.make("examples").decide(QUERY, (), context(examples=examples))
        assert (found.decider, found.label) == ("rules", rules(QUERY).label)
        assert found.fallback_reason


def listed(leg, *scores, start=0):
    hits = [
        Hit(f"d{n}", f"d{n}#t#0", "t", "text", "", {}, rank, score)
        for rank, (n, score) in enumerate(enumerate(scores, start), 1)
    ]
    return Ranking("original", leg, tuple(hits))


def test_evidence_is_the_gap_and_the_agreement_as_written_out():
    dense, lexical = listed("dense", 1.0, 0.9, 0.8, 0.7, 0.5), listed("lexical", 10, 9, 8, 7, 6, start=2)
    found = evidence([dense, lexical])
    assert found["gap"] == pytest.approx(((1.0 - 0.5) / 1.0 + (10 - 6) / 10) / 2)
    assert found["agreement"] == pytest.approx(3 / 5)
    assert found["strength"] == pytest.approx((found["gap"] + found["agreement"]) / 2)
    assert evidence([]) == {"gap": 0.0, "strength": 0.0}
    assert evidence([listed("dense", 1.0, 0.9)])["strength"] == 1.0


def test_another_threshold_needs_no_search():
    low, high = (DECIDERS.make("signal", {"threshold": t}) for t in (0.0, 1.0))
    first = high.decide("forgot my password", (), context())
    assert (first.keeps_original, first.searches) == (False, 1)
    moved = low.held(rules("forgot my password"), first.original)
    assert (moved.keeps_original, moved.measured, moved.label) == (True, first.measured, first.label)


def test_signal_does_not_search_for_small_talk_or_a_follow_up():
    for query, label in (("thanks!", "small_talk"), ("and what about them?", "follow_up")):
        found = DECIDERS.make("signal").decide(query, HISTORY, context())
        assert (found.label, found.searches, found.keeps_original) == (label, 0, False)


def test_every_decider_describes_itself_and_its_settings_hold():
    for decider in DECIDERS:
        assert make(decider) == decider()
        assert decider.summary.endswith(".")


def test_labels_are_found_by_name_and_title_only():
    assert label_named("Vocabulary mismatch") == label_named("vocabulary") == "vocabulary"
    assert label_named("short") is None
    assert label_named("") is None
