"""The Prompts section: what is sent is on the page, and an edit holds, is marked and goes again."""

from __future__ import annotations

import html

import pytest

from ir_core import prompts
from ir_core.writers import local
from pages._ui import serving
from tests.app import open_app, open_tab, press, shown

pytestmark = pytest.mark.usefixtures("ready")

QUERY = "who can see my files"


def area(app, prompt_id: str, part: str = "user"):
    return app.text_area(key=f"prompt_text.{prompt_id}.{part}")


def edits(app) -> dict:
    return app.session_state["prompt_edits"]


def test_every_prompt_stands_there_verbatim_with_what_it_is():
    app = open_app()
    assert "corpus (no LLM), asks no model" in shown(app)
    for prompt in prompts.every():
        app.selectbox(key="prompt_task").set_value(prompt.task).run()
        app.selectbox(key="prompt_language").set_value(prompt.language).run()
        page = html.unescape(shown(app)).replace('<bdi class="qp-slot">', "").replace("</bdi>", "")
        for text in (prompt.system, prompt.user, prompt.id, prompt.reference, " ".join(prompt.note.split())):
            assert text.strip() in page
        assert (f'dir="{"rtl" if prompt.language == "ar" else "ltr"}" lang="{prompt.language}"') in page


def test_an_edit_without_a_placeholder_says_so_and_what_was_there_stays():
    app = open_app()
    app.selectbox(key="prompt_task").set_value("decompose").run()
    kept = f"{prompts.load('decompose').user} Be brief."
    area(app, "decompose.en").set_value(kept).run()
    assert "Changed and not applied yet." in shown(app)
    press(app, "prompt_apply")
    assert "Changed and not applied yet." not in shown(app)
    area(app, "decompose.en").set_value("${history}Split {query}").run()
    assert "There is no ${query}, only {query}, which nothing fills." in shown(app)
    press(app, "prompt_apply")
    assert "There is no ${query}" in shown(app)
    assert edits(app)["decompose.en"]["user"] == kept
    area(app, "decompose.en").set_value("${history}Split ${query} $n").run()
    assert "$n is sent as it stands" in shown(app)


def test_an_edit_is_marked_and_resets_restore_the_banks_own():
    app = open_app()
    app.selectbox(key="prompt_task").set_value("decompose").run()
    app.number_input(key="prompt_text.decompose.en.temperature").set_value(0.7).run()
    press(app, "prompt_apply")
    assert "1 prompt edited" in shown(app)
    assert f"<dd>{prompts.load('decompose').version}, edited</dd>" in shown(app)
    assert "Decomposition, edited" in app.selectbox(key="prompt_task").options
    app.selectbox(key="prompt_task").set_value("rewrite").run()
    area(app, "rewrite.en", "system").set_value("Be brief.").run()
    press(app, "prompt_apply")
    assert set(edits(app)) == {"decompose.en", "rewrite.en"}
    press(app, "prompt_reset")
    assert set(edits(app)) == {"decompose.en"}
    assert area(app, "rewrite.en", "system").value == prompts.load("rewrite").system
    press(app, "prompt_reset_all")
    assert edits(app) == {}
    app.selectbox(key="prompt_task").set_value("decompose").run()
    assert app.number_input(key="prompt_text.decompose.en.temperature").value == 0
    assert "edited</dd>" not in shown(app)


def test_a_language_without_a_prompt_falls_back_to_english_and_says_so():
    app = open_app(f"corpus=help_center&q={QUERY}")
    app.selectbox(key="passages_in").set_value("fr").run()
    assert "There is no prompt in French: the English one is sent, and asks for French." in shown(app)
    app.selectbox(key="prompt_task").set_value("hyde").run()
    assert "Write in French." in shown(app)
    assert f"&lt;query&gt;&#10;{QUERY}&#10;&lt;/query&gt;" in shown(app)


def test_the_small_local_models_own_prompts_can_be_read():
    app = open_app()
    app.session_state["writer"] = "local"
    app.run()
    for task, prompt in local.load_prompts().items():
        app.selectbox(key="prompt_task").set_value(task).run()
        assert prompt.prompt("${query}") in html.unescape(shown(app))
    assert not [one for one in app.text_area if "prompt_text" in one.key]


def test_an_edited_prompt_reaches_the_model_and_its_cards_say_so(llm_server, monkeypatch):
    monkeypatch.setattr(serving, "on_this_machine", lambda: True)
    app = open_app("corpus=help_center&t=rewrite&t=step_back")
    app.session_state["writer"] = "model"
    app.session_state["model"] = "openai/test-model"
    app.session_state["base_url"] = llm_server.base_url
    app.session_state["prompt_task"] = "rewrite"
    app.run()
    area(app, "rewrite.en").set_value("${history}Say it like a pirate: ${query}").run()
    press(app, "prompt_apply")
    app.selectbox(key="queries_in").set_value("fr").run()
    app.text_input(key="query").set_value(QUERY).run()
    page = shown(press(app, "compare"))
    sent = [one.text for one in llm_server.requests]
    assert any(f"Say it like a pirate: <query>\n{QUERY}\n</query>" in text for text in sent)
    assert any("Write in French." in text for text in sent)
    assert page.count('qp-b-plain">edited prompt') == 1
    assert "are not in the link" in shown(open_tab(app, "Share and export"))
    assert not [item for item in app.code if "pirate" in item.value]
    press(app, "prompt_reset_all")
    assert "Changed since: the prompts." in shown(app)
