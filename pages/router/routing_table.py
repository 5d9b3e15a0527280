"""The routing table of this visit: chosen among those there are, then changed in the widgets below ``rt.r.``.

The widgets hold it; ``filled`` is the table they were last filled from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from ir_core.errors import BadInput
from ir_core.params import params_of
from ir_core.router import LABELS, NO_SEARCH, Route, RouteTable, from_line, get_table, table_of, tables
from ir_core.transforms import TRANSFORMS
from pages._ui import safe

CONDENSE = "condense"
SHARED = "shared"
"""The name of one that came by a link."""
YOURS = "yours"
"""The name of one that was changed here."""


def known() -> dict[str, RouteTable]:
    """All that can be chosen, by name."""
    found = tables()
    if line := st.session_state["rt_line"]:
        found[SHARED] = from_line(line, SHARED)
    return found


def filled() -> RouteTable:
    """The chosen one as it is kept; "ours" where it is gone."""
    found = known()
    name = st.session_state["rt_table"]
    if name not in found:
        st.session_state["rt_table"] = name = "ours"
    return found[name]


def choose() -> None:
    """The list of tables; a choice fills the widgets below."""
    found = known()
    filled()
    st.selectbox(
        "Routing table", list(found), key="rt_table", on_change=fill, width=260, persist_state="session",
        format_func=lambda name: safe.sound(found[name].title if name != SHARED else "from the link"),
    )  # fmt: skip
    if st.session_state["rt_filled"] != st.session_state["rt_table"]:
        fill()


def fill() -> None:
    """Put the chosen table into the widgets."""
    state, table = st.session_state, filled()
    state["rt_filled"] = state["rt_table"]
    state["rt_condense_first"] = table.condense_first
    for key in [key for key in state if str(key).startswith("rt.r.")]:
        del state[key]
    for label in LABELS:
        _fill_route(label, table.route(label))


def _fill_route(label: str, route: Route) -> None:
    state = st.session_state
    state[f"rt.r.{label}.t"], state[f"rt.r.{label}.again"] = route.transform, route.then_route
    for name, value in route.settings.items():
        kind = next(one.type for one in params_of(TRANSFORMS.get(route.transform)) if one.name == name)
        state[f"rt.r.{label}.{route.transform}.{name}"] = float(value) if kind is float else value


def current() -> RouteTable:
    """What the widgets say: the chosen table itself where nothing was changed.

    :raises BadSetting: for settings that do not go together.
    """
    base, state = filled(), st.session_state
    routes: dict[str, Any] = {}
    for label in LABELS:
        transform = state.get(f"rt.r.{label}.t", base.route(label).transform)
        again = bool(state.get(f"rt.r.{label}.again")) and transform == CONDENSE
        settings = {} if transform == NO_SEARCH else _settings(label, transform)
        routes[label] = {"transform": transform, "settings": settings, "then": "route" if again else None}
    made = table_of({"name": YOURS, "title": "Yours", "routes": routes, "condense_first": state["rt_condense_first"]})
    return base if same(made, base) else made


def _settings(label: str, transform: str) -> dict[str, Any]:
    own = {
        one.name: st.session_state.get(f"rt.r.{label}.{transform}.{one.name}", one.default)
        for one in params_of(TRANSFORMS.get(transform))
    }
    return {name: value for name, value in own.items() if value is not None}


def same(one: RouteTable, other: RouteTable) -> bool:
    """True when both send every label the same way; notes do not count."""
    bare = [[replace(table.route(label), note="") for label in LABELS] for table in (one, other)]
    return bare[0] == bare[1] and one.condense_first == other.condense_first


def in_link(table: RouteTable) -> str:
    """A published one by its name, any other in one line, which needs nothing that is kept here."""
    from ir_core.router import published

    return table.name if published().get(table.name) == table else table.line or "simple=identity"


def take(text: str) -> None:
    """What a link says.

    :raises BadInput: for a table there is not.
    """
    state = st.session_state
    if "=" in text:
        made = from_line(text, SHARED)
        state["rt_line"], state["rt_table"] = made.line or text, SHARED
    else:
        state["rt_table"] = get_table(text).name
    fill()


def usable() -> RouteTable | None:
    """The current one, or None with the reason on the screen."""
    try:
        return current()
    except BadInput as error:
        safe.notice("error", error, detail="Nothing is routed until it is mended.")
        return None
