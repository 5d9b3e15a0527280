"""Typed keys: in the memory of this process, one per visit, for as long as the visit is in use.

A widget gives its text to this store and is emptied at once, so neither the session nor a link, a file or a job's
record ever holds a key. What is running has the key in its own thread; an evaluation that outlives a restart of the
server is "paused: needs key".
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from ir_core.secrets import Secret
from ir_core.writers.llm import forget_keys
from pages._ui import collecting, safe

IDLE_S = 30 * 60.0
MOST = 500
"""Visits whose keys are kept at a time; beyond it the one unused longest is forgotten."""
MAX_CHARS = 400
TYPED = "api_key"
"""The widget in the frame; a page that needs a key has one of its own."""


@dataclass
class _Kept:
    secret: Secret
    used: float


class Keys:
    """``dropped`` is called after a key was given up, without the store's lock; ``clock`` is in seconds."""

    def __init__(
        self, dropped: Callable[[], None], *, idle_s: float = IDLE_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._dropped = dropped
        self._idle_s = idle_s
        self._clock = clock
        self._timer: threading.Timer | None = None

    def keep(self, visit: str, text: str) -> None:
        with self._lock:
            self._kept[visit] = _Kept(Secret(text), self._clock())
            self._kept.move_to_end(visit)
            full = len(self._kept) > MOST
            if full:
                self._kept.popitem(last=False)
            self._wait()
        if full:
            self._dropped()

    def of(self, visit: str) -> Secret | None:
        """The visit's key. Looking is a use of it."""
        self.sweep()
        with self._lock:
            kept = self._kept.get(visit)
            if kept is None:
                return None
            kept.used = self._clock()
            self._kept.move_to_end(visit)
            return kept.secret

    def forget(self, visit: str) -> None:
        with self._lock:
            gone = self._kept.pop(visit, None)
        if gone:
            self._dropped()

    def sweep(self) -> None:
        """Gives up what was not used for ``idle_s`` seconds."""
        with self._lock:
            limit = self._clock() - self._idle_s
            idle = [visit for visit, kept in self._kept.items() if kept.used <= limit]
            for visit in idle:
                del self._kept[visit]
            if idle:
                self._wait()
        if idle:
            self._dropped()

    def hidden_in(self, text: str) -> str:
        """``text`` without any of the keys."""
        with self._lock:
            known = [kept.secret.reveal() for kept in self._kept.values() if len(kept.secret.reveal()) >= 8]
        for key in sorted(known, key=len, reverse=True):
            text = text.replace(key, "[hidden]")
        return text

    def _wait(self) -> None:
        """One timer, for the key that is due first: an abandoned visit's key goes although nobody looks."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._kept:
            due = next(iter(self._kept.values())).used + self._idle_s - self._clock()
            self._timer = threading.Timer(max(due, 1.0), self._tick)
            self._timer.daemon = True
            self._timer.start()

    def _tick(self) -> None:
        self.sweep()
        with self._lock:
            self._wait()


def _drop_clients() -> None:
    """In a thread: litellm may be in the middle of its import."""
    threading.Thread(target=_drop, name="forget-keys", daemon=True).start()


def _drop() -> None:
    forget_keys()
    collecting.everything()


KEPT = Keys(_drop_clients)


def current(place: str = "") -> Secret | None:
    """This visit's key; or its key for one place, where a run asks at several (``WriterPlan.key_place``)."""
    return KEPT.of(_name(place))


def box(widget: str = TYPED, place: str = "") -> None:
    """The control: a box to type into, or that a key is kept and a button that forgets it.

    :param place: "" is the visit's one key; else the place that this one is for.
    """
    if current(place):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            kept = f"A key for {safe.text(place)} is kept." if place else "A key is kept for this visit."
            safe.draw(f'<p class="qp-facts">{kept}</p>', width="content")
            name = f"forget_key.{place}" if place else "forget_key"
            st.button("Forget", key=name, on_click=forget, args=(place,), help="It also goes after 30 idle minutes.")
        return
    st.text_input(
        f"Key for {safe.label(place, 60)}" if place else "Key for this visit",
        key=widget,
        type="password",
        max_chars=MAX_CHARS,
        autocomplete="off",
        placeholder="type or paste, then press Enter",
        on_change=take,
        args=(widget, place),
        help="In this server's memory only, until you forget it or 30 idle minutes pass. "
        "Leave it empty to use the key in the server's environment.",
    )


def take(widget: str = TYPED, place: str = "") -> None:
    """What was typed goes into the store, and the widget is emptied."""
    typed = str(st.session_state[widget]).strip()[:MAX_CHARS]
    st.session_state[widget] = ""
    if typed:
        KEPT.keep(_name(place), typed)


def forget(place: str = "") -> None:
    KEPT.forget(_name(place))


def _name(place: str) -> str:
    return f"{_visit()} {place}" if place else _visit()


def _visit() -> str:
    """A name of this visit that means nothing outside this process."""
    name: str = st.session_state.setdefault("visit", secrets.token_hex(8))
    return name
