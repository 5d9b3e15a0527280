"""Signing in at a real OpenID Connect provider: who is let in, what is whose then, and what nobody ever sees."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ir_core import visits
from ir_core.evaluation import Plan
from tests.browser.conftest import Server
from tests.browser.steps import corpora, upload
from tests.browser.test_looks import violations
from tests.evaluation_jobs import CORPUS, TRANSFORMS, job
from tests.oidc_server import OidcServer

RUN = (sys.executable, "-P", "-m", "ir_core.cli", "run", "--shared", "--no-browser", "--port")


class Signed:
    """A shared server, as a host starts it, beside a provider; ``start`` starts it again on the same port."""

    def __init__(self, home: Path) -> None:
        self.home, self.provider = home, OidcServer()
        self.secrets_file = home / ".streamlit" / "secrets.toml"
        self.secrets_file.parent.mkdir()
        with_port = self.provider.settings("http://127.0.0.1:{port}/oauth2callback")
        self.secrets_file.write_text(with_port, "utf-8")
        self.server = Server(home, command=RUN)

    @property
    def url(self) -> str:
        return self.server.url

    def restart(self) -> None:
        self.server.stop()
        self.server = Server(self.home, command=RUN, port=self.server.port)

    def enter(self, page: Page, person: str) -> None:
        self.provider.person = person
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("button", name=f"Sign out ({person.title()})")).to_be_visible(timeout=90_000)


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Signed]:
    one = Signed(tmp_path_factory.mktemp("signed"))
    yield one
    one.server.stop()
    one.provider.stop()


def test_a_visit_is_a_persons_in_any_browser_and_after_a_restart(signed, open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("QUERY_PRISM_HOME", str(signed.home))
    file = tmp_path / "note.txt"
    file.write_text("The zebra of the house lives behind the shed.", "utf-8")
    anna = open_page(f"{signed.url}/corpus?corpus=packages")
    addresses = [anna.url]
    anna.on("framenavigated", lambda frame: addresses.append(frame.url))
    expect(anna.get_by_role("button", name="Sign in")).to_be_visible()
    expect(anna.get_by_role("link", name="Router")).to_have_count(0)
    expect(anna.get_by_role("combobox")).to_have_count(0)
    signed.enter(anna, "anna")
    anna.wait_for_url("**/corpus?corpus=packages")
    upload(anna, "Zebra papers", [file])
    expect(anna.get_by_text("Zebra papers").first).to_be_visible()

    (hers,) = (signed.home / "visits").iterdir()
    with visits.entered(hers.name):
        job(Plan(CORPUS, "0" * 16, TRANSFORMS))

    elsewhere, bert = (open_page(f"{signed.url}/evaluate") for _ in range(2))
    signed.enter(elsewhere, "anna")
    expect(elsewhere.get_by_role("heading", name="A run")).to_be_visible()
    signed.enter(bert, "bert")
    expect(bert.get_by_text("No run yet")).to_be_visible()
    expect(bert.get_by_role("heading", name="A run")).to_have_count(0)
    signed.restart()
    for page, is_hers in ((anna, True), (bert, False)):
        page.goto(f"{signed.url}/corpus")
        assert ("Zebra papers" in corpora(page)) is is_hers

    anna.get_by_role("button", name="Sign out").click()
    expect(anna.get_by_role("button", name="Sign in")).to_be_visible()
    anna.goto(f"{signed.url}/corpus")
    expect(anna.get_by_role("button", name="Sign in")).to_be_visible()
    signed.enter(anna, "bert")  # the same browser, another person
    assert "Zebra papers" not in corpora(anna)
    assert signed.provider.paths.count("/end") == 1

    kept = {path: path.read_bytes() for path in signed.home.rglob("*") if path.is_file()}
    del kept[signed.secrets_file]
    cookies = [cookie for cookie in anna.context.cookies() if cookie["name"].startswith("_streamlit_user")]
    assert cookies
    assert all(cookie["httpOnly"] for cookie in cookies)
    for secret in signed.provider.secrets():
        assert [path for path, content in kept.items() if secret.encode() in content] == []
        assert secret not in " ".join(addresses)


def test_what_cannot_be_trusted_opens_nothing_and_is_said(signed, open_page):
    page = open_page(f"{signed.url}/router")
    for behaviour in ("forged", "denied", "500"):
        expect(page.get_by_text("asks who you are")).to_be_visible()
        signed.provider.behaviour = behaviour
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("You came back without being signed in")).to_be_visible()
        assert "Traceback" not in page.inner_text("body")
        expect(page.get_by_role("combobox")).to_have_count(0)
        page.reload()  # it is said once
    signed.provider.behaviour = "well"
    signed.enter(page, "anna")
    page.wait_for_url("**/router")


def test_a_cookie_of_ones_own_making_opens_nothing(signed, open_page):
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    told = (
        f'{{"origin": "{signed.url}", "is_logged_in": true, "iss": "{signed.provider.issuer}", "sub": "id-of-anna"}}'
    )
    for secret, is_in in (("guessed" * 5, False), (signed.provider.cookie_secret, True)):
        page = open_page(f"{signed.url}/")
        value = create_signed_value(secret, "_streamlit_user", told).decode()
        page.context.add_cookies([{"name": "_streamlit_user", "value": value, "url": signed.url}])
        page.reload()
        expect(page.get_by_role("button", name="Sign out" if is_in else "Sign in")).to_be_visible()


def test_another_address_and_a_service_that_is_down_each_have_their_sentence(signed, open_page):
    other = open_page(f"{signed.url.replace('127.0.0.1', 'localhost')}/router?table=ours")
    expect(other.get_by_role("link", name="Go there")).to_have_attribute("href", f"{signed.url}/router?table=ours")
    page = open_page(signed.url, width=390, dark=True)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert violations(page) == []
    signed.provider.stop()
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("does not answer as it should")).to_be_visible()
    assert page.url.startswith(signed.url)
