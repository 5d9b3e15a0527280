"""A measure's figures as people read them: a judge's from 0 to 100, all others from 0 to 1."""

from __future__ import annotations

from ir_core.evaluation.measures import JUDGED, parse

UNKNOWN = "unknown"
NOT_MEASURED = "not measured"


def shown(measure: str, value: float | None) -> str:
    """ "0.833", or "83.3" of a judge's score; "not measured" where only a model could have measured it."""
    one = parse(measure)
    if value is None:
        return NOT_MEASURED if one.family in JUDGED else UNKNOWN
    return f"{value:.3f}" if one.times == 1 else f"{one.times * value:.1f}"


def shown_difference(measure: str, value: float | None) -> str:
    """ "+0.120", or "+12.0" of a judge's score."""
    if value is None:
        return UNKNOWN
    times = parse(measure).times
    return f"{value:+.3f}" if times == 1 else f"{times * value:+.1f}"
