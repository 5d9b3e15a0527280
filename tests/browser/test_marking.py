"""Two queries judged by hand one after the other: each keeps the category that is its own."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from ir_core import library
from tests.browser.steps import ask, at_rest, build_from_compare, open_passage


def mark_first(page: Page) -> None:
    open_passage(page, 1, "Original")
    page.locator(".st-key-marking").get_by_role("radio", name="Wrong").click()
    expect(page.get_by_text("By you, in “My judgements”.")).to_be_visible(timeout=90_000)
    page.keyboard.press("Escape")
    at_rest(page)


def test_the_category_of_one_query_is_not_written_into_the_next(fresh_server, open_page):
    queries = {one.category: one for one in library.query_set("help_center").queries()}
    first, second = queries["multi_hop"], queries["vocabulary"]
    page = open_page(fresh_server.url)
    build_from_compare(page)
    ask(page, first.text)
    mark_first(page)
    page.get_by_role("button", name="Judgements").click()
    expect(page.get_by_role("combobox", name="Category of this query")).to_be_visible(timeout=90_000)
    page.keyboard.press("Escape")
    ask(page, second.text)
    mark_first(page)
    (kept,) = fresh_server.log.parent.glob("query_sets/help-center/*/queries.jsonl")
    made = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
    assert {one["text"]: one["metadata"]["category"] for one in made} == {
        first.text: "multi_hop", second.text: "vocabulary",
    }  # fmt: skip
