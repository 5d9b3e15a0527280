"""What a person does, in their words."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

ALL = "6 of 6 finished"


def build_from_compare(page: Page) -> None:
    page.get_by_role("button", name="Build the index").click()
    expect(page.get_by_text("The index is built.")).to_be_visible(timeout=90_000)


def ask(page: Page, query: str, done: str = ALL) -> None:
    box = page.get_by_role("textbox", name="Query")
    box.fill(query)
    box.press("Enter")
    expect(page.locator(".qp-card-query, .qp-query").first).to_have_text(query, timeout=90_000)
    expect(page.get_by_text(done)).to_be_visible(timeout=90_000)
    at_rest(page)


def at_rest(page: Page) -> None:
    expect(page.locator(".stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=90_000)


def open_tab(page: Page, name: str) -> None:
    """Once nothing moves: a click on a page that is being drawn may reach nobody."""
    at_rest(page)
    tab = page.get_by_role("tab", name=name)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true", timeout=90_000)
    at_rest(page)


def upload(page: Page, title: str, files: list[Path]) -> None:
    """Step by step: a file chosen in the moment a run of the page begins is lost by Streamlit 1.67."""
    page.get_by_role("button", name="Upload documents").click()
    at_rest(page)
    page.locator("input[type=file]").set_input_files(files)
    add = page.get_by_role("button", name="Add", exact=True)
    expect(add).to_be_enabled(timeout=90_000)
    box = page.get_by_role("textbox", name="Name of the corpus")
    box.fill(title)
    box.press("Tab")
    add.click()
    expect(page.get_by_text("was added")).to_be_visible(timeout=90_000)
    page.keyboard.press("Escape")
    at_rest(page)


def corpora(page: Page) -> str:
    """All that can be chosen, on the Corpus page once it is at rest: the box of the page before has the same name."""
    expect(page.get_by_role("button", name="Upload documents")).to_be_visible(timeout=90_000)
    at_rest(page)
    page.get_by_role("combobox", name="Corpus").click()
    expect(page.get_by_role("option").first).to_be_visible()
    listed = " | ".join(page.get_by_role("option").all_inner_texts())
    page.keyboard.press("Escape")
    return listed


def ranking(page: Page, slot: int) -> list[str]:
    """Titles on one card, in order."""
    return page.locator(f".st-key-card-{slot} .qp-hittitle").all_inner_texts()


def open_passage(page: Page, rank: int, card: str) -> None:
    page.get_by_role("button", name=f"Open passage {rank} of {card}").click()
    expect(page.get_by_text("What its score is made of")).to_be_visible(timeout=30_000)
