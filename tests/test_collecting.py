"""Full collections of a long-lived server: quick, and yet nothing stays for ever."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from pages._ui import collecting


class Node:
    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def hooked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(collecting, "SLOW_S", -1.0)  # every collection counts as slow
    before = list(gc.callbacks)
    gc.callbacks.clear()
    collecting.begin()
    collecting.begin()
    assert len(gc.callbacks) == 1
    yield
    gc.callbacks[:] = before
    gc.unfreeze()


@pytest.mark.usefixtures("hooked")
def test_what_was_looked_through_is_set_aside_and_new_garbage_still_goes() -> None:
    gc.collect()
    assert gc.get_freeze_count() > 1_000
    new = weakref.ref(Node())
    assert new() is not None
    gc.collect()
    assert new() is None


@pytest.mark.usefixtures("hooked")
def test_what_was_set_aside_is_looked_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    node = Node()
    gc.collect()
    gone = weakref.ref(node)
    del node
    gc.collect()
    assert gone() is not None
    monkeypatch.setattr(collecting, "THOROUGH_S", -1.0)
    gc.collect()
    gc.collect()
    assert gone() is None


@pytest.mark.usefixtures("hooked")
def test_when_a_key_is_forgotten_everything_is_looked_at():
    node = Node()
    gc.collect()
    gone = weakref.ref(node)
    del node
    collecting.everything()
    assert gone() is None
