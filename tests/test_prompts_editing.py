"""A prompt edited by hand: what is refused, what is only doubted, and that nothing else of it changes."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core import prompts
from ir_core.errors import BadSetting

BANK = prompts.load("multi_query")


def edit(prompt=BANK, **changes):
    texts = {"system": prompt.system, "user": prompt.user, "temperature": prompt.temperature, **changes}
    return prompts.edit(prompt, **texts)


def test_every_prompt_of_the_bank_can_be_edited_and_no_change_is_no_edit():
    found = prompts.every()
    assert [prompt.id for prompt in found] == [f"{t}.{code}" for t in prompts.tasks() for code in ("en", "ar")]
    for prompt in found:
        assert edit(prompt) is prompt
        assert not prompt.edited
        assert prompts.doubts(edit(prompt, user=f"{prompt.user}!"), prompt) == ()


def test_an_edit_changes_its_three_fields_and_counts_placeholders_anew():
    changed = edit(system="Be brief. Write in ${language}.", user="${history}${query}", temperature=1)
    assert changed.edited
    assert (changed.temperature, set(changed.placeholders)) == (1, {"history", "query", "language"})
    own = {"system", "user", "temperature", "placeholders", "edited"}
    for field in {item.name for item in dataclasses.fields(BANK)} - own:
        assert getattr(changed, field) == getattr(BANK, field)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"user": "${history}${qeury}"}, "Nothing fills ${qeury}. Did you mean ${query}?"),
        ({"system": "${x}"}, "Nothing fills ${x}. There are ${query}, ${history}, ${n}, ${language}."),
        ({"user": "${history}all"}, "There is no ${query}: the model would not see the query. Put it in."),
        ({"user": "${query}"}, "There is no ${history}: the model would not see the conversation so far. Put it in."),
        ({"user": "${history}{query}"}, "There is no ${query}, only {query}, which nothing fills. Write ${query}."),
        (
            {"user": "$history ${query}"},
            "There is no ${history}, only $history, which nothing fills. Write ${history}.",
        ),
        ({"user": " \n"}, "The user text is empty."),
        ({"user": "x" * 8_001}, "The user text has 8,001 characters. Cut it to 8,000 or fewer."),
        ({"system": "x" * 8_001}, "The system text has 8,001 characters."),
        ({"temperature": 2.1}, "The temperature is 2.1. Set it between 0 and 2."),
        ({"temperature": -0.1}, "The temperature is -0.1."),
        ({"temperature": float("nan")}, "The temperature is nan."),
    ],
)
def test_what_could_not_be_asked_with_is_refused_in_a_sentence(changes, sentence):
    with pytest.raises(BadSetting) as refused:
        edit(**changes)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "slip"),
    [("{n} texts", "{n}"), ("{{ query }}", "{{ query }}"), ("$language", "$language"), ("$(n)", "$(n)"),
     ("${ n }", "${ n }"), ("${n", "${n")],
)  # fmt: skip
def test_what_looks_like_a_slip_is_named_and_sent_all_the_same(text, slip):
    changed = edit(system=f"{text}\n")
    (doubt,) = prompts.doubts(changed, BANK)
    assert doubt.startswith(f"{slip} is sent as it stands: a placeholder is written ${{")
    assert text in prompts.render_for(changed, query="q", n=3).system


def test_what_is_no_slip_is_not_doubted_and_a_lost_placeholder_is():
    assert prompts.doubts(edit(system="$5, {x}, $name, {queries} and {}"), BANK) == ()
    lost = prompts.doubts(edit(user="${history}${query} in ${language}"), BANK)
    assert lost == ("${n} is gone: the model is not told how many texts are wanted.",)


@given(st.text(min_size=1).map(lambda text: f"a{text}b"))
def test_a_query_is_never_read_as_part_of_an_edited_prompt(query):
    changed = edit(system="{n} ${n}", user="${history}${query}")
    asked = prompts.render_for(changed, query=f"${{n}}{query}${{history}}", n=7)
    assert asked.system == "{n} 7"
    assert f"${{n}}{query}${{history}}" in asked.user


def test_a_fixed_language_is_named_to_the_model_by_every_prompt():
    for task in [name for name in prompts.tasks() if "language" in prompts.load(name).placeholders]:
        assert "French" in prompts.render_for(prompts.load(task, "fr"), query="q", language="fr").user
        assert "بالعربية" in prompts.render_for(prompts.load(task, "ar"), query="q", language="ar").user
        assert "the language of the query" in prompts.render_for(prompts.load(task), query="q").user
