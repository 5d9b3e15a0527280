"""A real OpenAI-style chat server on loopback, for tests: well behaved, slow, rude, wrong or dead on request.

::

    with LlmServer() as server:
        server.queue("429", "well")                     # one behaviour per request, then "well" again
        LlmWriter("openai/test-model", api_base=server.base_url, api_key="k")
        server.requests[0].body["messages"]             # everything that arrived, in order

Behaviours: ``well``, ``slow`` (``delay`` seconds before the first token), ``drip`` (a byte at a time, never a
whole event), ``drip words`` (whole events, for ever), ``400``, ``401``, ``404``, ``429``, ``429 then 200``, ``500``,
``503``, ``html`` (a page with status 200), ``html 502``, ``garbage``, ``half json``, ``nothing`` (no body), ``blank``
(no text), ``{}``, ``hang`` (headers never come), ``drop`` (cut in the middle), ``drop early`` (cut before the
headers), ``2mb``, ``no usage``, ``echo key`` (an error that quotes the key it was sent), ``echo key page`` (a page
that does), ``no schema`` (400 where a reply by JSON schema is asked for), ``whole`` (stream=true is ignored: one
chat.completion), ``whole, no usage``, ``whole drip`` (it never ends).
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = str | Callable[[dict[str, Any]], str]


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float = field(default_factory=time.perf_counter)

    @property
    def text(self) -> str:
        """All messages, joined."""
        return "\n".join(message["content"] for message in self.body.get("messages", []))


def fitting_reply(body: dict[str, Any]) -> str:
    """Three texts as a JSON array where the prompt asks for one, else one text; both differ from prompt to prompt."""
    asked = " ".join(message["content"] for message in body.get("messages", []))
    if "JSON" in asked:
        return json.dumps([f"first text {len(asked)}", f"second text {len(asked)}", f"third text {len(asked)}"])
    return f"one text {len(asked)}"


class LlmServer:
    """Binds 127.0.0.1 and a free port. ``reply`` is what it says: a text, or a function of the request's body."""

    def __init__(self, reply: Reply = fitting_reply, *, delay: float = 0.3) -> None:
        self.reply = reply
        self.delay = delay
        self.retry_after: str | None = "0"
        self.requests: list[Received] = []
        self.most_at_once = 0
        self.released = threading.Event()
        self._at_once = 0
        self._behaviours: deque[str] = deque()
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True, name="llm-server").start()

    def __enter__(self) -> LlmServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def queue(self, *behaviours: str) -> None:
        """One behaviour for each of the next requests; "a then b" is two."""
        with self._lock:
            for item in behaviours:
                self._behaviours.extend({"200": "well"}.get(part, part) for part in item.split(" then "))

    def reset(self) -> None:
        """As new: nothing queued, nothing remembered."""
        with self._lock:
            self._behaviours.clear()
            self.requests.clear()
            self.most_at_once = self._at_once = 0
            self.reply, self.delay, self.retry_after = fitting_reply, 0.3, "0"

    def close(self) -> None:
        self.released.set()
        self._http.shutdown()
        self._http.server_close()

    def _arrived(self, received: Received) -> str:
        with self._lock:
            self.requests.append(received)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            return self._behaviours.popleft() if self._behaviours else "well"

    def _left(self) -> None:
        with self._lock:
            self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: LlmServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what many of the tests are about: nothing to print."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "test-model", "object": "model", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        behaviour = owner._arrived(Received(self.path, dict(self.headers), body))
        self.close_connection = True
        try:
            self._answer(behaviour, body)
        finally:
            owner._left()

    def _answer(self, behaviour: str, body: dict[str, Any]) -> None:
        owner = self.server.owner
        said = owner.reply if isinstance(owner.reply, str) else owner.reply(body)
        stream, usage = bool(body.get("stream")), behaviour != "no usage"
        if behaviour == "slow":
            owner.released.wait(owner.delay)
        if behaviour == "no schema" and "response_format" in body:
            self._json({"error": {"message": "'response_format' of type json_schema is not supported"}}, 400)
        elif behaviour in {"whole", "whole, no usage"}:
            self._chat(said, stream=False, usage=behaviour == "whole")
        elif behaviour == "whole drip":
            self._head("application/json")
            self._forever(b'{"choices": [{"message": {"content": "', b"word ")
        elif behaviour in {"well", "slow", "no usage", "no schema"}:
            self._chat(said, stream=stream, usage=usage)
        elif behaviour in {"blank", "{}"}:
            self._chat("" if behaviour == "blank" else "{}", stream=stream)
        elif behaviour == "2mb":
            self._chat("word " * 420_000, stream=stream, pieces=200)
        elif behaviour == "drip":
            self._head("text/event-stream")
            self._forever(b'data: {"id": "', b"x")
        elif behaviour == "drip words":
            self._head("text/event-stream")
            self._forever(b"", _event({"delta": {"content": "word "}, "index": 0}))
        elif behaviour == "echo key page":
            key = self.headers.get("Authorization", "")
            self._whole(f"<html>\x00\x1b you\r\nsent {key} {key}</html>".encode(), "text/html")
        elif behaviour in {"400", "429", "500", "503", "401", "404", "echo key"}:
            key = self.headers.get("Authorization", "")
            words = f"Incorrect key provided: {key}" if behaviour == "echo key" else f"the server says {behaviour}"
            status = 400 if behaviour == "echo key" else int(behaviour)
            self._json({"error": {"message": words, "type": "test", "code": None}}, status)
        elif behaviour in {"html", "html 502"}:
            page = b"<!DOCTYPE html><html><body><h1>Sign in to the gateway</h1></body></html>"
            self._whole(page, "text/html; charset=utf-8", 502 if behaviour == "html 502" else 200)
        elif behaviour == "garbage":
            self._whole(bytes(range(256)) * 8, "text/event-stream" if stream else "application/json")
        elif behaviour == "half json":
            cut = _event({"delta": {"content": said}, "index": 0})
            self._whole(cut[: len(cut) // 2], "text/event-stream" if stream else "application/json")
        elif behaviour == "nothing":
            self._whole(b"", "text/event-stream" if stream else "application/json")
        elif behaviour == "hang":
            owner.released.wait(60)
        elif behaviour == "drop":
            self._head("text/event-stream")
            self._send(_event({"delta": {"content": "half a "}, "index": 0}))
            self._reset()
        elif behaviour == "drop early":
            self._reset()
        else:
            raise ValueError(f"there is no behaviour {behaviour!r}")

    def _chat(self, said: str, *, stream: bool, usage: bool = True, pieces: int = 4) -> None:
        counted = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        if not stream:
            message = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
            whole = {**_ENVELOPE, "object": "chat.completion", "choices": [message]}
            self._json({**whole, "usage": counted} if usage else whole)
            return
        self._head("text/event-stream")
        size = max(1, -(-len(said) // pieces))
        for start in range(0, len(said), size):
            self._send(_event({"delta": {"content": said[start : start + size]}, "index": 0}))
        self._send(_event({"delta": {}, "index": 0, "finish_reason": "stop"}))
        if usage:
            self._send(b"data: " + json.dumps({**_ENVELOPE, "choices": [], "usage": counted}).encode() + b"\n\n")
        self._send(b"data: [DONE]\n\n")

    def _head(self, kind: str, status: int = 200, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", str(length))
        if status in {429, 503} and self.server.owner.retry_after is not None:
            self.send_header("Retry-After", self.server.owner.retry_after)
        self.end_headers()

    def _whole(self, data: bytes, kind: str, status: int = 200) -> None:
        self._head(kind, status, len(data))
        self._send(data)

    def _json(self, payload: dict[str, Any], status: int = 200) -> None:
        self._whole(json.dumps(payload).encode(), "application/json", status)

    def _send(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()

    def _forever(self, first: bytes, then: bytes) -> None:
        self._send(first)
        while not self.server.owner.released.wait(0.05):
            self._send(then)

    def _reset(self) -> None:
        """Closes with a TCP reset, as a process that dies does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


_ENVELOPE = {"id": "chatcmpl-test", "object": "chat.completion.chunk", "created": 1, "model": "test-model"}


def _event(choice: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps({**_ENVELOPE, "choices": [{"finish_reason": None, **choice}]}).encode() + b"\n\n"
