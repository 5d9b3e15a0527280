"""Layout at two widths and two themes, and what axe-core says about all of them."""

from __future__ import annotations

import itertools

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.steps import ask, at_rest, build_from_compare

WAYS = pytest.mark.parametrize(
    ("width", "height", "dark"), [(1440, 900, False), (390, 844, True)], ids=["wide and light", "narrow and dark"]
)
"""Both themes and both widths in two visits: each costs a comparison."""


@pytest.fixture(scope="module")
def indexed(server, browser):
    page = browser.new_page()
    page.goto(server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=60_000)
    build = page.get_by_role("button", name="Build the index")
    expect(build.or_(page.get_by_role("textbox", name="Query")).first).to_be_visible(timeout=60_000)
    if build.count():
        build_from_compare(page)
    page.close()
    return server


AT_REST = """() => Promise.race([
    Promise.allSettled(document.getAnimations()
        .filter(one => one.effect.getComputedTiming().endTime < Infinity).map(one => one.finished)),
    new Promise(done => setTimeout(done, 5000)),
])"""


def violations(page) -> list[str]:
    """What axe finds once the script is over and nothing fades: halfway in, no text has its contrast."""
    at_rest(page)
    page.evaluate(AT_REST)
    found = Axe().run(page).response["violations"]
    return [f"{item['id']}: {item['nodes'][0]['html'][:120]}" for item in found]


@WAYS
def test_compare_fits_and_passes_axe(indexed, open_page, width, height, dark):
    page = open_page(indexed.url, width=width, height=height, dark=dark)
    ask(page, "who can see my files")
    tops = [card.bounding_box() for card in page.locator("[class*='st-key-card-']").all()]
    in_first_row = sum(abs(box["y"] - tops[0]["y"]) < 2 for box in tops)
    assert in_first_row == (3 if width == 1440 else 1)
    hits = [page.locator(f".st-key-hit-{slot}-1").bounding_box()["y"] for slot in range(in_first_row)]
    assert max(hits) - min(hits) < 2, "hits of one row begin at the same height"
    assert width < 1440 or max(hits) < 800, "the first hits are seen without scrolling"
    wider = page.evaluate(
        "document.querySelector('.stMain').scrollWidth - document.querySelector('.stMain').clientWidth"
    )
    assert wider <= 0, "nothing sticks out to the side"
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(node => Number(node.tagName[1]))")
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert violations(page) == []
    page.get_by_role("button", name="Open passage 1 of Original").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("What its score is made of")).to_be_visible(timeout=30_000)
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_corpus_passes_axe(indexed, open_page, dark):
    page = open_page(f"{indexed.url}/corpus", dark=dark)
    expect(page.get_by_text("What would be built")).to_be_visible(timeout=60_000)
    at_rest(page)
    assert violations(page) == []
