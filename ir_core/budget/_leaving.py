"""What a run over many queries sends, and to which host: one sentence for each host, whoever asks there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

NOTHING_LEAVES = "Nothing leaves this machine."
NO_PATHS = "no file path, no dependency and no filter field"


@dataclass(frozen=True, slots=True)
class Sent:
    """The queries go to ``host``, and what else is True: earlier ``turns`` of conversations, ``passages`` of the
    documents, ``answers`` that are known to be right."""

    host: str
    turns: bool = False
    passages: bool = False
    answers: bool = False

    @property
    def what(self) -> str:
        """As in "the queries and the passages found"."""
        others = {"their earlier turns": self.turns, "the known answers": self.answers,
                  "the passages found": self.passages}  # fmt: skip
        *first, last = ["the queries", *(name for name, goes in others.items() if goes)]
        return f"{', '.join(first)} and {last}" if first else last


def by_host(sent: Iterable[Sent | None]) -> list[Sent]:
    """All that goes to one host as one; None is nothing."""
    found: dict[str, Sent] = {}
    for one in sent:
        if one is not None:
            known = found.get(one.host, one)
            found[one.host] = Sent(
                one.host, known.turns or one.turns, known.passages or one.passages, known.answers or one.answers
            )
    return list(found.values())


def in_sentences(sent: Iterable[Sent | None]) -> tuple[str, ...]:
    """For each host what goes there, and what of the documents does not."""
    return tuple(
        f"{one.what.capitalize()} go to {named(one.host)}"
        + (f"; {NO_PATHS}." if one.passages else f", and nothing of the documents: no text, {NO_PATHS}.")
        for one in by_host(sent)
    ) or (NOTHING_LEAVES,)


def named(host: str) -> str:
    """The host, and whether it is this machine itself."""
    here = host.split(":")[0] in {"localhost", "127.0.0.1"} or host.startswith("::1")
    return f"{host}, a server on this machine" if here else host
