"""What each strategy makes of a payload: kinds, order, ids and filter fields; then strategies as data."""

from __future__ import annotations

import dataclasses
import datetime
import json

import pytest

from ir_core.errors import BadInput, BadSetting
from ir_core.protocols import IndexingStrategy
from ir_core.schema import surface_id
from ir_core.strategies import (
    STRATEGIES,
    STRATEGY_REGISTRY,
    ClaudeTurn,
    Package,
    Skill,
    WholeText,
    strategy_from_spec,
    text_of,
)

PAYLOADS = [
    "", "   ", "A text.\n\nWith two paragraphs.", "---\nname: x\ndescription: y\n---\nBody", {}, {"title": "Title"},
    {"name": "n", "description": None, "readme": "# R\n\ntext", "deps": {"numpy": ">=1"}, "owner": True},
    {"user": "hi", "assistant": "hello " * 200, "tools": ["bash"]}, {"text": 7, "nested": {"a": 1}, "list": ["x"]},
]  # fmt: skip


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: str(payload)[:20])
@pytest.mark.parametrize("name", STRATEGIES.names())
def test_contract(name, payload):
    strategy = STRATEGY_REGISTRY[name]()
    assert isinstance(strategy, IndexingStrategy)
    metadata = {
        "lang": "en",
        "n": 3,
        "ok": True,
        "tags": ["a", "b"],
        "bad": {"x": 1},
        "mixed": [1, "a"],
        "none": None,
    }
    plan = strategy.decompose("a", payload, metadata)
    assert plan == strategy.decompose("a", payload, metadata)
    # The id's number counts over all kinds, chunk_index within its kind.
    of_kind: dict[str, int] = {}
    for number, surface in enumerate(plan.surfaces):
        assert surface.id == surface_id("a", surface.kind, number)
        assert surface.kind in strategy.kinds
        assert surface.metadata["surface_index"] == number
        assert surface.metadata["chunk_index"] == of_kind.get(surface.kind, 0)
        of_kind[surface.kind] = of_kind.get(surface.kind, 0) + 1
    for surface in plan.surfaces:
        assert surface.metadata["n_chunks"] == of_kind[surface.kind]
    assert plan.filter_fields.items() >= {"lang": "en", "n": 3, "ok": True, "tags": ["a", "b"]}.items()
    assert not {"bad", "mixed", "none"} & set(plan.filter_fields)
    json.dumps(plan.filter_fields)
    assert strategy.label
    assert strategy.summary.endswith(".")
    with pytest.raises(dataclasses.FrozenInstanceError):
        strategy.name_of_nothing = 1


def test_whole_text_is_the_text_itself():
    plan = WholeText().decompose("a", "  Two  spaces.\n")
    (surface,) = plan.surfaces
    assert (surface.id, surface.kind, surface.granularity, surface.text) == (
        "a#document#0",
        "document",
        "document",
        "  Two  spaces.\n",
    )
    assert (surface.metadata["start"], surface.metadata["end"]) == (0, 15)
    assert WholeText(kind="body", text_key="b").decompose("a", {"b": "x", "text": "y"}).surfaces[0].id == "a#body#0"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("as it is ", "as it is "),
        ({"title": "T", "text": "B"}, "T.\nB"),
        ({"title": "Why T?", "text": "B"}, "Why T?\nB"),
        ({"title": "", "text": "B"}, "B"),
        ({"title": "  ", "text": "B"}, "B"),
        ({"title": "T", "text": ""}, "T"),
        ({"name": "N", "content": "C"}, "N.\nC"),
        ({"question": "Q?", "answer": "A.", "votes": 3}, "Q?\nA."),
        ({"text": ["one", "two"]}, "one\ntwo"),
        ({}, ""),
    ],
)
def test_text_of(raw, text):
    assert text_of(raw) == text


def test_text_of_a_named_field():
    record = {"title": "T", "abstract": "A", "year": 2020, "empty": None}
    assert [text_of(record, key) for key in ("abstract", "year", "empty")] == ["A", "2020", ""]
    assert text_of("a string has no fields", "abstract") == "a string has no fields"
    with pytest.raises(BadInput, match=r"no field 'text'.*Its fields: abstract, empty, title, year\."):
        text_of(record, "text")


def test_a_skill_is_its_name_and_description():
    raw = {"name": "pdf", "description": "Fill in forms.", "body": "SECRET STEPS", "parent": "office"}
    plan = Skill().decompose("skills/pdf", raw, {"source": "s"})
    assert [(s.id, s.text) for s in plan.surfaces] == [("skills/pdf#capability#0", "pdf\n\nFill in forms.")]
    assert plan.filter_fields == {"name": "pdf", "parent": "office", "source": "s"}
    text = "---\nname: pdf\ndescription: |\n  Fill in forms.\nparent: office\n---\nSECRET STEPS\n"
    assert Skill().decompose("skills/pdf", text, {"source": "s"}) == plan
    for without in ("just a text", "---\nname: [broken\n---\nSECRET"):
        assert [s.text for s in Skill().decompose("skills/x", without).surfaces] == ["skills/x"]


PACKAGE = {
    "name": "gridplot",
    "description": "Plots on a grid.",
    "readme": "\n".join(f"Paragraph {number} of the manual says something.\n" for number in range(60)),
    "deps": [
        "numpy>=1.26",
        "sentence-transformers[train] ; extra == 'x'",
        "numpy",
        "Pillow @ https://example.org/p.whl",
        "",
    ],
    "owner": "ours",
}


