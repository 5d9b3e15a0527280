"""Several people open a server that has just been started, each another page: as when a class begins."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.sync.client import connect

ADDRESSES = ("corpus", "", "evaluate", "router", "corpus", "")


def visit(port: int, address: str, after_s: float) -> list[ForwardMsg]:
    """All that the server sends until the page is drawn."""
    time.sleep(after_s)
    asked, sent = BackMsg(), list[ForwardMsg]()
    asked.rerun_script.page_name = address
    url = f"ws://127.0.0.1:{port}/_stcore/stream"
    with connect(url, subprotocols=["streamlit"], max_size=None, proxy=None) as socket:
        socket.send(asked.SerializeToString())
        while not sent or sent[-1].WhichOneof("type") != "script_finished" or sent[-1].script_finished:
            sent.append(ForwardMsg.FromString(socket.recv(timeout=120)))
    return sent


def test_each_finds_the_page_at_once_and_nobody_is_told_that_there_is_none(fresh_server):
    port, n = fresh_server.port, len(ADDRESSES)
    with ThreadPoolExecutor(n) as pool:
        found = list(pool.map(visit, [port] * n, ADDRESSES, [0.15 * one for one in range(n)]))
    for address, sent in zip(ADDRESSES, found, strict=True):
        kinds = [one.WhichOneof("type") for one in sent]
        assert "page_not_found" not in kinds, address
        opened = [one.navigation.page_script_hash for one in sent if one.WhichOneof("type") == "navigation"]
        assert opened[-1] == calc_hash(address)
        drawn = b"".join(one.SerializeToString() for one in sent if one.WhichOneof("type") == "delta")
        assert f">{(address or 'compare').title()}</h1>".encode() in drawn
