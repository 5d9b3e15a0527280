"""A scene, and a guess before its rankings, in a real browser: they fit, pass axe, and hide what they should."""

from __future__ import annotations

from playwright.sync_api import expect

from ir_core import library
from pages.compare.scenes import _samples
from tests.browser.conftest import PATIENCE_MS
from tests.browser.steps import at_rest
from tests.browser.test_instruments_b import WIDER, says
from tests.browser.test_looks import WAYS, indexed, violations  # noqa: F401  (a fixture)

FIRST = library.scenes("help_center")[0]
LISTED = _samples()
SECOND = LISTED[LISTED.index(FIRST) + 1]


@WAYS
def test_a_class_goes_through_two_scenes(indexed, open_page, width, height, dark):  # noqa: F811
    page = open_page(f"{indexed.url}?scene={FIRST.id}", width=width, height=height, dark=dark)
    says(page, FIRST.sentences)
    says(page, "6 of 6 finished")
    at_rest(page)
    page.get_by_role("button", name="Scenes", exact=True).click()
    assert violations(page) == []
    page.get_by_text("Predict first", exact=True).click()
    page.keyboard.press("Escape")
    says(page, "The instruments wait for your guess")
    at_rest(page)
    page.get_by_role("button", name="Next scene").click()
    says(page, f"Scene: {SECOND.title}")
    says(page, "6 of 6 finished")
    says(page, "The instruments wait for your guess")
    expect(page.locator(".qp-hittitle")).to_have_count(0, timeout=PATIENCE_MS)
    assert "Retrieve unsynced changes" not in page.content()
    assert violations(page) == []
    assert page.evaluate(WIDER) <= 0
    page.locator(".st-key-predict").get_by_role("radio", name="none better").click()
    page.get_by_role("button", name="Reveal").click()
    says(page, "Right: you said none. None is better than the original, which has it at rank 1.")
    says(page, SECOND.sentences)
    expect(page.locator(".qp-hittitle").first).to_have_text(
        "★ expected Retrieve unsynced changes after an abnormal shutdown"
    )
    assert violations(page) == []
    assert page.evaluate(WIDER) <= 0
