"""What a person may choose about a search, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ir_core import config
from ir_core.errors import BadQuery, BadSetting, UnknownName
from ir_core.index import Manifest
from ir_core.protocols import Embedder
from ir_core.schema import MODE_LEGS, Leg, Mode


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """``depth`` (artifacts each list is read to) follows from k unless set. ``surfaces`` restricts the kinds.

    :raises BadSetting, UnknownName: when made with a value that cannot be searched with.
    """

    mode: Mode = "hybrid"
    k: int = config.DEFAULT_K
    depth: int | None = None
    filter: Mapping[str, Any] | None = None
    surfaces: tuple[str, ...] | None = None
    dense_weight: float = 1.0
    lexical_weight: float = 1.0

    def __post_init__(self) -> None:
        if self.mode not in MODE_LEGS:
            raise UnknownName("retrieval mode", str(self.mode), MODE_LEGS)
        if not 1 <= self.k <= config.MAX_K:
            raise BadSetting(f"k = {self.k}, but a list has 1 to {config.MAX_K} places. Choose a k in that range.")
        if self.depth is not None and self.depth < self.k:
            raise BadSetting(f"depth = {self.depth} is less than k = {self.k}; read every list at least k deep.")
        if min(self.dense_weight, self.lexical_weight) < 0 or not sum(self.leg_weights.values()):
            raise BadSetting("Leg weights cannot be negative, and the legs in use cannot all weigh 0.")

    @property
    def legs(self) -> tuple[Leg, ...]:
        return MODE_LEGS[self.mode]

    @property
    def leg_weights(self) -> dict[str, float]:
        """In one leg alone a weight would only scale the scores, so it is 1."""
        if len(self.legs) == 1:
            return {self.legs[0]: 1.0}
        return {"dense": self.dense_weight, "lexical": self.lexical_weight}

    @property
    def read_depth(self) -> int:
        return self.depth or config.depth_for(self.k)

    def check_kinds(self, known: Mapping[str, int]) -> None:
        """:raises UnknownName: for a kind of surface the index does not have."""
        for kind in self.surfaces or ():
            if kind not in known:
                raise UnknownName("surface kind", kind, known)


def clean_query(text: str) -> tuple[str, str | None]:
    """The query as it is searched, and a note when it had to be cut.

    :raises BadQuery: when there is nothing in it.
    """
    stripped = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").strip()
    if not stripped:
        raise BadQuery("The query is empty. Type what you would ask the corpus.")
    if len(stripped) <= config.MAX_QUERY_CHARS:
        return stripped, None
    cut = stripped[: config.MAX_QUERY_CHARS].rstrip()
    note = f"The query has {len(stripped):,} characters; only the first {config.MAX_QUERY_CHARS:,} are searched."
    return cut, note


def default_mode(
    manifest: Manifest, embedder: Embedder, query_language: str | None = None
) -> tuple[Mode, str | None]:
    """Hybrid, unless the corpus or the query is in a language the embedder does not read; and the reason, if so."""
    for language, what in ((manifest.language, "corpus"), (query_language, "query")):
        if language and embedder.languages is not None and language not in embedder.languages:
            read = ", ".join(sorted(embedder.languages))
            return "lexical", (
                f"Searched by words only: the {what} is in {language!r}, and {embedder.name} reads {read}. "
                "Its vectors of other languages are close to noise. Dense and hybrid stay selectable."
            )
    return "hybrid", None
