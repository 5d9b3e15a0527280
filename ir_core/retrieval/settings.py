"""What a person may choose about a search, checked."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ir_core import config, language
from ir_core.errors import BadQuery, BadSetting, UnknownName
from ir_core.index import Manifest
from ir_core.protocols import Embedder
from ir_core.schema import MODE_LEGS, Leg, Mode
from ir_core.text import stopwords, tokenise


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
        if isinstance(self.k, bool) or self.k != int(self.k) or not 1 <= self.k <= config.MAX_K:
            raise BadSetting(f"k = {self.k}, but a list has 1 to {config.MAX_K} places. Choose a k in that range.")
        if self.depth is not None and self.depth < self.k:
            raise BadSetting(f"depth = {self.depth} is less than k = {self.k}; read every list at least k deep.")
        weights = (self.dense_weight, self.lexical_weight)
        if not all(map(math.isfinite, weights)) or min(weights) < 0 or not sum(self.leg_weights.values()):
            raise BadSetting("A leg's weight is a number from 0 up, and the legs in use cannot all weigh 0.")

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


def clean_query(text: str, of_corpus: str | None = None) -> tuple[str, str | None]:
    """The query as it is searched, and a note when it had to be cut or has nothing in it to look for.

    :param of_corpus: its language, whose stop words count.
    :raises BadQuery: when there is nothing in it.
    """
    stripped = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8").strip()
    if all(unicodedata.category(char)[0] in "CZ" for char in stripped):
        raise BadQuery("The query is empty. Type what you would ask the corpus.")
    if len(stripped) > config.MAX_QUERY_CHARS:
        cut, after = stripped[: config.MAX_QUERY_CHARS], stripped[config.MAX_QUERY_CHARS]
        inside_a_word = not (cut[-1].isspace() or after.isspace()) and any(char.isspace() for char in cut)
        kept = cut.rsplit(maxsplit=1)[0] if inside_a_word else cut.rstrip()
        return kept, f"The query has {len(stripped):,} characters; only the first {len(kept):,} are searched."
    words = tokenise(stripped)
    if not words:
        return stripped, "The query has no word in it, only signs, so any hit is chance. Type a word to look for."
    stop = stopwords("en") | stopwords(of_corpus or "en")
    if all(word in stop for word in words):
        return stripped, (
            "The query has only words that stand in nearly every document, so any hit is chance. Add one that names "
            "what you look for."
        )
    return stripped, None


def default_mode(manifest: Manifest, embedder: Embedder, query: str | None = None) -> tuple[Mode, str | None]:
    """Hybrid, unless the corpus or the query is in a language the embedder does not read; and the reason, if so."""
    of_query = language.of_query(query, manifest.language) if query else None
    for code, what in ((manifest.language, "corpus"), (of_query, "query")):
        if code and embedder.languages is not None and code not in embedder.languages:
            read = ", ".join(sorted(map(language.name_of, embedder.languages)))
            return "lexical", (
                f"Searched by words only: the {what} is in {language.name_of(code)}, and {embedder.name} reads "
                f"{read}. Its vectors of other languages are close to noise. Dense and hybrid stay selectable."
            )
    return "hybrid", None
