"""What moved, Agreement, Fused ranking and Without a query in a real browser: they fit, pass axe, and answer keys."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.steps import at_rest, open_tab
from tests.browser.test_looks import WAYS, indexed, violations  # noqa: F401  (a fixture)

JUDGED = "?corpus=help_center&q=restore+a+file+I+deleted+yesterday&t=rewrite&t=multi_query&t=hyde"
TABS = ("What moved", "Agreement", "Fused ranking", "Without a query")

NAMES = ".js-plotly-plot:visible .ytick text, .js-plotly-plot:visible .annotation text"
"""Beside a chart's rows, or over them."""


def open_figure(page, name: str) -> None:
    open_tab(page, name)
    expect(page.locator(".js-plotly-plot:visible").first).to_be_visible(timeout=PATIENCE_MS)
    at_rest(page)


@WAYS
def test_they_fit_and_pass_axe(indexed, open_page, width, height, dark):  # noqa: F811
    page = open_page(indexed.url + JUDGED, width=width, height=height, dark=dark)
    expect(page.get_by_text("4 of 4 finished")).to_be_visible(timeout=PATIENCE_MS)
    for name in TABS:
        open_figure(page, name)
        assert violations(page) == [], name
        wider = "document.querySelector('.stMain').scrollWidth - document.querySelector('.stMain').clientWidth"
        assert page.evaluate(wider) <= 0, name
        assert page.locator(NAMES).count(), name


def test_a_query_is_chosen_by_keyboard_and_only_its_hits_stay(indexed, open_page):  # noqa: F811
    page = open_page(indexed.url + JUDGED)
    expect(page.get_by_text("4 of 4 finished")).to_be_visible(timeout=PATIENCE_MS)
    open_figure(page, "Fused ranking")
    pill = page.get_by_role("radio", name="variant 1")
    before = page.locator(".js-plotly-plot:visible .annotation").count()
    found = int(pill.inner_text().split("·")[1].split("of")[0])
    pill.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text(f"Found {found} of the {before} hits")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".js-plotly-plot:visible .annotation")).to_have_count(found, timeout=PATIENCE_MS)
