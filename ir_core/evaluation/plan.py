"""What a run is to measure, decided before it begins: plain values, without a key, from which it can go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ir_core import prompts
from ir_core.budget import Cap
from ir_core.compare import Choice, chosen
from ir_core.errors import BadInput
from ir_core.evaluation import controls
from ir_core.evaluation.measures import DEFAULT_MEASURES, Measure, parse
from ir_core.library import JudgedQuery
from ir_core.params import values_of
from ir_core.prompts import Prompt
from ir_core.retrieval import SearchSettings
from ir_core.schema import Leg, Mode
from ir_core.secrets import without_credentials
from ir_core.writers import FREE_WRITER

SPLITS = ("all", "tune", "test")
SEED = 0
TIMED_QUERIES = 20


@dataclass(frozen=True, slots=True)
class WriterPlan:
    """Who writes. ``name`` as ``open_writer`` has it; ``base_url`` without user, password and query;
    ``price`` in US dollars per million tokens, in and out; ``edited`` are prompts by id, their texts and temperature.
    ``opens_files`` is for a name that nobody typed into a page: a recording that is kept here.
    """

    name: str = FREE_WRITER
    label: str = ""
    base_url: str | None = None
    needs_key: bool = False
    opens_files: bool = False
    price: tuple[float, float] | None = None
    edited: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    query_language: str | None = None
    passage_language: str | None = None

    def prompts(self) -> dict[str, Prompt]:
        """The edited ones, as a writer takes them.

        :raises BadSetting: for a prompt that cannot be asked with any more.
        """
        bank = {prompt.id: prompt for prompt in prompts.every()}
        return {name: prompts.edit(bank[name], **texts) for name, texts in self.edited.items() if name in bank}


@dataclass(frozen=True, slots=True)
class Plan:
    """``measures[0]`` is the primary one. ``transforms`` as ``compare`` takes them, the original first; ``index`` is
    the fingerprint of the build that is searched. ``controls`` are legs whose list is doubled in a column of its own
    (``controls.CONTROLS``). The list is read to the largest cut-off of the measures.

    :raises UnknownName, BadSetting, BadInput: for what there is not, or no mode at all.
    """

    corpus: str
    index: str
    transforms: tuple[Choice, ...]
    modes: tuple[Mode, ...] = ("hybrid",)
    measures: tuple[str, ...] = DEFAULT_MEASURES
    split: str = "all"
    writer: WriterPlan = WriterPlan()
    max_calls: int | None = None
    max_usd: float | None = None
    dense_weight: float = 1.0
    lexical_weight: float = 1.0
    seed: int = SEED
    timed_queries: int = TIMED_QUERIES
    use_cache: bool = True
    controls: tuple[Leg, ...] = ()

    def __post_init__(self) -> None:
        made = tuple((one.name, values_of(one)) for one in chosen(self.transforms))
        object.__setattr__(self, "transforms", made)
        object.__setattr__(self, "measures", tuple(parse(name).name for name in dict.fromkeys(self.measures)))
        object.__setattr__(self, "modes", tuple(dict.fromkeys(self.modes)))
        object.__setattr__(self, "controls", controls.checked(self.controls))
        if not self.modes or not self.measures:
            raise BadInput("A run needs a retrieval mode and a measure at least. Choose one of each.")
        for mode in self.modes:
            self.settings(mode)

    @property
    def wanted(self) -> list[Measure]:
        return [parse(name) for name in self.measures]

    @property
    def cap(self) -> Cap:
        return Cap(self.max_calls, self.max_usd)

    def settings(self, mode: Mode) -> SearchSettings:
        """How every transform is searched in this mode."""
        k = max(measure.cutoff for measure in self.wanted)
        return SearchSettings(mode=mode, k=k, dense_weight=self.dense_weight, lexical_weight=self.lexical_weight)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """:raises BadInput: for what ``to_json`` has not made, or names something that no longer exists."""
        try:
            known = {name: _frozen(data[name]) for name in (item.name for item in fields(cls)) if name in data}
            writer = {name: _frozen(value) for name, value in data["writer"].items()}
            return cls(**{**known, "writer": WriterPlan(**writer)})
        except (TypeError, KeyError, AttributeError) as error:
            raise BadInput(f"The plan of this run cannot be read ({error}). Start a new one.") from None


def in_split(queries: Sequence[JudgedQuery], split: str) -> list[JudgedQuery]:
    """ "tune" has the queries on which settings are chosen, "test" those on which they are reported."""
    return [query for query in queries if split in ("all", query.split)]


def writer_address(base_url: str | None) -> tuple[str | None, bool]:
    """A base URL as it may be written down, and whether that took a secret out of it."""
    kept = without_credentials(base_url) if base_url else None
    return kept, kept != (base_url or None)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
