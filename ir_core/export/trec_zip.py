"""A whole evaluation for other tools: a TREC run per transform and mode, and the judgements, in one zip."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping

from ir_core.evaluation import Evaluation
from ir_core.evaluation.measures import Qrels
from ir_core.export.trec import qrels_lines, run_lines

MOMENT = (1980, 1, 1, 0, 0, 0)
"""Of every file inside, so that the same evaluation gives the same bytes."""


def to_trec_zip(found: Mapping[str, Evaluation], qrels: Qrels) -> bytes:
    """``qrels.txt`` for the measured queries, and ``runs/<mode>/<place>-<transform>.run``. A query that a transform
    skipped is not in its run. Where several texts of a query were drawn, each sample is a run
    (``<place>-<transform>.s1.run``), and a query's figures are the means over them.

    :param found: by mode.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        names = {row.query_id: None for one in found.values() for column in one.columns for row in column.rows}
        _add(archive, "qrels.txt", "".join(qrels_lines(name, qrels.get(name, {})) for name in names))
        for mode, one in found.items():
            for place, column in enumerate(one.columns, start=1):
                tag = re.sub(r"\W+", "-", column.transform)
                most = max((row.n_samples for row in column.rows), default=1)
                for number in range(most):
                    rows = [row.samples[number : number + 1] or (() if number else (row,)) for row in column.rows]
                    lines = (
                        run_lines(r.query_id, r.retrieved, tag) for (r,) in filter(None, rows) if not r.skip_reason
                    )
                    sample = f".s{number + 1}" if most > 1 else ""
                    _add(archive, f"runs/{mode}/{place}-{tag}{sample}.run", "".join(lines))
    return out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, text: str) -> None:
    archive.writestr(zipfile.ZipInfo(name, MOMENT), text.encode("utf-8"), zipfile.ZIP_DEFLATED)
