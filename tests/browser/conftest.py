"""A real server and a real Chromium. Waits on what the page says, never on the network being idle."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parent.parent.parent
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE_MS = 90_000
"""The model is loaded once per server, next to whatever else the machine does."""
expect.set_options(timeout=30_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


CHROMIA = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first draws pages only and no window around them: a browser test takes 40 % less time."""


def chromium() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIA)), None)
    if not found:
        pytest.fail("No Chromium is installed: apt-get install chromium-headless-shell, or name one in CHROMIUM.")
    return found


PAGE = (sys.executable, "-P", "-m", "streamlit", "run", str(ROOT / "app.py"), "--server.port")


class Server:
    """``streamlit run app.py``, or another command that takes a port last, its state in ``home``.

    :param port: 0 is a free one."""

    def __init__(self, home: Path, *, command: Sequence[str] = PAGE, port: int = 0, **environment: str) -> None:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = home / "server.log"
        environment = {**os.environ, "PYTHONFAULTHANDLER": "1", "QUERY_PRISM_HOME": str(home), **environment}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, str(self.port)], cwd=home, env=environment, stdout=log, stderr=log
            )
        self._wait()

    def _wait(self) -> None:
        began = time.monotonic()
        while time.monotonic() - began < 60:
            assert self.process.poll() is None, self.log.read_text("utf-8", "replace")
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(self.log.read_text("utf-8", "replace"))

    def stop(self) -> None:
        """:raises AssertionError: when it does not end, with what its threads were doing."""
        self.process.terminate()
        try:
            self.process.wait(timeout=40)  # longer than requests under way are waited for
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)  # PYTHONFAULTHANDLER writes the stacks
            self.process.wait(timeout=20)
            raise AssertionError(self.log.read_text("utf-8", "replace")) from None


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("served"))
    yield one
    one.stop()


@pytest.fixture
def fresh_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that nobody has visited yet."""
    one = Server(tmp_path_factory.mktemp("fresh"))
    yield one
    one.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        one = driver.chromium.launch(executable_path=chromium(), args=FLAGS, headless=True)
        yield one
        one.close()


OpenPage = Callable[..., Page]


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """A page in a context of its own: ``open_page(url, width=…, dark=…)``. ``page.outside`` lists every request that
    left this machine, ``page.asked`` every dialog a script opened."""
    contexts = []

    def open_one(url: str, *, width: int = 1440, height: int = 900, dark: bool = False) -> Page:
        scheme = "dark" if dark else "light"
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.outside, page.asked = [], []
        page.on("request", lambda request: _note(page, request.url))
        page.on("dialog", lambda dialog: (page.asked.append(dialog.message), dialog.dismiss()))
        page.goto(url)
        return page

    yield open_one
    for context in contexts:
        if request.node.stash.get(FAILED, False):
            for page in context.pages:
                print(f"{page.url} at the end:", page.locator("body").inner_text()[:3_000], sep="\n")
        context.close()


def _note(page: Page, url: str) -> None:
    if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
        page.outside.append(url)
