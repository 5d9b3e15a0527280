"""The Router page in a real browser: it fits, passes axe, and a replay outlives a reload."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.browser.steps import at_rest, open_tab
from tests.browser.test_instruments_b import WIDER
from tests.browser.test_looks import WAYS, indexed, violations  # noqa: F401  (a fixture)

QUERY = "compare the free and business plans"


def link(server, **params: str) -> str:
    return f"{server.url}/router?{urlencode({'table': 'ours', 'corpus': 'help_center', **params})}"


@WAYS
def test_a_query_from_its_label_to_its_cards_fits_and_passes_axe(indexed, open_page, width, height, dark):  # noqa: F811
    page = open_page(link(indexed, q=QUERY, decider="signal:threshold=1.0"), width=width, height=height, dark=dark)
    expect(page.locator(".qp-decision-label").first).to_have_text("Multi-hop", timeout=90_000)
    expect(page.locator(".st-key-card-1")).to_be_visible(timeout=90_000)
    at_rest(page)
    page.get_by_text("The table: which transform").click()
    expect(page.get_by_text("asks for one thing, in the words of the documents")).to_be_visible(timeout=30_000)
    at_rest(page)
    assert page.evaluate(WIDER) <= 0
    assert violations(page) == []
    page.locator(".st-key-rt_override").get_by_text("small talk", exact=True).click()
    expect(page.get_by_text("Nothing was searched: small talk")).to_be_visible(timeout=60_000)
    at_rest(page)
    assert violations(page) == []
    assert page.outside == []


def test_it_opens_in_compare_with_its_route(indexed, open_page):  # noqa: F811
    page = open_page(link(indexed, q=QUERY))
    at_rest(page)
    page.get_by_role("button", name="Open in Compare").click()
    expect(page.get_by_text("2 of 2 finished")).to_be_visible(timeout=90_000)
    expect(page.get_by_role("textbox", name="Query")).to_have_value(QUERY)


def test_a_replay_streams_its_progress_survives_a_reload_and_is_cancelled(indexed, open_page):  # noqa: F811
    page = open_page(link(indexed, decider="signal"))
    open_tab(page, "Replay")
    start = page.get_by_role("button", name="Start the replay")
    expect(start).to_be_enabled(timeout=60_000)
    at_rest(page)
    start.click()
    page.wait_for_url("**job=*", timeout=60_000)
    said = page.locator(".qp-run-open .qp-run-state")
    expect(said).to_contain_text("of 115 queries", timeout=60_000)
    page.reload()
    expect(said).to_contain_text("of 115 queries", timeout=60_000)
    cancel = page.get_by_role("button", name="Cancel")
    expect(cancel).to_be_enabled(timeout=60_000)
    cancel.click()
    expect(said).to_contain_text("Cancelled", timeout=60_000)
    expect(page.get_by_role("region", name="Replay")).to_be_visible(timeout=60_000)
    at_rest(page)
    assert page.evaluate(WIDER) <= 0
    assert violations(page) == []
