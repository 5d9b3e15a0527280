"""Clients of Chroma servers and of Chroma Cloud: one per place and process, with bounded waits and told errors.

Keys: ``CHROMA_API_KEY`` for the cloud; ``QUERY_PRISM_CHROMA_TOKEN`` for a server behind a proxy that asks for one
(sent as ``Authorization: Bearer`` and ``X-Chroma-Token``). They stay in the process: in no file, address or message.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ir_core import config
from ir_core.errors import BadSetting, IndexProblem, QueryPrismError, Unreachable
from ir_core.index.chroma_place import Place
from ir_core.secrets import Secret, redacted

CONNECT_S, ANSWER_S = 5.0, 120.0
"""A server that was just started reads its graph at the first search; a step of 1,000 rows takes it some seconds."""
GATEWAY = (502, 503, 504)
"""What a proxy says of a server behind it that is away."""
CLOUD_KEY, TOKEN = "CHROMA_API_KEY", "QUERY_PRISM_CHROMA_TOKEN"
CLOUD = {"cloud_host": "api.trychroma.com", "cloud_port": 443, "enable_ssl": True}
BUILDING = "Start it, or check QUERY_PRISM_CHROMA, and try again; what was embedded is kept."
SEARCHING = "Start it and search again, or search in lexical mode, which needs no server."
_clients: dict[tuple[Place, str], Any] = {}
_making = threading.Lock()


def answers(place: Place) -> bool:
    """Whether anything answers there, within the time to connect; no key is sent."""
    import httpx

    try:
        return httpx.get(_heartbeat(place), timeout=CONNECT_S).status_code not in GATEWAY
    except httpx.HTTPError:
        return False


@contextmanager
def asking(place: Place, silent: str = BUILDING) -> Iterator[Any]:
    """The client of ``place``; what goes wrong with it becomes a sentence with its address.

    :param silent: the way out when the server does not answer.
    :raises BadSetting: when a key is missing, or would be sent in the clear to another machine.
    :raises Unreachable: when the server does not answer in time.
    :raises IndexProblem: when it refuses, or no longer has what was asked for.
    """
    from chromadb.errors import NotFoundError

    key = Secret(os.environ.get(CLOUD_KEY if place.kind == "cloud" else TOKEN, "").strip())
    try:
        yield _client(place, key)
    except QueryPrismError:
        raise
    except NotFoundError as error:
        raise IndexProblem(
            f"The vectors of this index are no longer on {place.label}: they were moved or removed there. Search "
            "again, or build the index again; what was embedded is kept."
        ) from error
    except Exception as error:
        said = redacted(str(error), key).strip() or type(error).__name__
        if _silent(error):
            raise Unreachable(
                f"{place.label[0].upper()}{place.label[1:]} does not answer ({said[:200]}). {silent}"
            ) from None
        raise IndexProblem(
            f"{place.label[0].upper()}{place.label[1:]} refused ({said[:300]}). Check its log and its disk, and try "
            "again; what was embedded is kept."
        ) from None


def _silent(error: BaseException) -> bool:
    import httpx

    if isinstance(error, httpx.TransportError):
        return True
    if isinstance(error, httpx.HTTPStatusError) and error.response.status_code in GATEWAY:
        return True
    return isinstance(error, ValueError) and "Could not connect" in str(error)


def _client(place: Place, key: Secret) -> Any:
    with _making:
        known = _clients.get((place, key.reveal()))
        if known is None:
            known = _cloud(place, key) if place.kind == "cloud" else _server(place, key)
            _clients[place, key.reveal()] = known
        # chromadb gives its HTTP client no timeout at all, and has no setting for one
        known._server._session.timeout = _waits()
        return known


def _heartbeat(place: Place) -> str:
    scheme = "https" if CLOUD["enable_ssl"] else "http"
    address = f"{scheme}://{CLOUD['cloud_host']}:{CLOUD['cloud_port']}" if place.kind == "cloud" else place.url
    return f"{address}/api/v2/heartbeat"


def _waits() -> Any:
    import httpx

    return httpx.Timeout(ANSWER_S, connect=CONNECT_S)


def _server(place: Place, key: Secret) -> Any:
    import chromadb
    import httpx
    from chromadb.config import Settings

    if key.reveal() and not place.secure and not config.is_loopback(place.host):
        raise BadSetting(
            f"{TOKEN} would be sent in the clear to {place.host}. Give the server's address with https, or unset it."
        )
    headers = {"Authorization": f"Bearer {key.reveal()}", "X-Chroma-Token": key.reveal()} if key.reveal() else {}
    # making the client asks the server with no limit of time: so first see whether it answers within one
    httpx.get(_heartbeat(place), headers=headers, timeout=_waits()).raise_for_status()
    return chromadb.HttpClient(
        place.host,
        place.port,
        ssl=place.secure,
        headers=headers,
        settings=Settings(anonymized_telemetry=False),
        tenant=place.tenant or "default_tenant",
        database=place.database or "default_database",
    )


def _cloud(place: Place, key: Secret) -> Any:
    import chromadb
    import httpx
    from chromadb.config import Settings

    if not key.reveal():
        raise BadSetting(
            f"Chroma Cloud needs a key, and {CLOUD_KEY} is not set. Set it in the environment of this process; it is "
            "kept in no file."
        )
    httpx.get(_heartbeat(place), timeout=_waits()).raise_for_status()
    return chromadb.CloudClient(
        tenant=place.tenant or None,
        database=place.database or None,
        api_key=key.reveal(),
        settings=Settings(anonymized_telemetry=False),
        **CLOUD,
    )
