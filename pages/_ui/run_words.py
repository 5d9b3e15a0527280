"""The state of a run of judged queries in words."""

from __future__ import annotations

from ir_core.jobs import JobState
from pages._ui import numbers

PAUSED = {
    "person": "Paused",
    "cap": "Paused: the cap is reached",
    "key": "Paused: needs key",
    "stopped": "Paused: the server stopped",
    "writer": "Paused: the writer fails",
}
STATES = {
    "queued": "Queued",
    "running": "Running",
    "cancelled": "Cancelled",
    "failed": "Failed",
    "finished": "Finished",
}


def status(state: JobState) -> str:
    lists_left = state.details.get("lists", 0) - state.details.get("judged", 0)
    if state.why == "writer" and lists_left:  # it is judged once all is written
        return "Paused: the judge fails"
    return PAUSED.get(state.why or "", "Paused") if state.status == "paused" else STATES[state.status]


def progress(state: JobState, *, stopping: bool = False) -> str:
    """One line: how far, how long still, what it cost."""
    parts = ["Stopping after the requests under way" if stopping else status(state)]
    done, total = queries(state)
    if total:
        several = len(state.details.get("parts", ()))
        where = f" in {several} parts" if several else ""
        parts.append(f"{done:,} of {numbers.count(total, 'query', 'queries')}{where}")
    lists = state.details.get("lists", 0)
    if lists and state.status != "finished":
        parts.append(f"{state.details['judged']:,} of {numbers.count(lists, 'list')} judged")
    if state.status == "running" and not stopping:
        timing = total and done == total and not lists
        parts.append("measuring seconds" if timing else numbers.left(state.seconds_left))
    if state.seconds >= 1 and not state.is_active:
        parts.append(numbers.seconds(state.seconds))
    parts.append(money(state))
    return " · ".join(part for part in parts if part)


def queries(state: JobState) -> tuple[int, int]:
    """Done and in all; judging, which is the second half of a run that has a judge, is told apart."""
    total = state.details.get("queries", state.total)
    return min(state.done, total), total


def money(state: JobState) -> str:
    """What the calls of this run took; nothing is said before it began."""
    spent = state.details.get("spent")
    if not spent:
        return ""
    if not spent["calls"]:
        return "no model asked · $0"
    cost = numbers.dollars(spent["cost_usd"]) if spent["cost_usd"] or not spent["unpriced"] else ""
    unknown = f"the cost of {numbers.count(spent['unpriced'], 'call')} unknown" if spent["unpriced"] else ""
    return " · ".join(part for part in (numbers.count(spent["calls"], "call"), cost, unknown) if part)


def when(moment: str) -> str:
    """An ISO moment in UTC, to the minute."""
    return f"{moment[:10]} {moment[11:16]} UTC"
