"""Many traces of one look as one: a browser draws ten traces of a thousand points at once, a thousand traces not."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

PER_POINT = ("x", "y", "text", "customdata")


def merged(traces: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Traces that differ only in their points and names become one, in the order in which each look first came.

    Lists in ``marker`` have a value per point too. Names are dropped, so points must say in ``customdata`` whose they
    are, and lines must end in a gap.
    """
    looks: dict[str, dict[str, Any]] = {}
    for trace in traces:
        marker = trace.get("marker", {})
        points = {name: list(trace[name]) for name in PER_POINT if name in trace}
        of_marker = {name: list(value) for name, value in marker.items() if isinstance(value, list)}
        look = {name: value for name, value in trace.items() if name not in (*PER_POINT, "name", "marker")}
        shared = {name: value for name, value in marker.items() if name not in of_marker}
        key = json.dumps([look, shared, sorted(points), sorted(of_marker)], sort_keys=True)
        if key not in looks:
            looks[key] = {**look, **points, **({"marker": {**shared, **of_marker}} if marker else {})}
            continue
        for name, values in points.items():
            looks[key][name].extend(values)
        for name, values in of_marker.items():
            looks[key]["marker"][name].extend(values)
    return list(looks.values())
