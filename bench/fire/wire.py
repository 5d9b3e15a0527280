"""One visitor who speaks Streamlit's own protocol: as a browser does, without drawing anything."""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass, field
from html import unescape
from typing import Any
from urllib.parse import urlencode

DONE = re.compile(r"(\d+) of \1 finished")
_TITLE = re.compile(r'<span class="qp-hittitle"[^>]*>(?:<span class="qp-wanted.*?</span> )?(.*?)</span>')
_RANK = re.compile(r'<span class="qp-rank">(\d+)</span>')
PATIENCE_S = 60.0
Ranked = list[tuple[int, str]]
"""Rank and title of every hit, card after card."""


@dataclass
class Answer:
    """``client_s`` is from the question to the end of the page, ``server_s`` from the beginning of the script to the
    last card; None where not all cards came. ``link`` asks the same again."""

    hits: Ranked
    client_s: float
    server_s: float | None
    link: str


@dataclass
class Visitor:
    """A browser of its own, told apart by its cookie. ``seen`` is all that the server ever sent it."""

    port: int
    token: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    seen: bytearray = field(default_factory=bytearray)
    _socket: Any = None
    _page: str = ""
    _messages: dict[str, bytes] = field(default_factory=dict)

    @property
    def cookie(self) -> str:
        return f"2|00000000|{self.token.hex()}|1700000000"

    def open(self, query: str = "") -> Answer:
        """A new tab; ``query`` is what the address bar has."""
        from websockets.sync.client import connect

        self.close()
        self._socket = connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream", subprotocols=["streamlit"], max_size=None, proxy=None,
            additional_headers={"Cookie": f"_streamlit_xsrf={self.cookie}"},
        )  # fmt: skip
        return self._run(query)

    def ask(self, corpus: str, query: str) -> Answer:
        return self._run(urlencode({"corpus": corpus, "q": query}))

    def again(self, link: str) -> Answer:
        """Any click that asks nothing new: the page is drawn again."""
        return self._run(link)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _run(self, query: str) -> Answer:
        """One run of the script, or as many as it asks for itself."""
        from streamlit.proto.BackMsg_pb2 import BackMsg
        from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_script_hash = self._page
        asked.rerun_script.cached_message_hashes.extend(self._messages)
        began, script, done, link = time.perf_counter(), 0.0, None, query
        places: dict[tuple[int, ...], str] = {}
        self._socket.send(asked.SerializeToString())
        while True:
            data = self._socket.recv(timeout=PATIENCE_S)
            self.seen += data
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                path = list(message.metadata.delta_path)
                message = ForwardMsg.FromString(self._messages[message.ref_hash])
                message.metadata.delta_path[:] = path
                kind = message.WhichOneof("type")
            elif message.metadata.cacheable:
                self._messages[message.hash] = data
            if kind == "new_session":
                script = script or time.perf_counter()
                self._page = message.new_session.page_script_hash
            elif kind == "page_info_changed":
                link = message.page_info_changed.query_string
            elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "html":
                body = message.delta.new_element.html.body
                places[tuple(message.metadata.delta_path)] = body
                if done is None and DONE.search(body):
                    done = time.perf_counter() - script
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                hits = _hits(places)
                return Answer(hits, time.perf_counter() - began, done, link)


def _hits(places: dict[tuple[int, ...], str]) -> Ranked:
    found = []
    for _, body in sorted(places.items()):
        if body.startswith('<div class="qp-hit'):
            rank, title = _RANK.search(body), _TITLE.search(body)
            if rank and title:
                found.append((int(rank[1]), unescape(title[1])))
    return found
