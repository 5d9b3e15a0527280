"""Route tables: label to transform with settings, as data. ``published/<name>.yaml`` is one; a new file is a new one.

Each has a stable one-line form for links: ``label=name(setting=value)``, joined by ``;``, with ``>route`` where the
condensed query is routed again, and ``condense_first`` where that is done whatever the label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, unquote

import regex

from ir_core.errors import BadInput, BadSetting, UnknownName
from ir_core.params import values_of
from ir_core.router.labels import LABELS
from ir_core.transforms import TRANSFORMS

NO_SEARCH = "no_search"
"""In place of a transform: nothing is searched."""
CONDENSE_FIRST = "condense_first"
MAX_LINE = 2_000
_ROUTE = regex.compile(r"(\w+)=([\w-]+)(?:\(([^()]*)\))?(>route)?")


@dataclass(frozen=True)
class Route:
    """``settings`` are those that differ from the transform's own. ``then_route``: what it makes of the query is
    routed again, once; only "condense" makes one query that can be."""

    transform: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    then_route: bool = False
    note: str = ""


PLAIN = Route("identity")


@dataclass(frozen=True)
class RouteTable:
    """A label without a route is searched as it is. ``condense_first``: where something was said before, the query is
    condensed whatever its label, and the result is routed."""

    name: str
    title: str
    routes: Mapping[str, Route]
    condense_first: bool = False
    note: str = ""

    def route(self, label: str) -> Route:
        return self.routes.get(label, PLAIN)

    @property
    def choices(self) -> tuple[Route, ...]:
        """The distinct routes, plain search among them, in the order of the labels."""
        found: list[Route] = [PLAIN]
        for label in LABELS:
            route = self.route(label)
            if (route.transform, route.settings) not in [(one.transform, one.settings) for one in found]:
                found.append(route)
        return tuple(found)

    @property
    def line(self) -> str:
        """The table in one line; :func:`from_line` reads it."""
        parts = [_written(label, self.routes[label]) for label in LABELS if label in self.routes]
        return ";".join([*([CONDENSE_FIRST] if self.condense_first else []), *parts])

    def to_json(self) -> dict[str, Any]:
        """As a published file has it; :func:`table_of` reads it."""
        routes = {}
        for label, one in self.routes.items():
            routes[label] = {
                "transform": one.transform, "settings": dict(one.settings),
                "then": "route" if one.then_route else None, "note": one.note,
            }  # fmt: skip
        return {
            "name": self.name, "title": self.title, "note": self.note, CONDENSE_FIRST: self.condense_first,
            "routes": routes,
        }  # fmt: skip


def table_of(data: Mapping[str, Any]) -> RouteTable:
    """A table from plain values, everything in it checked.

    :raises UnknownName: for a label, transform or setting there is not.
    :raises BadSetting: for a value out of range, a field there is not, or a second routing after anything but
        condense.
    """
    known = {"name", "title", "note", CONDENSE_FIRST, "routes"}
    if not isinstance(data, Mapping) or not isinstance(data.get("routes"), Mapping) or set(data) - known:
        raise BadSetting(f"This is no route table. One has routes (label to transform); all it may have: {known}.")
    name = " ".join(str(data.get("name") or "").split())
    routes = {}
    for label, given in data["routes"].items():
        if label not in LABELS:
            raise UnknownName("label", str(label), LABELS)
        routes[label] = _route(label, given)
    title = " ".join(str(data.get("title") or name).split())
    return RouteTable(name, title, routes, bool(data.get(CONDENSE_FIRST)), str(data.get("note") or "").strip())


def from_line(line: str, name: str = "shared") -> RouteTable:
    """A table from its one-line form.

    :raises BadSetting, UnknownName: as :func:`table_of`, and for a part that is no route.
    """
    if len(line) > MAX_LINE:
        raise BadSetting(f"A route table in one line has at most {MAX_LINE:,} characters; this has {len(line):,}.")
    parts = [part for part in line.split(";") if part]
    routes: dict[str, Any] = {}
    for part in parts:
        if part == CONDENSE_FIRST:
            continue
        match = _ROUTE.fullmatch(part)
        if not match:
            raise BadSetting(f"{part[:60]!r} is no route. Write label=transform(setting=value), joined by ;")
        label, transform, settings, again = match.groups()
        pairs = [pair.partition("=") for pair in (settings or "").split(",") if pair]
        read = {key: unquote(value) for key, _, value in pairs}
        routes[label] = {"transform": transform, "settings": read, "then": "route" if again else None}
    return table_of({"name": name, "routes": routes, CONDENSE_FIRST: CONDENSE_FIRST in parts})


@cache
def published() -> Mapping[str, RouteTable]:
    """Those that come with the program, by name: the references' as they have them, and ours."""
    import yaml

    folder = files("ir_core.router").joinpath("published")
    found = [yaml.safe_load(one.read_text("utf-8")) for one in folder.iterdir() if one.name.endswith(".yaml")]
    tables = [table_of(data) for data in found]
    order = {"ours": 0}
    return {one.name: one for one in sorted(tables, key=lambda table: (order.get(table.name, 1), table.name))}


def _route(label: str, given: Any) -> Route:
    if not isinstance(given, Mapping) or not isinstance(given.get("transform"), str):
        raise BadSetting(f"The route of {label!r} names no transform. Write for example {{transform: hyde}}.")
    if odd := sorted(set(given) - {"transform", "settings", "then", "note"}):
        raise BadSetting(f"The route of {label!r} has {odd}; it may have transform, settings, then and note.")
    then, note = given.get("then"), str(given.get("note") or "")
    settings = given.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise BadSetting(f"The settings of {label!r} are no mapping. Write for example {{n: 3}}.")
    if given["transform"] == NO_SEARCH:
        if settings or then:
            raise BadSetting(f"{NO_SEARCH} has no settings, and nothing comes after it. Leave them out.")
        return Route(NO_SEARCH, note=note)
    try:
        made = TRANSFORMS.make(given["transform"], settings)
    except UnknownName as error:
        if error.name == given["transform"]:
            raise UnknownName("transform", error.name, (*TRANSFORMS.names(), NO_SEARCH)) from None
        raise
    except BadInput as error:
        raise BadSetting(f"The route of {label!r}: {error}") from None
    if then not in (None, "route") or (then and made.name != "condense"):
        raise BadSetting(f"After {made.name!r} comes {then!r}; only condense may be followed, by: route.")
    plain = values_of(TRANSFORMS.make(made.name))
    changed = {key: value for key, value in values_of(made).items() if value != plain[key]}
    return Route(made.name, changed, then == "route", note)


def _written(label: str, route: Route) -> str:
    pairs = ",".join(f"{key}={quote(str(value), safe=' ')}" for key, value in sorted(route.settings.items()))
    return f"{label}={route.transform}{f'({pairs})' if pairs else ''}{'>route' if route.then_route else ''}"