def test_a_packages_surfaces_come_in_order_and_deps_last():
    without, with_deps = Package().decompose("p", PACKAGE), Package(embed_deps=True).decompose("p", PACKAGE)
    assert [s.kind for s in without.surfaces] == ["description", *["readme_chunk"] * (len(without.surfaces) - 1)]
    assert without.surfaces[0].text == "gridplot: Plots on a grid."
    assert with_deps.surfaces[:-1] == without.surfaces
    last = with_deps.surfaces[-1]
    assert (last.kind, last.text) == ("deps", "Depends on: numpy, sentence-transformers, Pillow")
    assert last.id == f"p#deps#{len(without.surfaces)}"
    for plan in (without, with_deps):
        assert plan.filter_fields == {
            "name": "gridplot", "owner": "ours", "has_readme": True,
            "deps": ["numpy", "sentence-transformers", "Pillow"],
        }  # fmt: skip
    second = without.surfaces[2]
    assert (second.id, second.metadata["surface_index"], second.metadata["chunk_index"]) == ("p#readme_chunk#2", 2, 1)
    assert PACKAGE["readme"][second.metadata["start"] : second.metadata["end"]] == second.text
    assert all(len(s.text) <= 1_500 for s in without.surfaces)


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        ({"name": "n"}, ["n"]),
        ({"description": "d"}, ["d"]),
        ({"readme": "r"}, ["r"]),
        ({"deps": {"numpy": "1.0"}}, ["Depends on: numpy"]),
        ({"deps": []}, []),
    ],
)
def test_parts_of_a_package_that_are_not_there_are_left_out(record, texts):
    assert [s.text for s in Package(embed_deps=True).decompose("p", record).surfaces] == texts


def test_owner_is_ours_or_third_party():
    owners = [
        Package().decompose("p", {"owner": o}).filter_fields.get("owner") for o in (True, False, "third-party", None)
    ]
    assert owners == ["ours", "third-party", "third-party", None]


def test_the_deps_text_can_be_said_otherwise():
    assert Package(embed_deps=True, deps_template="uses {deps}!").decompose("p", PACKAGE).surfaces[-1].text == (
        "uses numpy, sentence-transformers, Pillow!"
    )
    assert (
        Package(embed_deps=True, deps_template=lambda names: names[0]).decompose("p", PACKAGE).surfaces[-1].text
        == "numpy"
    )
    with pytest.raises(BadSetting, match=r"write \{deps\}"):
        Package(deps_template="uses some")


TURN = {
    "user": " Why is the build slow? ",
    "assistant": "The cache was cold. I warmed it. " + "Then I looked at every single step of it. " * 20,
    "session": "s1", "project": "web", "time": "2025-03-04T10:00:00", "model": "m-1", "tools": ["bash", "edit"],
}  # fmt: skip


def test_a_turn_is_found_by_either_side():
    plan = ClaudeTurn().decompose("t", TURN)
    prompt, summary = plan.surfaces
    assert (prompt.id, prompt.text) == ("t#user_prompt#0", "Why is the build slow?")
    assert summary.kind == "assistant_summary"
    assert summary.text.startswith("The cache was cold. I warmed it. Then")
    assert summary.text.endswith("every single step of it.")
    assert 250 < len(summary.text) <= 300
    full = ClaudeTurn(include_full=True).decompose("t", TURN).surfaces
    assert full[:2] == plan.surfaces
    assert (full[2].kind, full[2].text) == ("assistant_full", TURN["assistant"].strip())
    assert plan.filter_fields == {
        "session": "s1", "project": "web", "time": "2025-03-04T10:00:00", "model": "m-1", "tools": ["bash", "edit"],
        "tool_use": True,
    }  # fmt: skip


def test_a_turn_under_other_names():
    moment = datetime.datetime(2025, 3, 4, 10, tzinfo=datetime.UTC)
    record = {
        "prompt": "q",
        "response": "r",
        "assistant_summary": "s",
        "session_id": 7,
        "timestamp": moment,
        "has_tool_use": False,
    }
    plan = ClaudeTurn(include_full=True).decompose("t", record)
    assert [(s.kind, s.text) for s in plan.surfaces] == [
        ("user_prompt", "q"),
        ("assistant_summary", "s"),
        ("assistant_full", "r"),
    ]
    assert plan.filter_fields == {"session": 7, "time": "2025-03-04T10:00:00+00:00", "tool_use": False}
    long = ClaudeTurn().decompose("t", {"assistant": "one " * 200}).surfaces[0].text
    assert long.startswith("one one")
    assert long.endswith("one…")
    assert len(long) <= 301


def test_a_turns_metadata_says_what_its_record_does_not():
    said = {"session": "s", "project": "p", "time": "2026-01-01", "model": "m", "tool_use": True}
    assert strategy_from_spec({"name": "ClaudeTurn"}).decompose("t", {"user": "why?"}, said).filter_fields == said
    given = {"user": "why?", "session": "own", "tools": []}
    fields = strategy_from_spec({"name": "ClaudeTurn"}).decompose("t", given, said).filter_fields
    assert (fields["session"], fields["tool_use"]) == ("own", False)
