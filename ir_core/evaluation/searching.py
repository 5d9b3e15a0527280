"""Searching what was written, in batches: an error costs only the text it is about."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.errors import Cancelled
from ir_core.evaluation.writing import Samples, Written, sentence
from ir_core.retrieval import Engine, SearchSettings, search_many
from ir_core.schema import Formulation, SearchResult

BATCH = 8
"""Queries searched together: some hundred texts, enough to keep the encoder full and little to do again after a
kill."""
Found = SearchResult | str
"""What was found, or the sentence that says why nothing was."""


def search_rows(
    engine: Engine, rows: Sequence[Sequence[Samples]], settings: SearchSettings
) -> list[list[tuple[Found, ...]]]:
    """Of each query and column what each of its samples finds, all together: see ``search_batch``."""
    found = iter(search_batch(engine, [made for row in rows for samples in row for made in samples], settings))
    return [[tuple(next(found) for _ in samples) for samples in row] for row in rows]


def search_batch(engine: Engine, written: Sequence[Written], settings: SearchSettings) -> list[Found]:
    """One entry per formulation, together; when the batch fails each is tried alone, so one costs only itself."""
    formulations = [made for made in written if isinstance(made, Formulation)]
    try:
        found: list[Found] = [*search_many(engine, formulations, settings, fused_only=True)]
    except Cancelled:
        raise
    except Exception:
        found = [search_alone(engine, made, settings) for made in formulations]
    results = iter(found)
    return [next(results) if isinstance(made, Formulation) else made for made in written]


def search_alone(engine: Engine, made: Formulation, settings: SearchSettings, *, fused_only: bool = True) -> Found:
    """What one formulation finds, or the sentence."""
    try:
        return search_many(engine, [made], settings, fused_only=fused_only)[0]
    except Cancelled:
        raise
    except Exception as error:
        return sentence(error)
