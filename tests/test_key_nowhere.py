"""A typed key, after a visit in which everything went wrong, searched for wherever anything is kept or shown."""

from __future__ import annotations

import logging
import time

from ir_core import config
from pages._ui import export, keys, resources, writer_asking
from tests.app import build, everything_in, open_app, press, shown

KEY = "marker7f3a-this-is-no-known-form-of-key"
BEHAVIOURS = ("echo key", "echo key page", "401", "500", "hang", "drop", "html", "garbage", "well")
"""Not one that a pattern would find."""


def files_with(marker: str) -> list[str]:
    """Under the home, as bytes: databases, recordings and caches too; names of files as well."""
    found = [path for path in config.home().rglob("*") if path.is_file()]
    assert len(found) > 5, "there is something to search"
    return [str(path) for path in found if marker in path.name or marker.encode() in path.read_bytes()]


def asked(app, query: str):
    app.text_input(key="query").set_value(query)
    app = press(app, "compare").run()
    page = shown(app)
    job = resources.runs().get(app.session_state["run"])
    assert job.is_over
    assert job.asked.asked.writer.api_key is None
    results = [event.result for event in job.events if getattr(event, "result", None)]
    assert results
    exported = export.to_csv(results) + export.to_json(query, {}, results)
    links = "".join(item.value for item in app.code) + str(dict(app.query_params))
    return page + repr(vars(job)) + exported.decode() + links


def question(app, button: str, slot: str):
    app = press(app, button)
    job = resources.questions().get(app.session_state[slot])
    began = time.monotonic()
    while not job.is_over and time.monotonic() - began < 60:
        job.wait(0, 0.2)
    return shown(app.run()) + repr(vars(job)) + repr(job.error) + repr(getattr(job.error, "__context__", None))


def test_a_typed_key_is_nowhere_after_a_visit_full_of_failures(llm_server, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("PIL").setLevel(logging.INFO)
    build("help_center")
    app = open_app("corpus=help_center&writer=openai/test-model&t=rewrite&t=hyde")
    app.text_input(key="api_key").set_value(KEY)
    app.text_input(key="base_url").set_value(llm_server.base_url)
    app.number_input(key="deadline").set_value(2)  # for a server that hangs
    app.toggle(key="record_on").set_value(True).run()
    seen = ""
    for number, behaviour in enumerate(BEHAVIOURS):
        llm_server.queue(behaviour, behaviour)
        seen += asked(app, f"query number {number}")
    assert "[hidden]" in seen, "the server did quote the key"
    assert seen.count("Fell back to the original query") > 4
    llm_server.queue("echo key")
    seen += question(app, "test_model", writer_asking.TESTING)
    seen += question(app, "list_models", writer_asking.LISTING)
    sent = {one.headers.get("Authorization") or one.headers["authorization"] for one in llm_server.requests}
    assert sent == {f"Bearer {KEY}"}, "it did reach the server"
    assert KEY not in seen
    session = everything_in(app)
    assert llm_server.base_url in session, "what is typed into other boxes is found there"
    assert KEY not in session
    assert files_with(KEY) == []
    out, err = capfd.readouterr()
    assert KEY not in caplog.text + out + err
    app = press(app, "forget_key")
    assert keys.KEPT.hidden_in(KEY) == KEY
