"""The files of an evaluation's job, by name, and what was asked when it was made.

``queries.json`` holds the queries and judgements of then; ``texts.jsonl`` what was written, by query and column;
``asked.jsonl`` every request to a model as it left, and its reply; ``results.jsonl`` what was found, by query, column
and mode; ``seconds.jsonl`` the latency, measured after that and alone; ``judged.jsonl`` what a judge replied, last of
all, and ``judge.asked.jsonl`` the requests to it.
Where a run has several parts, those of its first have these names; the others' begin with the part's number
(``p1.texts.jsonl``).
"""

from __future__ import annotations

import json
from typing import Any

from ir_core.errors import BadInput
from ir_core.jobs import Job, Lines
from ir_core.library import JudgedQuery

QUERIES, TEXTS, RESULTS, SECONDS = "queries.json", "texts.jsonl", "results.jsonl", "seconds.jsonl"
ASKED, JUDGED, JUDGE_ASKED = "asked.jsonl", "judged.jsonl", "judge.asked.jsonl"


def of_part(job: Job, name: str, part: int = 0) -> Lines:
    """The lines of that name of one part, which it shares with no other."""
    return job.lines(f"p{part}.{name}" if part else name)


def queries_of(job: Job) -> list[JudgedQuery]:
    """Those it measures, in the corpus' order."""
    return [
        JudgedQuery(**{**one, "history": tuple(one["history"]), "answers": tuple(one["answers"])})
        for one in asked_of(job)["queries"]
    ]


def asked_of(job: Job, part: int = 0) -> dict[str, Any]:
    """Queries, judgements, what was left out, and what the part's index lacks, as they were.

    :raises BadInput: when they cannot be read.
    """
    try:
        found: dict[str, Any] = json.loads((job.folder / QUERIES).read_bytes())
    except (OSError, ValueError) as error:
        raise BadInput(f"The queries of the run {job.id} cannot be read ({error}). Start a new one.") from None
    if lacking := found.get("missing_gold_by_part"):
        found["missing_gold"] = lacking[part]
    return found
