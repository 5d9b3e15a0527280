"""A server that several people share: what is whose, and what one finds of another's by links, by guessing, over the
wire."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ir_core import config, library, session, visits
from ir_core.jobs import JobStore, run
from ir_core.library import save_scene
from ir_core.library.scenes import Scene
from tests.browser.conftest import Server
from tests.browser.steps import ask, at_rest, corpora, open_tab, ranking, upload
from tests.evaluation_jobs import job, plan, work

SECRET = "zebra"
ACTS = ("Delete", "Rename", "Pause", "Resume", "Cancel")


class Annas:
    """A server, and what one visitor has on it: an upload, a run that ended, one that waits, a scene."""

    def __init__(self, server: Server, page: Page) -> None:
        self.url, self.page = server.url, page
        (self.folder,) = (config.home() / "visits").iterdir()
        with visits.entered(self.folder.name):
            self.corpus = library.add_upload(
                "Zebra papers", [("zebra.txt", b"The zebra lives behind the shed.")]
            ).name
            session.prepare(self.corpus, embedder="hashing").build()
            self.ended, self.waiting = job(plan(modes=("lexical",)), n=4), job(plan(modes=("lexical",)), n=2)
            run(self.ended, work())
            scene = Scene(id="", corpus="help_center", title="Zebra scene", query="x", technique=None, outcome=None)
            self.scene = save_scene(scene).id

    def kept(self) -> dict[str, bytes]:
        """Every file of hers."""
        return {str(path): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def served(built) -> Iterator[Server]:
    server = Server(built, **{config.SHARED: "1"})
    yield server
    server.stop()


@pytest.fixture(scope="module")
def annas(served, built, browser) -> Iterator[Annas]:
    context = browser.new_context(accept_downloads=True)
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{served.url}/evaluate")
    expect(page.get_by_text("No run yet")).to_be_visible(timeout=90_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(built))
        one = Annas(served, page)
    yield one
    context.close()


def no_acts(page: Page) -> None:
    for name in ACTS:
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_nothing_is_listed_and_a_link_is_read_only(annas, ready, open_page):
    mine = annas.page
    mine.goto(f"{annas.url}/evaluate?job={annas.waiting.id}")
    expect(mine.get_by_role("button", name="Delete").first).to_be_visible()
    expect(mine.get_by_role("button", name="Resume").first).to_be_visible()
    before = annas.kept()

    other = open_page(f"{annas.url}/evaluate")
    expect(other.get_by_text("No run yet")).to_be_visible()
    other.goto(f"{annas.url}/evaluate?job={annas.ended.id}")
    expect(other.get_by_role("region", name="Leaderboard, lexical")).to_be_visible()
    expect(other.get_by_text("another visit's, opened by its link")).to_be_visible()
    no_acts(other)
    other.goto(f"{annas.url}/evaluate?job={annas.waiting.id}")
    expect(other.get_by_text("another visit's, opened by its link")).to_be_visible()
    no_acts(other)
    other.goto(f"{annas.url}/corpus")
    assert "Zebra" not in corpora(other)
    other.goto(f"{annas.url}/corpus?corpus={annas.corpus}")
    expect(other.get_by_text("this corpus is read-only").first).to_be_visible()
    at_rest(other)
    other.get_by_text("Disk use, rename, delete").click()
    no_acts(other)
    expect(other.get_by_text(SECRET).first).to_be_visible()

    third = open_page(f"{annas.url}/")
    at_rest(third)
    third.get_by_role("button", name="Scenes").click()
    expect(third.get_by_text("Saved scenes: none yet")).to_be_visible()
    assert annas.kept() == before


def test_a_guess_opens_nothing_and_names_nothing(annas, ready, open_page):
    other = open_page(f"{annas.url}/")
    for name in (annas.ended.id[:15], f"../{annas.folder.name}/jobs/{annas.ended.id}"):
        other.goto(f"{annas.url}/evaluate?job={name}")
        expect(other.get_by_role("button", name="Close")).to_be_visible()
        assert annas.ended.id not in other.inner_text("body")
    for name in ("zebra-papers", annas.corpus[:-2] + "*"):
        other.goto(f"{annas.url}/?corpus={name}")
        expect(other.get_by_text("no longer exists")).to_be_visible()
        assert "Zebra papers" not in other.inner_text("body")
    other.goto(f"{annas.url}/?scene={annas.scene[:-1]}")
    expect(other.get_by_text("no longer exists")).to_be_visible()
    assert "Zebra scene" not in other.inner_text("body")


def test_over_the_wire_there_is_nothing_to_find(annas, ready):
    mine = annas.page
    mine.goto(f"{annas.url}/?corpus={annas.corpus}")
    ask(mine, "who lives there")
    open_tab(mine, "Share and export")
    with mine.expect_download() as got:
        mine.get_by_role("button", name="CSV", exact=True).click()
    media = got.value.url
    assert "/media/" in media
    token = media.rpartition("/media/")[2].split(".")[0]
    assert re.fullmatch("[0-9a-f]{32,}", token), "128 bits, a hash of all it holds: who can tell it has read it"
    assert SECRET in read(media)
    flipped = ("0" if token[0] != "0" else "1") + token[1:]
    for path in (
        f"/media/{flipped}.csv", "/media/", "/media/%2e%2e/", "/media/*", "/app/static/", "/app/static/../app.py",
        "/app/static/%2e%2e/app.py", "/app/static/..%2f..%2fvisits", f"/app/static/..%2f..%2f..{annas.folder}",
        f"/app/static/%2e%2e%2f%2e%2e{annas.folder}", "/_stcore/metrics", "/_stcore/upload_file/a/b",
        f"/visits/{annas.folder.name}/", "/_stcore/agent/openapi.json", "/.streamlit/secrets.toml", "/app.py",
    ):  # fmt: skip
        answer = read(f"{annas.url}{path}")
        assert SECRET not in answer, path
        assert annas.folder.name not in answer, path
        assert "import streamlit" not in answer, path
    for method in ("DELETE", "PUT"):
        wanted = urllib.request.Request(f"{annas.url}/_stcore/upload_file/a/b", b"x", method=method)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(wanted, timeout=10)
    with visits.entered(annas.folder.name):
        assert {one.id for one in JobStore().jobs()} == {annas.ended.id, annas.waiting.id}


def test_an_upload_is_its_visits_until_a_link_shares_it(served, open_page, tmp_path: Path):
    file = tmp_path / "note.txt"
    file.write_text("The zebra of the house lives behind the shed.", "utf-8")
    mine = open_page(f"{served.url}/corpus")
    expect(mine.get_by_role("button", name="Use a folder")).to_have_count(0)
    expect(mine.get_by_role("button", name="Installed packages")).to_have_count(0)
    upload(mine, "Zebra papers", [file])
    mine.get_by_role("button", name="Build the index").click()
    expect(mine.get_by_text("The index is built.")).to_be_visible(timeout=90_000)
    mine.get_by_role("link", name="Compare").click()
    ask(mine, "zebra")
    open_tab(mine, "Share and export")
    link = mine.locator("[data-testid=stCode] code").inner_text()
    expect(mine.get_by_text("A link to them is their key")).to_be_visible()
    mine.reload()
    mine.get_by_role("link", name="Corpus").click()
    assert "Zebra papers" in corpora(mine), "a reload is the same visit"

    other = open_page(f"{served.url}/corpus")
    assert "Zebra papers" not in corpora(other)
    guessed = open_page(f"{served.url}/?corpus=zebra-papers&q=zebra")
    expect(guessed.get_by_text("names something that no longer exists")).to_be_visible()

    shown = open_page(link)
    expect(shown.get_by_text("6 of 6 finished")).to_be_visible(timeout=90_000)
    assert ranking(shown, 0)
    shown.get_by_role("link", name="Corpus").click()
    expect(shown.get_by_role("button", name="Build again")).to_be_disabled()
    at_rest(shown)
    shown.get_by_text("Disk use, rename, delete").click()
    expect(shown.get_by_text("On this server this corpus is read-only").last).to_be_visible()
    expect(shown.get_by_role("button", name="Delete")).to_have_count(0)
    expect(shown.get_by_role("button", name="Rename")).to_have_count(0)


def read(address: str) -> str:
    """What a program without any cookie is given; a refusal's text counts, too."""
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.read().decode("utf-8", "replace")
