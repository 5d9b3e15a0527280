"""Keys never reach a log, whoever raised with one."""

from __future__ import annotations

import logging

from ir_core.secrets import log_failure, redacted


def test_a_logged_failure_has_its_trace_and_no_key(caplog, monkeypatch):
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "plain-looking-value-0123456789")
    try:
        raise RuntimeError("refused: sk-SECRETKEY1234567890 and plain-looking-value-0123456789")
    except RuntimeError as error:
        reference = log_failure(logging.getLogger("ir_core.test"), "something failed", error)
    assert reference in caplog.text
    assert "test_a_logged_failure" in caplog.text
    assert "SECRETKEY" not in caplog.text
    assert "plain-looking-value" not in caplog.text


def test_a_url_keeps_its_host_only():
    assert redacted("at https://user:pass@host.example/v1?key=1") == "at host.example"
