"""Drift, map, time, samples, stability and pin in a real browser: they fit, pass axe, and draw their figures."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS
from tests.browser.steps import at_rest, open_tab
from tests.browser.test_looks import WAYS, indexed, violations  # noqa: F401  (a fixture)

JUDGED = "?corpus=help_center&q=restore+a+file+I+deleted+yesterday&t=rewrite&t=multi_query&t=hyde"
WIDER = "document.querySelector('.stMain').scrollWidth - document.querySelector('.stMain').clientWidth"


def says(page: Page, text: str) -> None:
    expect(page.get_by_text(text)).to_be_visible(timeout=PATIENCE_MS)


def settled(page: Page, drawn: str = ".js-plotly-plot:visible") -> None:
    """The script is over, and the figure and its table are drawn."""
    at_rest(page)
    page.locator(drawn).first.wait_for()
    page.locator("[data-testid=stDataFrame]:visible canvas").first.wait_for()


@WAYS
def test_they_fit_and_pass_axe(indexed, open_page, width, height, dark):  # noqa: F811
    page = open_page(indexed.url + JUDGED, width=width, height=height, dark=dark)
    says(page, "4 of 4 finished")
    plot = ".js-plotly-plot:visible"
    for name, drawn in (("What the text became", plot), ("Map", f"{plot} canvas.gl-canvas"), ("Time and cost", plot)):
        open_tab(page, name)
        settled(page, drawn)
        assert violations(page) == [], name
        assert page.evaluate(WIDER) <= 0, name
        assert page.get_by_text("WebGL is not supported").count() == 0
    open_tab(page, "Samples")
    says(page, "No transform wrote several passages")
    open_tab(page, "Stability")
    page.get_by_role("button", name="Ask again and again").click()
    says(page, "The same every time")
    settled(page)
    assert violations(page) == []
    open_tab(page, "Pinned")
    page.get_by_role("button", name="Pin this result").click()
    says(page, "nothing was changed since")
    settled(page)
    assert violations(page) == []
    assert page.evaluate(WIDER) <= 0


def test_a_choice_in_a_tab_reaches_the_cards_above(indexed, open_page):  # noqa: F811
    page = open_page(indexed.url + "?corpus=help_center&q=restore+a+file&t=rewrite")
    says(page, "2 of 2 finished")
    open_tab(page, "Find a document")
    box = page.get_by_role("combobox", name="Expected document")
    box.click()
    box.press_sequentially("hc-001")
    box.press("Enter")
    expect(page.locator(".st-key-cards").get_by_text("★ expected").first).to_be_visible(timeout=PATIENCE_MS)
    expect(page).to_have_url(re.compile("expect=hc-001"))


@WAYS
def test_hops_and_find_a_document_fit_and_pass_axe(indexed, open_page, width, height, dark):  # noqa: F811
    asked = "?corpus=help_center&q=which+plan+do+guests+need+who+edit+a+locked+file&t=sequential&expect=hc-014"
    page = open_page(indexed.url + asked, width=width, height=height, dark=dark)
    says(page, "2 of 2 finished")
    for name, drawn in (("Hops", "hop 2"), ("Find a document", "Stage by stage")):
        open_tab(page, name)
        expect(page.get_by_text(drawn).first).to_be_visible(timeout=PATIENCE_MS)
        settled(page, "[data-testid=stDataFrame]:visible")
        assert violations(page) == [], name
        assert page.evaluate(WIDER) <= 0, name
