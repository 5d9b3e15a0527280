"""Controls beside the transforms: the original with one leg's list doubled, and nothing written.

A transform that only shifts the balance of the legs would look like them; what beats the original by no more than a
control has shown nothing of its texts. They stand in hybrid retrieval, where there is a balance to shift, and count
among the comparisons that are corrected for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ir_core.errors import UnknownName
from ir_core.evaluation.searching import search_batch
from ir_core.library import JudgedQuery
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import ORIGINAL, Formulation, Leg, Mode, Query, SearchResult

CONTROLS: Mapping[Leg, str] = {
    "dense": "Control: dense list doubled",
    "lexical": "Control: lexical list doubled",
}
"""By the leg that counts twice; the label of its column."""
NAME = "identity"
"""The transform whose column it is: nothing is rewritten."""


def checked(names: Sequence[str]) -> tuple[Leg, ...]:
    """In a fixed order, each once.

    :raises UnknownName: for a leg there is not.
    """
    for name in names:
        if name not in CONTROLS:
            raise UnknownName("control", name, CONTROLS)
    return tuple(leg for leg in CONTROLS if leg in names)


def in_mode(controls: Sequence[Leg], mode: Mode) -> tuple[Leg, ...]:
    """Those that stand in a mode."""
    return tuple(controls) if mode == "hybrid" else ()


def changed(leg: Leg, settings: SearchSettings) -> dict[str, float]:
    """What differs from the original's search."""
    name = f"{leg}_weight"
    return {name: 2 * float(getattr(settings, name))}


def search_control(
    engine: Engine, queries: Sequence[JudgedQuery], leg: Leg, settings: SearchSettings
) -> list[SearchResult | str]:
    """The originals, the weight of ``leg`` doubled: the same as if its list stood twice among those joined."""
    made = [
        Formulation(NAME, CONTROLS[leg], Query(ORIGINAL, query.text), (Query(ORIGINAL, query.text),))
        for query in queries
    ]
    return search_batch(engine, made, replace(settings, **changed(leg, settings)))  # type: ignore[arg-type]
