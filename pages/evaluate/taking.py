"""A run as files: a table of every query under every transform, all of it as JSON, TREC runs, and a report."""

from __future__ import annotations

from ir_core.export.run_files import run_csv as to_csv
from ir_core.export.run_files import run_html as to_html
from ir_core.export.run_files import run_json as to_json
from ir_core.export.run_files import run_trec as to_trec

__all__ = ["to_csv", "to_html", "to_json", "to_trec"]
