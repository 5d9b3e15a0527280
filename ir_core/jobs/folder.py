"""One job on disk: what is to be done, how far it is, what a person asked of it."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from ir_core.errors import BadInput
from ir_core.jobs.lines import Lines
from ir_core.jobs.owner import has_owner
from ir_core.jobs.state import JobState

JOB, STATE, REQUEST = "job.json", "state.json", "request"
Request = Literal["pause", "cancel"]
DAMAGED = "Its state was damaged: go on, and what it has already is not done again."
_log = logging.getLogger(__name__)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


@dataclass(frozen=True, slots=True)
class Job:
    """``spec`` is plain values and holds no key. ``created`` is ISO 8601, in UTC."""

    folder: Path
    kind: str
    title: str
    created: str
    needs_key: bool
    spec: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.folder.name

    @classmethod
    def read(cls, folder: Path) -> Job:
        """:raises BadInput: when there is no such job, or its file is damaged."""
        try:
            data = json.loads((folder / JOB).read_bytes())
            return cls(folder, data["kind"], data["title"], data["created"], bool(data["needs_key"]), data["spec"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            what = "is gone" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
            raise BadInput(f"The job {folder.name!r} {what}. Choose another, or start it anew.") from None

    def write(self) -> None:
        own = {name: getattr(self, name) for name in ("kind", "title", "created", "needs_key", "spec")}
        replace_file(self.folder / JOB, own)

    def state(self) -> JobState:
        """As it is: what a process was doing that is gone is paused, and waits for a key where it had one."""
        found = self.last_state()
        if found.is_active and not has_owner(self.folder):
            found = self.last_state()  # it may have ended in between
            if found.is_active:
                why: Literal["key", "stopped"] = "key" if self.needs_key else "stopped"
                return replace(found, status="paused", why=why, seconds_left=None)
        return found

    def last_state(self) -> JobState:
        """As it was written, whoever wrote it."""
        try:
            return JobState.from_json(json.loads((self.folder / STATE).read_bytes()))
        except FileNotFoundError:
            return JobState(changed=self.created)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            say_once(f"{STATE} of the job {self.id} cannot be read ({error}); it can be gone on with")
            return JobState(changed=self.created, sentence=DAMAGED)

    def write_state(self, state: JobState) -> None:
        replace_file(self.folder / STATE, replace(state, changed=now()).to_json())

    def request(self, what: Request | None) -> None:
        """Ask whoever runs it, in this process or another, to stop; None takes it back."""
        file = self.folder / REQUEST
        if what is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(what, "ascii")

    def requested(self) -> Request | None:
        try:
            return "cancel" if (self.folder / REQUEST).read_text("ascii") == "cancel" else "pause"
        except FileNotFoundError:
            return None

    def lines(self, name: str) -> Lines:
        return Lines(self.folder / name)


@lru_cache(maxsize=64)
def say_once(what: str) -> None:
    """In the log; pages read the same files some times a second."""
    _log.warning(what)


def replace_file(path: Path, value: Any) -> None:
    """JSON, whole or not at all: one rename puts it in place of what was there."""
    place = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    with place.open("w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(value, file, ensure_ascii=True, allow_nan=False, indent=1)
    place.replace(path)
