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
    skipped is not in its run.

    :param found: by mode.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        names = {row.query_id: None for one in found.values() for column in one.columns for row in column.rows}
        _add(archive, "qrels.txt", "".join(qrels_lines(name, qrels.get(name, {})) for name in names))
        for mode, one in found.items():
            for place, column in enumerate(one.columns, start=1):
                tag = re.sub(r"\W+", "-", column.transform)
                lines = (run_lines(row.query_id, row.retrieved, tag) for row in column.rows if not row.skip_reason)
                _add(archive, f"runs/{mode}/{place}-{tag}.run", "".join(lines))
    return out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, text: str) -> None:
    archive.writestr(zipfile.ZipInfo(name, MOMENT), text.encode("utf-8"), zipfile.ZIP_DEFLATED)
