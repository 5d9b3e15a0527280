"""The command line: ``query-prism``. One file per command; a new file is a new command.

Importing this, and ``--help``, loads nothing heavy: commands import what they need when they run. Standard output
holds the answer and nothing else; progress, notes and errors go to standard error.
"""

from __future__ import annotations

from ir_core.cli._main import main

__all__ = ["main"]
