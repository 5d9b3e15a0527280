"""What ``compare`` and ``find`` share: the options of one query through every transform, and running it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ir_core.cli._opening import Opened, open_all
from ir_core.cli._options import (
    CAP_OPTIONS,
    HISTORY_OPTION,
    INDEX_OPTIONS_WITH_TRANSFORMS,
    RECORD_OPTION,
    SEARCH_OPTIONS,
    TRANSFORMS_OPTION,
    WRITER_OPTIONS,
    read_history,
    with_options,
)

if TYPE_CHECKING:
    from ir_core.schema import SearchResult


@dataclass(frozen=True, slots=True)
class Compared:
    """``results`` in the order of the columns, the original's first; ``told`` is what both commands print of it."""

    opened: Opened
    results: Sequence[SearchResult]
    told: Mapping[str, Any]


def comparing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options; the command hands what they hold to :func:`compared`."""
    return with_options(
        *INDEX_OPTIONS_WITH_TRANSFORMS, TRANSFORMS_OPTION, *WRITER_OPTIONS, RECORD_OPTION, *CAP_OPTIONS,
        *SEARCH_OPTIONS, HISTORY_OPTION,
    )(command)  # fmt: skip


def compared(
    query: str,
    *,
    transforms: str | None,
    writer: str,
    base_url: str | None,
    price: str | None,
    no_cache: bool,
    record: str | None,
    history_file: str | None,
    **options: Any,
) -> Compared:
    """The query through the transforms; a follow-up's original stands twice where none are named."""
    from ir_core.compare import compare_all, with_joined_turns

    history = read_history(history_file)
    opened = open_all(
        options, query=query, transforms=transforms, writer=writer, base_url=base_url, price=price,
        no_cache=no_cache, record=record, authored=True, history=history,
    )  # fmt: skip
    if transforms is None:
        opened = replace(opened, choices=with_joined_turns(opened.choices, history))
    results = compare_all(
        opened.engine,
        query,
        transforms=opened.choices,
        writer=opened.writer,
        settings=opened.settings,
        history=history,
        use_cache=opened.use_cache,
    )
    told = {
        "query": results[0].formulation.original.text,
        "config": opened.config(history),
        "startup_s": opened.startup_s,
    }
    return Compared(opened, results, told)
