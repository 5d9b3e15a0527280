"""What a run is to measure, decided before it begins: plain values, without a key, from which it can go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ir_core import prompts
from ir_core.budget import Cap
from ir_core.compare import Choice, chosen
from ir_core.errors import BadInput, BadSetting
from ir_core.evaluation import controls
from ir_core.evaluation.judge_plan import JudgePlan, with_judge
from ir_core.evaluation.measures import DEFAULT_MEASURES, JUDGED, Measure, parse
from ir_core.evaluation.sampling import SAMPLES
from ir_core.library import JudgedQuery
from ir_core.params import values_of
from ir_core.prompts import Prompt
from ir_core.retrieval import SearchSettings
from ir_core.schema import Leg, Mode
from ir_core.secrets import host_of, without_credentials
from ir_core.writers import FREE_WRITER

SPLITS = ("all", "tune", "test")
SEED = 0
TIMED_QUERIES = 20


@dataclass(frozen=True, slots=True)
class WriterPlan:
    """Who writes. ``name`` as ``open_writer`` has it; ``base_url`` without user, password and query;
    ``price`` in US dollars per million tokens, in and out; ``edited`` are prompts by id, their texts and temperature.
    ``opens_files`` is for a name that nobody typed into a page: a recording that is kept here. ``deadline_s`` is of
    one reply, in seconds; None is the writer's own.
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
    deadline_s: float | None = None

    @property
    def key_place(self) -> str:
        """Where its key is for: the host it is asked at, else its provider. No key goes to another place."""
        return host_of(self.base_url) or self.name.partition("/")[0]

    def prompts(self) -> dict[str, Prompt]:
        """The edited ones, as a writer takes them.

        :raises BadSetting: for a prompt that cannot be asked with any more.
        """
        bank = {prompt.id: prompt for prompt in prompts.every()}
        return {name: prompts.edit(bank[name], **texts) for name, texts in self.edited.items() if name in bank}


@dataclass(frozen=True, slots=True)
class Part:
    """One more index, writer, or both that the same queries, transforms and modes are measured with. ``index`` is a
    build's fingerprint, ``strategy`` what it is called: how the corpus was indexed."""

    index: str
    strategy: str = ""
    writer: WriterPlan = WriterPlan()


