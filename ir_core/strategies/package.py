"""A software package by its description, its README and, if wanted, the names of what it is built on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import regex

from ir_core.errors import BadSetting
from ir_core.params import param
from ir_core.schema import IndexPlan, Raw
from ir_core.strategies._payload import as_text, plain_fields
from ir_core.strategies._settings import Pieces, single

DepsTemplate = Callable[[list[str]], str]
DEPS_TEMPLATE = "Depends on: {deps}"
_REQUIREMENT = regex.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)")


@dataclass(frozen=True, kw_only=True)
class Package(Pieces):
    """Surfaces of a package, in this order: ``description`` ("name: description", kept when either is there),
    ``readme_chunk`` (slices of the README; ``start`` and ``end`` point into it) and, with ``embed_deps``, ``deps``.

    The deps surface is one of its own, so that a rare library's name is not drowned in prose, and the last, so that
    the others' ids stay when it is switched on. The number in a surface's id (and ``surface_index``) counts over all
    kinds; ``chunk_index`` counts within its kind.

    ``raw`` is a record {name, description, readme, deps, owner}: deps a list of requirements or a mapping of name to
    version; owner says "ours" or "third-party" (True and False are read as these). A text is taken for the README of
    a package named as the artifact. Filter fields: name, owner, deps (bare names), has_readme, and the metadata.

    :raises BadSetting: for an overlap that is not smaller than the chunk, or a template without ``{deps}``.
    """

    name: ClassVar[str] = "Package"
    label: ClassVar[str] = "Software package"
    summary: ClassVar[str] = "A package is found by its description, by its README's pieces or by what it depends on."
    reference: ClassVar[str] = ""
    order: ClassVar[int] = 4

    chunk_size: int = param(1500, help="Characters of README in a chunk, at most.", low=1, high=1_000_000, step=50)
    embed_deps: bool = param(False, help="Make the names of what it depends on a surface of their own.")
    deps_template: str | DepsTemplate | None = param(  # noqa: RUF009
        None, help=f"Text of the deps surface, {{deps}} being the names; empty: “{DEPS_TEMPLATE}”.", advanced=True
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.deps_template, str) and "{deps}" not in self.deps_template:
            raise BadSetting(
                f"deps_template = {self.deps_template!r} does not say where the names go: write {{deps}} there."
            )

    @property
    def kinds(self) -> tuple[str, ...]:
        return ("description", "readme_chunk", "deps") if self.embed_deps else ("description", "readme_chunk")

    def decompose(self, artifact_id: str, raw: Raw, metadata: Mapping[str, Any] | None = None) -> IndexPlan:
        record: Mapping[str, Any] = {"name": artifact_id, "readme": raw} if isinstance(raw, str) else raw
        name, description = as_text(record.get("name")).strip(), as_text(record.get("description")).strip()
        readme, deps = as_text(record.get("readme")), bare_names(record.get("deps"))
        surfaces = []
        if name or description:
            text = ": ".join(part for part in (name, description) if part)
            surfaces.append(single(artifact_id, "description", text))
        surfaces += self.chunks(artifact_id, "readme_chunk", readme, first=len(surfaces))
        deps_text = self._deps_text(deps) if self.embed_deps and deps else ""
        if deps_text.strip():
            surfaces.append(single(artifact_id, "deps", deps_text, len(surfaces)))
        own = {
            "name": name or artifact_id,
            "owner": _owner(record.get("owner")),
            "deps": deps,
            "has_readme": bool(readme.strip()),
        }
        return IndexPlan(plain_fields({**(metadata or {}), **own}), tuple(surfaces))

    def _deps_text(self, names: list[str]) -> str:
        if callable(self.deps_template):
            return self.deps_template(names)
        return (self.deps_template or DEPS_TEMPLATE).replace("{deps}", ", ".join(names))


def bare_names(deps: Any) -> list[str]:
    """Names of requirements without versions, extras and markers, in order, each once."""
    if isinstance(deps, str):
        deps = regex.split(r"[\n,]", deps)
    matches = (_REQUIREMENT.match(str(item)) for item in deps or ())
    return list(dict.fromkeys(found.group(1) for found in matches if found))


def _owner(owner: Any) -> str | None:
    if isinstance(owner, bool):
        return "ours" if owner else "third-party"
    return as_text(owner).strip() or None
