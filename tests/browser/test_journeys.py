"""Whole visits in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.steps import ask, at_rest, build_from_compare, open_passage, open_tab, ranking, upload

MUSEUM = "متحف القاهرة هو أحد أكبر المتاحف في العالم ويقع في ميدان التحرير بوسط القاهرة."
RIVER = "نهر النيل هو أطول أنهار العالم، ويجري من الجنوب إلى الشمال ويصب في البحر المتوسط."
OUTSIDE = "http://198.51.100.7"
HOSTILE_TITLE = f"<script>alert(1)</script> ![x]({OUTSIDE}/t.png) :smile:"
HOSTILE_TEXT = (
    f'zebra <img src="{OUTSIDE}/i.png" onerror="alert(2)"> ![y]({OUTSIDE}/a.png) <style>*{{display:none}}</style>'
)


def test_from_the_sample_to_a_link_that_shows_the_same(fresh_server, open_page):
    page = open_page(fresh_server.url)
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    build_from_compare(page)
    ask(page, "who can see my files")
    assert page.locator("h3.qp-title").count() == 6
    first = [ranking(page, slot) for slot in range(6)]
    assert all(len(titles) == 5 for titles in first)
    open_passage(page, 1, "Original")
    expect(page.locator(".qp-passage")).to_contain_text(first[0][0].split()[0])
    page.keyboard.press("Escape")
    open_tab(page, "Share and export")
    link = page.locator("[data-testid=stCode] code").inner_text()
    assert link.startswith(fresh_server.url)
    other = open_page(link)
    expect(other.get_by_text("6 of 6 finished")).to_be_visible(timeout=90_000)
    assert [ranking(other, slot) for slot in range(6)] == first
    assert page.outside == other.outside == []


def test_arabic_is_searched_by_words_says_why_and_reads_from_the_right(server, open_page, tmp_path: Path):
    for name, text in (("museum.txt", MUSEUM), ("river.txt", RIVER)):
        (tmp_path / name).write_text(text, "utf-8")
    page = open_page(f"{server.url}/corpus")
    upload(page, "متاحف وأنهار", sorted(tmp_path.glob("*.txt")))
    page.get_by_role("button", name="Build the index").click()
    expect(page.get_by_text("The index is built.")).to_be_visible(timeout=90_000)
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("Searched by words only")).to_be_visible()
    expect(page.get_by_role("radio", name="lexical")).to_have_attribute("aria-checked", "true")
    ask(page, "متحف القاهرة")
    open_passage(page, 1, "Original")
    for css in (".st-key-card-0 .qp-query", ".qp-passage"):
        assert page.locator(css).first.evaluate("node => getComputedStyle(node).direction") == "rtl", css
    assert (
        page.get_by_role("textbox", name="Query").evaluate("node => getComputedStyle(node).unicodeBidi")
        == "plaintext"
    )


def test_a_hostile_document_fetches_nothing_and_shows_as_it_is(server, open_page, tmp_path: Path):
    file = tmp_path / "<img src=x onerror=alert(3)>.md"
    file.write_text(
        f'---\ntitle: "{HOSTILE_TITLE}"\nowner: "<b>x</b> ![z]({OUTSIDE}/m.png)"\n---\n{HOSTILE_TEXT}\n', "utf-8"
    )
    (tmp_path / "plain.md").write_text("A zebra crossing is a place to cross the road.", "utf-8")
    page = open_page(f"{server.url}/corpus")
    upload(page, f"Mine <img src={OUTSIDE}/n.png> ![c]({OUTSIDE}/c.png)", sorted(tmp_path.glob("*.md")))
    page.get_by_role("button", name="Build the index").click()
    expect(page.get_by_text("The index is built.")).to_be_visible(timeout=90_000)
    page.get_by_role("link", name="Compare").click()
    ask(page, f"zebra <img src={OUTSIDE}/q.png>")
    assert HOSTILE_TITLE in ranking(page, 0)
    rank = ranking(page, 0).index(HOSTILE_TITLE) + 1
    open_passage(page, rank, "Original")
    expect(page.locator(".qp-passage")).to_have_text(HOSTILE_TEXT)
    expect(page.get_by_text("<b>x</b>").first).to_be_visible()
    page.keyboard.press("Escape")
    for name in ("Fused ranking", "Time and cost", "Find a document", "Share and export", "What moved"):
        open_tab(page, name)
        page.wait_for_timeout(300)
    assert page.locator('img[src*="198.51.100.7"], iframe[src*="198.51.100.7"]').count() == 0
    assert page.outside == []
    assert page.asked == []


@pytest.mark.parametrize("link", ["/corpus", "/?corpus=gone&q=bin"])
def test_every_link_opens_cold(fresh_server, open_page, link):
    """The first visit of a server's life."""
    page = open_page(fresh_server.url + link)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Corpus" if "corpus" in link.split("?")[0] else "Compare"
    )
    at_rest(page)
    assert page.get_by_text("Page not found").count() == 0
    page.get_by_role("button", name="Writer").click()
    page.get_by_text("any model (litellm)").click()
    expect(page.get_by_role("textbox", name="Model")).to_be_visible()
