"""What a comparison will take, said before it is asked; the caps a visitor sets, and what the visit has spent."""

from __future__ import annotations

import pytest

from tests.app import open_app, press, shown

pytestmark = [
    pytest.mark.usefixtures("ready"),
    pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning"),
]


def at(server, query: str, transforms: str = "t=rewrite&t=hyde&t=step_back"):
    app = open_app(f"corpus=help_center&q={query}&writer=openai/test-model&{transforms}")
    app.text_input(key="api_key").set_value("k")
    return app.text_input(key="base_url").set_value(server.base_url).run()


def test_with_no_llm_nothing_is_spent_and_nothing_leaves():
    app = open_app("corpus=help_center")
    assert "≈ 5 texts to write, $0, nothing leaves this machine" in shown(app)
    assert not [item for item in app.number_input if item.key.startswith("cap_")]


def test_the_line_says_calls_tokens_cost_and_where_the_query_goes(llm_server):
    app = at(llm_server, "guests", "t=hyde&t=rewrite")
    host = llm_server.base_url.removeprefix("http://").removesuffix("/v1")
    assert "≈ 2 calls · ~" in shown(app)
    assert f"cost unknown · your query goes to {host}" in shown(app)
    assert f"Your query goes to {host}, a server on this machine. Nothing of the documents goes there" in shown(app)
    assert "This visit so far: no calls." in shown(app)
    app.session_state["t.hyde.passages"] = 4
    assert "≈ 5 calls · ~" in shown(app.run())


def test_a_cap_of_a_comparison_stops_it_politely_and_can_be_raised(llm_server):
    app = at(llm_server, "who+pays+for+guests")
    app.number_input(key="cap_run_calls").set_value(2).run()
    page = shown(press(app, "compare"))
    assert len(llm_server.requests) == 2
    assert "4 of 4 finished" in page
    assert "1 fell back" in page
    assert "The cap of this comparison (2 calls) is reached" in page
    assert "Raise it in Budget, beside the transforms." in page
    assert "This visit so far: 2 calls, 36 tokens, the cost of 2 calls unknown." in page, "at once, not one run later"
    app.number_input(key="cap_run_calls").set_value(9).run()
    page = shown(press(app, "compare"))
    assert "fell back" not in page
    assert len(llm_server.requests) == 3, "what was done is kept"
    assert "≈ 3 calls, 3 kept · ~0 tokens · ~0 ms · ~$0 · your query goes to" in page


def test_a_cap_of_the_visit_counts_all_its_comparisons(llm_server):
    app = at(llm_server, "how+to+invite+somebody")
    app.number_input(key="cap_visit_calls").set_value(4).run()
    assert "fell back" not in shown(press(app, "compare"))
    app.text_input(key="query").set_value("how to remove somebody").run()
    page = shown(press(app, "compare"))
    assert "2 fell back" in page
    assert "The cap of this visit (4 calls) is reached" in page
    assert len(llm_server.requests) == 4


def test_a_cap_in_dollars_with_no_known_price_says_that_it_cannot_hold(llm_server):
    app = at(llm_server, "what+is+a+guest")
    app.number_input(key="cap_run_usd").set_value(0.05).run()
    assert "with no known price only calls can be capped" in shown(app)
    assert "the cap in dollars did not hold" in shown(press(app, "compare"))
