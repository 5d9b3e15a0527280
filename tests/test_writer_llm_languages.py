"""In which language a model is asked, which prompt it is asked with, and what is said when it answers in another."""

from __future__ import annotations

import pytest

from ir_core import prompts
from ir_core.language import other_language
from ir_core.protocols import RunContext
from ir_core.schema import Call, Task, Written
from ir_core.writers._litellm import load
from ir_core.writers.llm import LlmWriter, Slots
from tests.llm_server import LlmServer
from tests.test_writer_llm import QUERY, NoSearch

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the:DeprecationWarning")
ARABIC = "كيف أعيد تعيين كلمة المرور في البوابة"
IN_ARABIC = "تُعاد تهيئة كلمة المرور من صفحة الحساب في البوابة"


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    load()


def write(
    server: LlmServer, task: str, query: str, *, corpus: str | None = "en", **options
) -> tuple[list[Written], Call]:
    writer = LlmWriter("openai/test-model", api_base=server.base_url, slots=Slots(), **options)
    context = RunContext(writer=writer, searcher=NoSearch(), corpus_language=corpus)
    written = writer.write(Task(task, query), context)
    return written, context.calls[0]


def test_queries_are_asked_for_in_the_querys_language_and_passages_in_the_corpus(llm_server):
    write(llm_server, "rewrite", ARABIC)
    write(llm_server, "hyde", ARABIC)
    (french,), _ = write(llm_server, "hyde", QUERY, corpus="fr")
    rewrite, hyde, fallback = llm_server.requests
    assert "الاستعلام المطلوب" in rewrite.text
    assert "Write in English." in hyde.text
    assert "Write in French." in fallback.text
    assert french.note.startswith("Asked with the English prompt; there is none in 'fr'.")


def test_the_user_may_fix_both(llm_server):
    write(llm_server, "rewrite", ARABIC, query_language="en", passage_language="ar")
    write(llm_server, "hyde", QUERY, query_language="en", passage_language="ar")
    rewrite, hyde = llm_server.requests
    assert "The query to rewrite:" in rewrite.text
    assert prompts.load("hyde", "ar").system in hyde.text


@pytest.mark.parametrize(
    ("task", "query", "corpus", "reply", "note"),
    [
        ("rewrite", ARABIC, "ar", "reset the portal password", "Asked in Arabic, the reply is in English."),
        ("rewrite", ARABIC, "ar", IN_ARABIC, ""),
        ("hyde", QUERY, "ar", "A portal password is reset by mail.", "Asked in Arabic, the reply is in English."),
        ("hyde", ARABIC, "en", IN_ARABIC, "Asked in English, the reply is in Arabic."),
        ("rewrite", QUERY, "en", "prompt caching", ""),
    ],
)
def test_a_reply_in_another_language_has_a_note(llm_server, task, query, corpus, reply, note):
    llm_server.reply = reply
    for _ in range(2):
        (written,), _ = write(llm_server, task, query, corpus=corpus)
        assert (written.text, written.note) == (reply, note)
    assert len(llm_server.requests) == 1


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("OAuth 2.0 PKCE S256", "ar", None),
        ("caching", "ar", None),
        ("use cache", "ar", "en"),
        ("Reset it", "zh", "en"),
        ("use cache الآن", "ar", None),
        ("كاش", "en", None),
        ("امسح الكاش", "en", "ar"),
        ("امسح الكاش", "fa", None),
        ("清除缓存", "ar", None),
        ("Сбросить пароль учётной записи", "ar", "ru"),
        ("تفعيل OAuth 2.0 PKCE في Kubernetes", "ar", None),
        ("wie setze ich mein Passwort", "en", None),
        ("Das Passwort wird auf der Seite des Kontos zurückgesetzt, nachdem ein Link an die Adresse geschickt wurde, "
         "die bei der Anmeldung angegeben ist.", "en", "de"),
        ("The password is reset on the account page after a link was sent to the address that was given when the "
         "account was made.", "en", None),
        ("", "en", None),
    ],
)  # fmt: skip
def test_a_language_is_only_doubted_where_the_letters_are_enough(text, expected, found):
    assert other_language(text, expected) == found


@pytest.mark.parametrize(
    ("edited", "asked", "sent", "note"),
    [
        (0.9, 0.5, 0.9, "Written at temperature 0.9, as edited, in place of 0.5."),
        (0.9, None, 0.9, ""),
        (None, 0.5, 0.5, ""),
        (0.5, 0.5, 0.5, ""),
    ],
)
def test_an_edited_temperature_stands_above_the_tasks_and_says_so(llm_server, edited, asked, sent, note):
    bank = prompts.load("hyde")
    changed = prompts.edit(
        bank, system=bank.system, user=bank.user + "\nBe brief.", temperature=edited or bank.temperature
    )
    writer = LlmWriter("openai/test-model", api_base=llm_server.base_url, api_key="k", edited={"hyde.en": changed})
    context = RunContext(writer=writer, searcher=NoSearch(), corpus_language="en")
    written = writer.write(Task("hyde", QUERY, n=2, temperature=asked), context)
    assert [request.body["temperature"] for request in llm_server.requests] == [sent, sent]
    assert {one.note for one in written} == {note}


def test_an_edited_prompt_takes_the_place_of_the_banks_and_is_marked(llm_server):
    bank = prompts.load("rewrite")
    own = prompts.edit(bank, system=bank.system, user="${history}Say it better: ${query}", temperature=0.4)
    edited = {"rewrite.en": own}
    _, changed = write(llm_server, "rewrite", QUERY, edited=edited)
    _, other = write(llm_server, "step_back", QUERY, edited=edited)
    _, arabic = write(llm_server, "rewrite", ARABIC, edited=edited)
    first = llm_server.requests[0]
    assert first.body["messages"][1]["content"] == f"Say it better: <query>\n{QUERY}\n</query>"
    assert first.body["temperature"] == 0.4
    assert (changed.prompt_id, changed.prompt_version) == ("rewrite.en", f"{bank.version}, edited")
    assert "edited" not in f"{other.prompt_version}, {arabic.prompt_version}"
    _, plain = write(llm_server, "rewrite", QUERY)
    assert (plain.cached, plain.prompt_version) == (False, bank.version)
