"""Replies that were kept: shown as such, asked anew by one click, forgotten by another."""

from __future__ import annotations

import pytest

from tests.app import build, open_app, press, shown

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")


def test_a_kept_reply_is_asked_anew_or_cleared_by_one_click(llm_server):
    build("help_center")
    app = open_app("corpus=help_center&q=who+pays+for+guests&writer=openai/test-model&t=rewrite&t=step_back")
    app.text_input(key="api_key").set_value("k")
    app.text_input(key="base_url").set_value(llm_server.base_url).run()
    assert "kept from an earlier request" not in shown(press(app, "compare"))
    asked = len(llm_server.requests)
    assert asked == 2
    page = shown(press(app, "compare"))
    assert len(llm_server.requests) == asked
    assert "2 replies were kept from an earlier request." in page
    page = shown(press(app, "anew_button"))
    assert len(llm_server.requests) == 2 * asked
    assert "kept from an earlier request" not in page
    press(app, "kept_clear")
    press(app, "compare")
    assert len(llm_server.requests) == 3 * asked
