"""Route tables: what comes with the program, what is refused, the one-line form, and those that are saved."""

from __future__ import annotations

import pytest

from ir_core.config import home
from ir_core.errors import BadInput, BadSetting, UnknownName
from ir_core.router import LABELS, from_line, get_table, own_tables, published, save_table, table_of, tables
from ir_core.router.saved_tables import MOST_TABLES, delete_table


def test_the_published_tables_are_as_their_references_have_them():
    def taken(name):
        return {label: published()[name].route(label).transform for label in LABELS}

    plain = dict.fromkeys(LABELS, "identity")
    assert taken("course") == {**plain, "ambiguous_short": "hyde", "broad": "multi_query", "multi_hop": "decompose"}
    assert taken("lecture") == {
        **plain, "multi_hop": "decompose", "vocabulary": "hyde", "ambiguous_short": "multi_query",
    }  # fmt: skip
    assert published()["lecture"].condense_first
    assert published()["lecture"].route("vocabulary").settings == {"with_query": False}
    assert taken("muffakir") == {
        **plain, "follow_up": "rewrite", "ambiguous_short": "multi_query", "multi_hop": "decompose",
        "broad": "decompose", "vocabulary": "hyde", "narrow_technical": "step_back",
    }  # fmt: skip
    ours = published()["ours"]
    assert ours.route("follow_up").then_route
    assert ours.route("small_talk").transform == "no_search"


@pytest.mark.parametrize("name", [*published()])
def test_a_table_comes_back_from_its_line_and_from_its_json(name):
    table = published()[name]
    read = from_line(table.line, name)
    assert read.line == table.line
    for label in LABELS:
        given, back = table.route(label), read.route(label)
        assert (given.transform, given.settings, given.then_route) == (back.transform, back.settings, back.then_route)
    assert table_of(table.to_json()) == table


def test_settings_with_signs_survive_the_line():
    steps = {"transform": "chain", "settings": {"steps": "condense > multi_query(n=2)"}}
    table = table_of({"name": "t", "routes": {"broad": steps}})
    assert from_line(table.line).route("broad").settings == table.route("broad").settings


@pytest.mark.parametrize(
    ("routes", "error", "words"),
    [
        ({"brod": {"transform": "hyde"}}, UnknownName, "Did you mean 'broad'"),
        ({"broad": {"transform": "hide"}}, UnknownName, "Did you mean 'hyde'"),
        ({"broad": {"transform": "hyde", "settings": {"temperatur": 1}}}, UnknownName, "setting of hyde"),
        ({"broad": {"transform": "multi_query", "settings": {"n": 99}}}, BadSetting, "'broad'.*too high"),
        ({"broad": {"transform": "hyde", "then": "route"}}, BadSetting, "only condense"),
        ({"broad": {"transform": "no_search", "settings": {"n": 1}}}, BadSetting, "no settings"),
        ({"broad": {"transforms": "hyde"}}, BadSetting, "names no transform"),
        ({"broad": "hyde"}, BadSetting, "names no transform"),
        (["broad"], BadSetting, "no route table"),
    ],
)
def test_a_wrong_table_is_refused_with_the_way_out(routes, error, words):
    with pytest.raises(error, match=words):
        table_of({"name": "t", "routes": routes})


@pytest.mark.parametrize("line", ["broad", "broad=hyde(n)", "broad=hyde;;simple=", "x" * 3_000, "broad=<b>"])
def test_a_wrong_line_is_refused(line):
    with pytest.raises(BadInput):
        from_line(line)


def test_own_tables_are_kept_by_name_replaced_and_deleted():
    table = from_line("broad=multi_query(n=4)")
    kept = save_table(table, "  My   table ")
    assert (kept.name, own_tables()) == ("My table", {"My table": kept})
    save_table(from_line("broad=hyde"), "My table")
    assert get_table("My table").route("broad").transform == "hyde"
    assert list(tables()) == [*published(), "My table"]
    delete_table("My table")
    with pytest.raises(UnknownName, match="course"):
        get_table("My table")


def test_what_cannot_be_saved_leaves_what_was_there():
    table = from_line("broad=hyde")
    save_table(table, "Mine")
    for name in ("", " \x00 ", "x" * 61, "ours", "mine"):
        with pytest.raises(BadInput):
            save_table(table, name)
    assert list(own_tables()) == ["Mine"]
    for number in range(MOST_TABLES - 1):
        save_table(table, f"table {number}")
    with pytest.raises(BadInput, match="Delete one first"):
        save_table(table, "one more")


def test_a_damaged_file_costs_only_itself():
    save_table(from_line("broad=hyde"), "good")
    (home() / "routes" / "bad.json").write_text('{"routes": {"broad": ')
    (home() / "routes" / "old.json").write_text('{"name": "old", "routes": {"broad": {"transform": "gone"}}}')
    assert list(own_tables()) == ["good"]