@dataclass(frozen=True, slots=True)
class Plan:
    """``measures[0]`` is the primary one. ``transforms`` as ``compare`` takes them, the original first; ``index`` is
    the fingerprint of the build that is searched. ``controls`` are legs whose list is doubled in a column of its own
    (``controls.CONTROLS``). The list is read to the largest cut-off of the measures. ``judge`` reads what was found,
    and its measures join the others. ``query_set`` is one that was added to the corpus; None is its own.
    ``strategy`` says in words how ``index`` was made. ``also`` are further parts of the same run, each measured apart
    and from the original on (``crossed`` makes them, ``parts`` takes them apart). Where a model writes at a
    temperature above 0, ``samples`` texts are drawn of each query and averaged. ``filter``, ``surfaces`` and
    ``depth`` hold for every search, as in ``SearchSettings``; ``reranker`` is the name of one. ``selection`` says in
    words which queries are asked, where that is not all of a set or split.

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
    judge: JudgePlan | None = None
    query_set: str | None = None
    strategy: str = ""
    also: tuple[Part, ...] = ()
    samples: int = SAMPLES
    filter: Mapping[str, Any] | None = None
    surfaces: tuple[str, ...] | None = None
    depth: int | None = None
    reranker: str | None = None
    selection: str = ""

    def __post_init__(self) -> None:
        made = tuple((one.name, values_of(one)) for one in chosen(self.transforms))
        object.__setattr__(self, "transforms", made)
        object.__setattr__(self, "measures", with_judge(self.measures, self.judge))
        object.__setattr__(self, "modes", tuple(dict.fromkeys(self.modes)))
        object.__setattr__(self, "controls", controls.checked(self.controls))
        if self.samples < 1:
            raise BadSetting(f"{self.samples} texts of a query cannot be averaged; give 1 or more.")
        if not self.modes or not self.measures:
            raise BadInput("A run needs a retrieval mode and a measure at least. Choose one of each.")
        for mode in self.modes:
            self.settings(mode)

    @property
    def wanted(self) -> list[Measure]:
        return [parse(name) for name in self.measures]

    @property
    def asked_words(self) -> str:
        """Which queries."""
        some = "all judged queries" if self.split == "all" else f"the {self.split} half"
        return self.selection or some + (f" of the set {self.query_set}" if self.query_set else "")

    @property
    def cap(self) -> Cap:
        return Cap(self.max_calls, self.max_usd)

    def settings(self, mode: Mode) -> SearchSettings:
        """How every transform is searched in this mode."""
        k = max(measure.cutoff for measure in self.wanted)
        return SearchSettings(
            mode=mode, k=k, filter=self.filter, surfaces=self.surfaces, dense_weight=self.dense_weight,
            lexical_weight=self.lexical_weight, depth=self.depth,
        )  # fmt: skip

    def searched_again(self, judge: JudgePlan | None, modes: Sequence[Mode], k: int | None = None) -> Plan:
        """Other retrieval over the same texts. Without a judge its measures fall away, and a cap of no call sees to
        it that nobody is asked, whatever a text may still lack.

        :param k: the measures' cut-off, None as it was; the judge reads as many as it reads.
        """
        kept = [one for one in map(parse, self.measures) if judge or one.family not in JUDGED]
        names = [
            f"{one.family}@{judge.k if judge and one.family in JUDGED else k or one.cutoff}"
            for one in kept or map(parse, DEFAULT_MEASURES)
        ]
        return replace(
            self, modes=tuple(modes), measures=tuple(names), judge=judge,
            max_calls=None if judge else 0, max_usd=None,
        )  # fmt: skip

    def crossed(self, indexes: Sequence[tuple[str, str]], writers: Sequence[WriterPlan]) -> Plan:
        """The same for every index with every writer.

        :param indexes: fingerprint and strategy in words of each.
        :raises BadInput: when there is no index or no writer.
        """
        pairs = [Part(index, strategy, writer) for index, strategy in dict.fromkeys(indexes) for writer in writers]
        if not pairs:
            raise BadInput("A run needs an index and a writer at least. Choose one of each.")
        first, also = pairs[0], tuple(pairs[1:])
        return replace(self, index=first.index, strategy=first.strategy, writer=first.writer, also=also)

    def parts(self) -> list[Plan]:
        """A plan with one index and one writer for each, this one's own first."""
        own = replace(self, also=())
        others = [replace(own, index=one.index, strategy=one.strategy, writer=one.writer) for one in self.also]
        return [own, *others]

    @property
    def part_name(self) -> str:
        """What tells this index and writer from others, in words."""
        return " · ".join(name for name in (self.strategy, self.writer.label or self.writer.name) if name)

    @property
    def writers(self) -> list[WriterPlan]:
        """All that write, each once: those of its parts in their order, then a judge of its own."""
        named = [one.writer for one in self.parts()]
        if self.judge and self.judge.writer:
            named.append(self.judge.writer)
        return [one for number, one in enumerate(named) if one not in named[:number]]

    @property
    def needs_key(self) -> bool:
        """A key has to be typed for one of its writers at least."""
        return bool(self.key_places)

    @property
    def key_places(self) -> dict[str, str]:
        """Every place that a key has to be typed for, and who is asked there, in words."""
        found: dict[str, list[str]] = {}
        for one in self.writers:
            if one.needs_key:
                found.setdefault(one.key_place, []).append(one.label or one.name)
        return {place: ", ".join(dict.fromkeys(names)) for place, names in found.items()}

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """:raises BadInput: for what ``to_json`` has not made, or names something that no longer exists."""
        try:
            known = {name: _frozen(data[name]) for name in (item.name for item in fields(cls)) if name in data}
            judge = data.get("judge")
            if judge is not None:
                known["judge"] = JudgePlan(**{**judge, "writer": _writer(judge["writer"])})
            also = [Part(**{**part, "writer": _writer(part["writer"])}) for part in data.get("also", ())]
            return cls(**{**known, "writer": _writer(data["writer"]), "also": tuple(also)})
        except (TypeError, KeyError, AttributeError) as error:
            raise BadInput(f"The plan of this run cannot be read ({error}). Start a new one.") from None


def in_split(queries: Sequence[JudgedQuery], split: str) -> list[JudgedQuery]:
    """ "tune" has the queries on which settings are chosen, "test" those on which they are reported."""
    return [query for query in queries if split in ("all", query.split)]


def writer_address(base_url: str | None) -> tuple[str | None, bool]:
    """A base URL as it may be written down, and whether that took a secret out of it."""
    kept = without_credentials(base_url) if base_url else None
    return kept, kept != (base_url or None)


def _writer(data: Mapping[str, Any] | None) -> Any:
    return None if data is None else WriterPlan(**{name: _frozen(value) for name, value in data.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
