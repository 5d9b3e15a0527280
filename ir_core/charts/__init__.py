"""Plotly figures from data, and nothing else: no page, no theme, no file.

Every function takes values of ``ir_core.schema`` and a ``Palette`` and gives a ``plotly.graph_objects.Figure``. What
a figure shows also exists as a table (``latency_rows``, ``rank_lines``), because a chart cannot be read aloud.
"""

from ir_core.charts.cost import cost_figure
from ir_core.charts.latency import latency_figure
from ir_core.charts.latency import rows as latency_rows
from ir_core.charts.palette import Palette
from ir_core.charts.rank_flow import rank_flow_figure, rank_lines

__all__ = ["Palette", "cost_figure", "latency_figure", "latency_rows", "rank_flow_figure", "rank_lines"]
