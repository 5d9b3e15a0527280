"""A server that several people share: what is whose, in browsers of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ir_core.config import SHARED
from tests.browser.conftest import Server
from tests.browser.steps import ask, corpora, ranking, upload


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("shared"), **{SHARED: "1"})
    yield one
    one.stop()


def test_an_upload_is_its_visits_until_a_link_shares_it(shared, open_page, tmp_path: Path):
    file = tmp_path / "note.txt"
    file.write_text("The zebra of the house lives behind the shed.", "utf-8")
    mine = open_page(f"{shared.url}/corpus")
    expect(mine.get_by_role("button", name="Use a folder")).to_have_count(0)
    expect(mine.get_by_role("button", name="Installed packages")).to_have_count(0)
    upload(mine, "Zebra papers", [file])
    mine.get_by_role("button", name="Build the index").click()
    expect(mine.get_by_text("The index is built.")).to_be_visible(timeout=90_000)
    mine.get_by_role("link", name="Compare").click()
    ask(mine, "zebra")
    mine.get_by_role("tab", name="Share and export").click()
    link = mine.locator("[data-testid=stCode] code").inner_text()
    expect(mine.get_by_text("A link to them is their key")).to_be_visible()
    mine.reload()
    mine.get_by_role("link", name="Corpus").click()
    assert "Zebra papers" in corpora(mine), "a reload is the same visit"

    other = open_page(f"{shared.url}/corpus")
    assert "Zebra papers" not in corpora(other)
    guessed = open_page(f"{shared.url}/?corpus=zebra-papers&q=zebra")
    expect(guessed.get_by_text("names something that no longer exists")).to_be_visible()

    shown = open_page(link)
    expect(shown.get_by_text("6 of 6 finished")).to_be_visible(timeout=90_000)
    assert ranking(shown, 0)
    shown.get_by_role("link", name="Corpus").click()
    expect(shown.get_by_role("button", name="Build again")).to_be_disabled()
    shown.get_by_text("Disk use, rename, delete").click()
    expect(shown.get_by_text("On this server this corpus is read-only").last).to_be_visible()
    expect(shown.get_by_role("button", name="Delete")).to_have_count(0)
    expect(shown.get_by_role("button", name="Rename")).to_have_count(0)
