"""The Evaluate page in a real browser: it fits, passes axe, and a run does not need the tab it was started in."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from ir_core.jobs import JobStore, run
from tests.browser.conftest import Server
from tests.browser.steps import at_rest
from tests.browser.test_looks import WAYS, violations
from tests.evaluation_jobs import job, plan, work


@pytest.fixture(scope="module")
def served(built):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUERY_PRISM_HOME", str(built))
        one = job(plan(modes=("hybrid", "lexical")), n=8)
        run(one, work())
    server = Server(built)
    yield server, one
    server.stop()


@WAYS
def test_a_finished_run_fits_and_passes_axe(served, open_page, width, height, dark):
    server, one = served
    page = open_page(f"{server.url}/evaluate?job={one.id}", width=width, height=height, dark=dark)
    expect(page.get_by_role("region", name="Leaderboard, lexical")).to_be_visible(timeout=90_000)
    expect(page.get_by_role("button", name="Start the run")).to_be_visible(timeout=90_000)
    at_rest(page)
    wider = page.evaluate(
        "document.querySelector('.stMain').scrollWidth - document.querySelector('.stMain').clientWidth"
    )
    assert wider <= 0, "the leaderboard is moved in its own frame"
    board = page.get_by_role("region", name="Leaderboard, lexical")
    if width > 640:
        seen = board.evaluate("one => one.getBoundingClientRect().right")
        last = board.get_by_role("columnheader", name="cost per query")
        right = last.evaluate("one => one.getBoundingClientRect().right")
        assert right <= seen, "what counts is seen without moving it"
    assert violations(page) == []
    assert page.outside == []


def test_a_run_goes_on_when_its_tab_is_closed(served, ready, open_page):
    server, before = served
    page = open_page(f"{server.url}/evaluate")
    button = page.get_by_role("button", name="Start the run")
    expect(button).to_be_enabled(timeout=90_000)
    for k in ("7", "5", "10"):  # what stands in a list of choices must not change with it
        page.get_by_label("k", exact=True).fill(k)
        page.keyboard.press("Enter")
        at_rest(page)
        page.wait_for_timeout(300)
        at_rest(page)
    expect(button).to_be_enabled()
    button.click()
    page.wait_for_url("**/evaluate?job=*")
    address = page.url
    assert before.id not in address
    page.close()
    one = JobStore().get(address.rpartition("job=")[2])
    for _ in range(400):
        if one.state().status == "finished":
            break
        time.sleep(0.5)
    later = open_page(address)
    expect(later.locator(".qp-run-open .qp-run-finished")).to_be_visible(timeout=90_000)
    expect(later.get_by_role("region", name="Leaderboard, hybrid")).to_be_visible(timeout=90_000)
