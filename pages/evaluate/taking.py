"""A run as files: a table of every query under every transform, all of it as JSON, TREC runs, and a report."""

from __future__ import annotations

from ir_core.evaluation import Plan
from ir_core.export.run_files import run_csv as to_csv
from ir_core.export.run_files import run_html
from ir_core.export.run_files import run_json as to_json
from ir_core.export.run_files import run_trec as to_trec
from ir_core.jobs import Job
from pages._ui import run_words
from pages.evaluate import words

__all__ = ["to_csv", "to_html", "to_json", "to_trec"]


def to_html(job: Job) -> bytes:
    """A page of its own: figures, evidence, categories and every query."""
    plan = Plan.from_json(job.spec)
    facts = [
        words.about(job, plan), f"corpus {plan.corpus}, index {', '.join({part.index: 0 for part in plan.parts()})}",
        f"run {job.id}", f"primary measure, named before the run: {plan.measures[0]}",
        run_words.progress(job.state()),
    ]  # fmt: skip
    return run_html(job, facts, words.MEANINGS)
