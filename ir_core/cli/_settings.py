"""Options as values: what of the index, of the search and of the transforms was asked for, checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ir_core import config
from ir_core.cli._options import names, read_filter, read_pairs
from ir_core.errors import BadSetting, BadSource, NeedsColumn, UnknownName

if TYPE_CHECKING:
    from ir_core.compare import Choice
    from ir_core.protocols import Transform
    from ir_core.retrieval import SearchSettings
    from ir_core.session import Prepared

INDEX = "index"
"""What stands before the dot in a ``--set`` of ``IndexSettings``."""
T = TypeVar("T")


def taken(kind: type[T], options: Mapping[str, Any]) -> T:
    """The options whose names are the fields of ``kind``."""
    return kind(**{item.name: options[item.name] for item in fields(kind)})  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class IndexOptions:
    corpus: str
    strategy: str | None
    pairs: tuple[str, ...]
    embedder: str | None
    k1: float | None
    b: float | None
    text_column: str | None

    def prepare(self) -> Prepared:
        """Reads the corpus; ``--set`` keys with the strategy's name before the dot are the strategy's, too, and
        those with ``index.`` the index's."""
        from ir_core.session import prepare
        from ir_core.strategies import STRATEGIES

        plain, owned = read_pairs(self.pairs)
        for owner in [name for name in owned if name in STRATEGIES]:
            named = self.strategy and STRATEGIES.get(self.strategy) is STRATEGIES.get(owner)
            if not named:
                raise BadSetting(f"--set {owner}.… is for a strategy that is not chosen; add --strategy {owner}.")
            plain.update(owned[owner])
        given: dict[str, Any] = {name: value for name, value in (("k1", self.k1), ("b", self.b)) if value is not None}
        given.update(owned.get(INDEX, {}))
        try:
            return prepare(
                self.corpus,
                strategy={"name": self.strategy} if self.strategy else None,
                params=plain,
                embedder=self.embedder,
                settings=given,
                text_column=self.text_column,
            )
        except NeedsColumn as error:
            raise BadSource(f"{error} Name it: --text-column NAME.") from None


@dataclass(frozen=True, slots=True)
class SearchOptions:
    mode: str | None
    k: int
    depth: int | None
    filter_text: str | None
    surfaces: str | None
    dense_weight: float
    lexical_weight: float

    def settings(self, mode: str = config.DEFAULT_MODE) -> SearchSettings:
        """:raises BadSetting, UnknownName, BadFilter: for a value that cannot be searched with."""
        from ir_core.retrieval import SearchSettings

        return SearchSettings(
            mode=self.mode or mode,  # type: ignore[arg-type]  # checked by the class
            k=self.k,
            depth=self.depth,
            filter=read_filter(self.filter_text),
            surfaces=tuple(names("--surfaces", self.surfaces)) or None,
            dense_weight=self.dense_weight,
            lexical_weight=self.lexical_weight,
        )


def refuse_transforms(pairs: Sequence[str]) -> None:
    """For a command that runs none.

    :raises BadSetting, UnknownName: for a setting of a transform, or of nothing that is known.
    """
    for owner in _owners(pairs):
        raise BadSetting(f"--set {owner}.… is for a transform, and an index has none. Set it where it runs: compare.")


def _owners(pairs: Sequence[str]) -> dict[str, dict[str, str]]:
    """The settings of transforms, by what stands before the dot.

    :raises UnknownName: for an owner that is no transform, no strategy and not the index.
    """
    from ir_core.strategies import STRATEGIES
    from ir_core.transforms import TRANSFORMS

    owned = read_pairs(pairs)[1]
    found = {owner: values for owner, values in owned.items() if owner != INDEX and owner not in STRATEGIES}
    for owner in found:
        if owner not in TRANSFORMS:
            raise UnknownName("transform or strategy", owner, (*TRANSFORMS.names(), *STRATEGIES.names(), INDEX))
    return found


def choices(pairs: Sequence[str], transforms: str | None, only: str | None = None) -> list[Choice]:
    """The transforms to run, with their settings from ``--set``. One that is named again is said to be one column, on
    standard error.

    :param only: the one that runs, whatever was asked for; nothing of it can be set.
    :raises UnknownName: for a transform or setting there is not.
    :raises BadSetting: for a setting of a transform that is not among them.
    """
    from ir_core.compare import DEFAULT_TRANSFORMS, chosen
    from ir_core.transforms import TRANSFORMS

    listed = [only] if only else names("--transforms", transforms) or DEFAULT_TRANSFORMS
    wanted = [TRANSFORMS.get(name).name for name in listed]
    for name, count in Counter(wanted).items():
        if count > 1:
            click.echo(f"{name} is named {count} times; with the same settings it is one column.", err=True)
    settings: dict[str, dict[str, str]] = {name: {} for name in wanted}
    for owner, values in _owners(pairs).items():
        name = TRANSFORMS.get(owner).name
        if only:
            raise BadSetting(
                f"--set {owner}.… is for a transform; this command searches the query as typed. Use compare."
            )
        if name not in settings:
            raise BadSetting(f"--set {owner}.… is for a transform that does not run here; add it to --transforms.")
        settings[name].update(values)
    made: Sequence[Transform] = chosen(list(settings.items()))  # says what is wrong before anything is built
    assert made
    return list(settings.items())
