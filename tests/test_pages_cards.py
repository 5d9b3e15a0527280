"""Cards: whose text it is, what the first time took, and what was said, read and sent."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ir_core.charts import cost_figure, latency_figure, latency_rows
from ir_core.schema import AUTHORED, NO_LLM, Call, Query, Ranking
from pages._ui import cards, spent
from pages._ui.card_badges import badges
from pages._ui.card_details import MOST, details
from tests.made_results import result
from tests.test_charts import PALETTE

ORIGINAL = Query("original", "the query")
NEW = Query("variant-1", "another wording", "variant")
ASKED = Call(
    "multi_query", "openai/x", "multi_query.en", "1", "1. another wording\n2. <b>x</b>", ("another wording",),
    96, 61, 0.0007, seconds=1.42, first_token_s=0.5, queued=0.25,
)  # fmt: skip
CACHED = replace(ASKED, seconds=0, queued=0, cached=True, first_s=1.42)
RECORDED = replace(CACHED, recorded="recorded: openai/x, 2026-03-01")


def card(*calls: Call, **options):
    queries = options.pop("queries", [ORIGINAL, NEW])
    return result(["a"], transform="multi_query", title="Multi-query", queries=queries, calls=calls, **options)


def words(*calls: Call, **options) -> list[str]:
    return [said for _, said in badges(card(*calls, **options), saw_history=None)][1:]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (ASKED, ["openai/x"]),
        (Call("rewrite", NO_LLM), ["no LLM"]),
        (Call("rewrite", AUTHORED), ["authored example, not a model's"]),
        (CACHED, ["openai/x", "cached text"]),
        (RECORDED, ["recorded: openai/x, 2026-03-01"]),
        (replace(ASKED, prompt_version="1, edited"), ["openai/x", "edited prompt"]),
        (replace(CACHED, prompt_version="1, edited"), ["openai/x", "edited prompt", "cached text"]),
    ],
)
def test_a_badge_says_whose_text_it_is(call, said):
    assert words(call) == said


def test_a_fall_back_stands_first_and_the_original_has_no_writer():
    assert badges(card(ASKED, queries=[ORIGINAL], fallback_reason="no"), saw_history=None)[0] == ("warn", "fell back")
    assert badges(result(["a"]), saw_history=True) == [("base", "baseline"), ("plain", "saw the history")]


def test_a_model_goes_by_its_own_name_and_in_full_where_one_points_at_it():
    name = 'hub/lab/a "very" long name'
    head = cards.head(1, "HyDE", badges=badges(card(replace(ASKED, model=name), ASKED, ASKED), saw_history=None))
    assert 'title="hub/lab/a &quot;very&quot; long name">a &quot;very&quot; long name</span>' in head
    assert head.count("qp-b-model") == 2, "each model once"


def test_what_the_first_time_took_stands_apart_from_now():
    for call in (CACHED, RECORDED):
        head = cards.head(1, "Multi-query", result=card(call))
        assert re.findall(r"<dd>(.*?)</dd>", head) == [
            "0 ms<small>first 1.4 s</small>", "$0<small>first $0.0007</small>", "0<small>first 157</small>",
        ]  # fmt: skip
    nobody_said = replace(RECORDED, first_s=None, cost_usd=None, tokens_in=None)
    assert cards.head(1, "x", result=card(nobody_said)).count("first unknown") == 3
    assert "<small>" not in cards.head(1, "x", result=card(ASKED))
    both = [ASKED, CACHED]
    assert spent.now(both) == spent.Spent(1.42, 0.0007, 157) == spent.first(both)


def test_charts_leave_the_first_time_out_and_say_so():
    kept, asked = card(RECORDED), card(ASKED)
    assert [row["texts"] for row in latency_rows([kept, asked, card(CACHED)])] == ["recorded", "", "cached"]
    texts = latency_figure([kept, asked], PALETTE).data[-1].text
    assert [text.strip() for text in texts] == ["0 ms, text recorded", "0 ms"]
    figure = cost_figure([("Multi-query", 0.0), ("HyDE", 0.002)], PALETTE, ["first $0.0007", ""])
    assert list(figure.data[0].x) == [0.0, 0.002]
    assert "first" in figure.data[1].text[0]
    assert "first" not in figure.data[1].text[1]


def test_details_hold_the_reply_as_it_came_what_was_read_and_what_it_took():
    shown = details(card(ASKED))
    assert shown.startswith("<details")
    assert " open" not in shown.split(">", 1)[0]
    assert "1. another wording&#10;2. &lt;b&gt;x&lt;/b&gt;</pre>" in shown
    assert '<li dir="auto">another wording</li>' in shown
    for said in ("openai/x", "prompt multi_query.en, version 1", "1.4 s, first token after 500 ms, 250 ms queued"):
        assert said in shown
    assert "tokens: 96 in, 61 out · cost: $0.0007" in shown
    assert "recorded: openai/x, 2026-03-01, first 1.4 s" in details(card(RECORDED))
    assert "edited prompt" in details(card(replace(ASKED, prompt_version="1, edited")))


def test_a_reply_that_could_not_be_used_is_shown_with_the_reason():
    shown = details(card(replace(ASKED, raw="Which account?", texts=(), error="It asks back."), fallback_reason="no"))
    assert "Which account?" in shown
    assert "It asks back." in shown
    assert "Nothing that could be used." in shown
    assert "It said nothing." in details(card(replace(ASKED, raw="", texts=())))


def test_tries_that_ended_alike_are_one_block_with_their_times():
    failed = Call("rewrite", "openai/x", "rewrite.en", "1", error="It failed (500).", seconds=0.01)
    tries = [failed, replace(failed, seconds=1.2), replace(failed, seconds=2.5), replace(failed, error="It is away.")]
    shown = details(card(*tries, ASKED, replace(ASKED), fallback_reason="no"))
    assert shown.count("It failed (500).") == shown.count("It is away.") == 1
    assert "3 tries, all alike: 10 ms, 1.2 s, 2.5 s" in shown
    assert shown.count("another wording</li>") == 2, "only failures are put together"


def test_what_a_server_sent_in_place_of_a_reply_is_called_so():
    page = replace(ASKED, raw="<h1>Sign in</h1>", texts=(), error="A web page.", first_token_s=None)
    shown = details(card(page, fallback_reason="no"))
    assert '<p class="qp-said-head">What the server sent</p>' in shown
    assert "&lt;h1&gt;Sign in&lt;/h1&gt;" in shown
    assert "What the server sent" not in details(card(replace(page, first_token_s=0.5)))


def test_a_long_reply_is_cut_and_says_by_how_much():
    shown = details(card(replace(ASKED, raw="x" * (MOST + 1_234))))
    assert "… 1,234 more characters" in shown
    assert len(shown) < MOST + 5_000


@pytest.mark.parametrize(
    "call", [Call("multi_query", NO_LLM, texts=("t",)), Call("multi_query", AUTHORED, texts=("t",))]
)
def test_a_writer_that_was_asked_nothing_has_one_line(call):
    shown = details(card(call))
    assert "<pre" not in shown
    assert "tokens" not in shown
    assert "What was sent to each leg" in shown


def test_what_was_sent_names_every_query_its_legs_and_its_share_there():
    hyde = Query("hypothetical-1", "a passage", "hypothetical", 2.0, legs=("dense",), surface_ids=("s1", "s2"))
    mean = Query("centroid", "mean of two", "centroid", 3.0, ("dense",))
    one = replace(
        card(queries=[ORIGINAL, hyde], combine={"dense": "centroid"}),
        derived=(mean,),
        rankings=(Ranking("centroid", "dense", ()), Ranking("original", "lexical", ())),
    )
    lines = [re.sub("<[^>]+>", "", line) for line in re.findall(r"<li>(.*?)</li>", details(one))]
    assert lines == [
        "original: dense, 1 of the mean vector; words, weight 1the query",
        "hypothetical 1: dense, 2 of the mean vectora passagedense: the mean of 2 stored vectors",
        "mean vector: dense, weight 1mean of two",
    ]
    bag = Query("rewrite", "q", "rewrite", term_weights={"fee": 0.5, "late": 0.25})
    three = replace(
        card(queries=[replace(ORIGINAL, weight=3.0), bag]),
        rankings=tuple(Ranking(name, leg, ()) for name in ("original", "rewrite") for leg in ("dense", "lexical")),
    )
    shown = details(three)
    assert "</b>: dense and words, weight 0.75</p>" in shown
    assert "words: fee 0.5, late 0.25" in shown
    nothing = replace(card(skip_reason="small talk"), rankings=())
    assert "Nothing was sent to a leg" in details(nothing)
