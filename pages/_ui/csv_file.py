"""A table as a file for spreadsheets."""

from __future__ import annotations

from ir_core.export.csv_table import csv_file as csv_file
