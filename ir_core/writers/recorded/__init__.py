"""The recorded writer: what a writer once wrote, replayed from a file with no key; and the wrapper that records."""

from __future__ import annotations

from ir_core.writers.recorded.entry import Asked, Entry
from ir_core.writers.recorded.reading import read_recording
from ir_core.writers.recorded.recording import RecordingWriter
from ir_core.writers.recorded.replay import RecordedWriter

__all__ = ["Asked", "Entry", "RecordedWriter", "RecordingWriter", "read_recording"]
