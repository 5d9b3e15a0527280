"""All jobs there are: a bounded number of folders. What is running is never dropped."""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ir_core import config, visits
from ir_core.errors import BadInput
from ir_core.jobs.folder import Job, now, replace_file, say_once
from ir_core.jobs.owner import owned
from ir_core.jobs.state import ENDED, JobState

MAX_JOBS = 50
MAX_BYTES = 200 * 1000**2
_ID = re.compile(r"[0-9a-z-]{8,40}")


class JobStore:
    """:param folder: None is ``jobs`` in the folder all state lives in."""

    def __init__(self, folder: Path | None = None, *, max_jobs: int = MAX_JOBS, max_bytes: int = MAX_BYTES) -> None:
        self.folder = folder or visits.own_home() / "jobs"
        self._given = folder is not None
        self.max_jobs, self.max_bytes = max_jobs, max_bytes

    def create(
        self,
        kind: str,
        spec: Mapping[str, Any],
        *,
        title: str,
        needs_key: bool = False,
        files: Mapping[str, Any] | None = None,
    ) -> Job:
        """A queued job that nobody runs yet; older ones that ended are dropped to make room.

        :param files: larger parts of the spec, by file name, written as JSON.
        :raises DiskRefuses: when the disk does.
        """
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        job = Job(self.folder / f"{stamp}-{uuid.uuid4().hex[:16]}", kind, title, now(), needs_key, spec)
        with config.keeping("The run"):
            job.folder.mkdir(parents=True)
            for name, value in (files or {}).items():
                replace_file(job.folder / name, value)
            job.write_state(JobState())
            job.write()  # last: a folder without it is none
        self.trim(keep=job.id)
        return job

    def get(self, name: str) -> Job:
        """:raises BadInput: for one there is not (any more)."""
        if not _ID.fullmatch(name):
            raise BadInput(f"{name[:40]!r} names no job. Choose one of the list.")
        linked = None if self._given else visits.find(f"jobs/{name}")
        return Job.read(linked or self.folder / name)

    def jobs(self, kind: str | None = None) -> list[Job]:
        """The newest first; damaged ones are left out."""
        found = []
        for folder in self.folder.glob("[!.]*"):
            try:
                found.append(Job.read(folder))
            except BadInput as error:
                say_once(str(error))
                continue
        found = [job for job in found if kind in (None, job.kind)]
        return sorted(found, key=lambda job: (job.created, job.id), reverse=True)

    def only_own(self, job: Job) -> None:
        """:raises BadInput: for a run that a link opened and another visit made."""
        if not self._given:
            visits.only_own(job.folder, "This run")

    def cancel(self, job: Job) -> None:
        """What runs is asked to end; what does not is over at once. Its results stay."""
        self.only_own(job)
        if job.state().is_active:
            job.request("cancel")
            return
        with owned(job.folder):
            job.write_state(replace(job.last_state(), status="cancelled", why=None, seconds_left=None))

    def delete(self, job: Job) -> None:
        """:raises BadInput: while it is under way."""
        self.only_own(job)
        with owned(job.folder, 0.2):
            shutil.rmtree(job.folder, ignore_errors=True)
            job.folder.with_name(f".{job.id}.lock").unlink(missing_ok=True)

    def trim(self, keep: str = "") -> list[str]:
        """Drops the oldest that ended, then the oldest that are paused, until the bounds hold; gives their ids."""
        jobs = self.jobs()
        states = {job.id: job.state() for job in jobs}
        sizes = {job.id: size_of(job.folder) for job in jobs}
        order = sorted(jobs, key=lambda job: (states[job.id].status not in ENDED, job.created, job.id))
        gone: list[str] = []
        for job in order:
            if len(sizes) <= self.max_jobs and sum(sizes.values()) <= self.max_bytes:
                break
            if job.id == keep or states[job.id].is_active:
                continue
            try:
                self.delete(job)
            except BadInput:  # somebody has just begun it
                continue
            gone.append(job.id)
            del sizes[job.id]
        return gone


def size_of(folder: Path) -> int:
    """Bytes of its files."""
    return sum(path.stat().st_size for path in folder.glob("*") if path.is_file())
