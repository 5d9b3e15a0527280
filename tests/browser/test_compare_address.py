"""The first page has no address of its own; who types one, or has an old link, simply gets it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.steps import at_rest


def test_the_address_compare_opens_it_with_all_that_was_asked(fresh_server, open_page):
    asked = "corpus=packages&k=3&t=rewrite&t=hyde"
    page = open_page(f"{fresh_server.url}/compare?{asked}")  # the first visit of the server's life
    for _ in range(2):
        page.wait_for_url(f"{fresh_server.url}/?{asked}")
        expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
        expect(page.get_by_role("combobox", name="Corpus")).to_have_value("Software packages")
        expect(page.get_by_role("link", name="Compare")).to_have_count(1)
        at_rest(page)
        assert page.get_by_text("does not seem to exist").count() == 0
        page.goto(f"{fresh_server.url}/compare?{asked}")
