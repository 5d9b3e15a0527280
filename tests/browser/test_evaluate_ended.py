"""The server ends in the middle of a run, and another goes on: what a model has answered is not asked again."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter

import pytest
from playwright.sync_api import expect

from ir_core.evaluation import cut_off_said
from ir_core.jobs import run
from ir_core.secrets import Secret
from tests.browser.conftest import PATIENCE_MS, Server
from tests.browser.steps import at_rest
from tests.evaluation_jobs import job, model, plan, work
from tests.test_evaluation_killed import KEY, Half, asked, files_with, until

N, ALL = 12, 24
"""Requests that are answered before the server ends, and of the whole run."""


@pytest.fixture
def held(llm_server):
    """A run of 24 requests, made to wait for its key, and a model that answers the first half of them."""
    llm_server.reply = half = Half(N)
    yield job(plan(writer=model(llm_server.base_url, needs_key=True), use_cache=False)), half, llm_server
    half.go_on.set()


def resume(open_page, server, one):
    """A person types the key and presses Resume."""
    page = open_page(f"{server.url}/evaluate?job={one.id}")
    expect(page.get_by_text("Paused: needs key.")).to_be_visible(timeout=PATIENCE_MS)
    at_rest(page)
    page.get_by_role("textbox", name="Key for this visit").last.fill(KEY)
    page.keyboard.press("Enter")
    button = page.get_by_role("button", name="Resume").last
    expect(button).to_be_enabled(timeout=PATIENCE_MS)
    button.click()
    return page


def bodies(requests) -> Counter[str]:
    return Counter(f"{one.body['messages']} {one.body.get('seed')}" for one in requests)


def test_killed_at_half_only_what_was_under_way_is_asked_twice_and_the_page_says_how_much(held, home, open_page):
    one, half, model_server = held
    server = Server(home)
    page = resume(open_page, server, one)
    until(lambda: half.held >= 4 and len(asked(one)) == N)
    page.close()  # nobody watches, and the run goes on
    assert one.state().status == "running"
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    before = list(model_server.requests)
    half.go_on.set()
    server = Server(home)
    try:
        page = resume(open_page, server, one)
        expect(page.locator(".qp-run-finished").first).to_be_visible(timeout=PATIENCE_MS)
        at_rest(page)
        lost = bodies(before[N:])
        expect(page.get_by_text(f"{lost.total()} requests were under way")).to_be_visible(timeout=PATIENCE_MS)
    finally:
        server.stop()
    after = bodies(model_server.requests)
    assert {body for body, n in after.items() if n > 1} == set(lost)
    assert set(bodies(before[:N]).values()) == {1} == {after[body] for body in bodies(before[:N])}
    assert (len(after), after.total()) == (ALL, ALL + lost.total())
    assert one.state().details["cut_off"] == lost.total()
    assert files_with(KEY) == []


def test_told_to_end_it_waits_for_what_is_under_way_and_nothing_is_asked_twice(held, home, open_page):
    """Ctrl-C is the same to Streamlit, and so to what comes after it."""
    one, half, model_server = held
    server = Server(home)
    resume(open_page, server, one)
    until(lambda: half.held >= 4 and len(asked(one)) == N)
    server.process.terminate()
    time.sleep(1.0)  # longer than Streamlit takes to end
    assert server.process.poll() is None, "what is under way is waited for"
    half.go_on.set()
    assert server.process.wait(60) == 0
    n = len(model_server.requests)
    assert len(asked(one)) == n < ALL, "all that was sent was answered, and nothing more was sent"
    assert (one.state().status, one.state().why, one.last_state().status) == ("paused", "key", "paused")
    assert run(one, work(key=Secret(KEY))).status == "finished"
    after = bodies(model_server.requests)
    assert (len(after), set(after.values()), cut_off_said(one)) == (ALL, {1}, "")
