"""The command line that serves the page."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from ir_core.cli.run import allowed_hosts, streamlit_command
from ir_core.errors import BadSetting
from tests.test_cli import HELP, ROOT, one_home, run, shared_home  # noqa: F401


def test_bare_it_prints_help(run):  # noqa: F811
    code, out, err = run()
    assert (code, err) == (0, "")
    assert "Usage: query-prism" in out
    assert "Examples:" in out


def test_a_home_that_is_a_file_is_said(run, tmp_path, monkeypatch):  # noqa: F811
    (tmp_path / "home").write_text("")
    monkeypatch.setenv("QUERY_PRISM_HOME", str(tmp_path / "home"))
    code, _, err = run("search", "x", *HELP)
    assert code == 2
    assert "QUERY_PRISM_HOME" in err


def test_an_unexpected_error_prints_no_secret(run, monkeypatch):  # noqa: F811
    monkeypatch.setenv("SOME_API_KEY", "abcdefgh-ijklmnop")

    def fail(*_):
        raise RuntimeError("sent abcdefgh-ijklmnop to the gateway")

    monkeypatch.setattr("ir_core.library.corpora", fail)
    for arguments in (["corpora"], ["--debug", "corpora"]):
        code, _, err = run(*arguments)
        assert code == 1
        assert "abcdefgh" not in err
        assert "not expected" in err.splitlines()[-1]
    assert "[hidden] to the gateway" in err


def test_hosts_follow_the_address():
    assert set(allowed_hosts("127.0.0.1")) == {"127.0.0.1", "localhost", "::1"}
    assert allowed_hosts("0.0.0.0") == ["*"]
    named = allowed_hosts("192.0.2.7", ["prism.example"])
    assert {"192.0.2.7", "prism.example"} <= set(named)
    command = streamlit_command(9000, "192.0.2.7", (), browser=True)
    assert command[command.index("--server.address") + 1] == "192.0.2.7"
    assert command[command.index("--server.headless") + 1] == "true", "a page for others opens no browser here"
    with pytest.raises(BadSetting):
        streamlit_command(None, " ", (), browser=False)


@pytest.mark.slow
def test_run_serves_from_an_empty_folder_and_stops_at_ctrl_c(tmp_path):
    """A ``pages`` package and a configuration of the folder it is started in are not taken for ours."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "__init__.py").write_text("raise SystemExit('not ours')")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "ir_core.cli", "run", "--no-browser", "--port", str(port)],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert _get(f"http://127.0.0.1:{port}/_stcore/health") == b"ok"
        assert len(_get(f"http://127.0.0.1:{port}/app/static/icon.png")) > 100, (
            "our configuration serves static files"
        )
        server.send_signal(signal.SIGINT)
        assert server.wait(60) in (0, 130, -signal.SIGINT)
    finally:
        server.kill()
        server.communicate()


def _get(url: str, patience: float = 30) -> bytes:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=3) as reply:
            return reply.read()
        time.sleep(0.1)
    raise AssertionError(f"{url} did not answer within {patience} s")
