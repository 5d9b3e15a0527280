"""``query-prism run``: the page, in this process' place."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Sequence

import click

from ir_core import config
from ir_core.errors import BadSetting, MissingPackage, QueryPrismError, mended

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")


@click.command("run")
@click.option("--port", type=click.IntRange(0, 65_535), help="Default: 8501, or the next one that is free.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to serve on. 0.0.0.0: every network.")
@click.option(
    "--allow-host", "extra", multiple=True, metavar="NAME",
    help="Another name the page is reached by, such as that of a proxy; may be repeated.",
)  # fmt: skip
@click.option(
    "--shared",
    is_flag=True,
    help="For a class or a team: each visit has its own uploads and runs, samples are read-only. Always so beyond "
    "this machine.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def command(port: int | None, host: str, extra: tuple[str, ...], shared: bool, no_browser: bool) -> None:
    """Start the page. Stop it with Ctrl-C.

    Only this machine can reach it unless --host says otherwise. Then it is shared: no folder of the server can be
    read from it, and nobody sees or changes what another visit brought, but by a link.
    """
    arguments = streamlit_command(port, host, extra, browser=not no_browser)
    if shared or not config.is_loopback(host):
        os.environ[config.SHARED] = "1"
        _check_visits()
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execv(arguments[0], arguments)  # Ctrl-C and signals then reach the server itself
    import signal
    import subprocess

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server has its own, and ends when its runs are paused
    raise SystemExit(subprocess.call(arguments))


def _check_visits() -> None:
    """:raises BadSetting: when visits would find no place for what they bring."""
    place = config.home() / "visits"
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError as error:
        raise BadSetting(
            f"A shared server keeps what each visit brings in {place}, and cannot write there "
            f"({error.strerror or error}). {mended(error)}, and start it again."
        ) from error


def streamlit_command(port: int | None, host: str, extra: Sequence[str], *, browser: bool) -> list[str]:
    """The command line that serves the page. Streamlit reads ``.streamlit/config.toml`` beside the page's script,
    wherever it is started; the flags here come after it.

    ``-P`` keeps the folder it is started in off the path: a ``pages`` of that folder's own would be taken for ours.

    :raises MissingPackage: without Streamlit.
    :raises QueryPrismError: when the page's files are not there.
    :raises BadSetting: for a blank host.
    """
    import importlib.util

    if not host.strip():
        raise BadSetting("--host is blank. Leave it out for this machine only, or name an address such as 0.0.0.0.")
    if importlib.util.find_spec("streamlit") is None:
        raise MissingPackage("streamlit", "The page")
    page = config.resources() / "app.py"
    if not page.is_file():
        raise QueryPrismError(f"The page's files are not in {page.parent}. Install query-prism again.")
    headless = not (browser and config.is_loopback(host) and _has_display())
    flags = {"server.address": host, "server.headless": str(headless).lower(), "server.showEmailPrompt": "false"}
    if port is not None:
        flags["server.port"] = str(port)
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(page)]
    for name, value in flags.items():
        command += [f"--{name}", value]
    for name in allowed_hosts(host, extra):
        command += ["--server.allowedHosts", name]
    return command


def allowed_hosts(host: str, extra: Sequence[str] = ()) -> list[str]:
    """Names a request may come under, which keeps other people's pages from reaching this one by a name of theirs.

    On every network any name may be the right one, so all are allowed.
    """
    if host in EVERYWHERE:
        return ["*"]
    own = LOOPBACK if config.is_loopback(host) else (host, socket.gethostname(), socket.getfqdn())
    return list(dict.fromkeys((*own, host, *extra)))


def _has_display() -> bool:
    return not sys.platform.startswith("linux") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
