"""Replies read as passages; and replies that say nothing to search for, which never replace the user's words."""

from __future__ import annotations

import pytest

from ir_core.schema import Task
from ir_core.writers._llm_job import job_for
from ir_core.writers._replies import read_passage
from tests.scripted import GOOD

PASSAGES = {
    "plain": ("A reset needs a link. It expires.", "A reset needs a link. It expires."),
    "preamble": ("Here is a passage:\n\nA reset needs a link.", "A reset needs a link."),
    "label": ("Passage: A reset needs a link.", "A reset needs a link."),
    "paragraphs": ("A reset needs a link.\n\nIt expires.", "A reset needs a link. It expires."),
    "json": ('{"passage": "A reset needs a link."}', "A reset needs a link."),
    "json in it": ('Send {"query": "x"} to\nthe server.', 'Send {"query": "x"} to the server.'),
    "coda": ("A reset needs a link.\nI hope this helps!", "A reset needs a link."),
    "quoted": ('"A reset needs a link."', "A reset needs a link."),
    "a list in it": ("Steps are:\n1. Open\n2. Press", "Steps are: 1. Open 2. Press"),
    "empty": ("", None),
    "empty object": ("{}", None),
    "refusal": ("I'm sorry, I cannot write this.", None),
    "question back": ("Could you please provide more details about the portal?", None),
    "template": ("[insert passage here]", None),
    "ran on": ("A reset needs a link. " * 400, None),
    "another turn": ("A reset needs a link.<|im_end|>\n<|im_start|>user", "A reset needs a link."),
    "thought": ("<think>A link, then.</think>A reset needs a link.", "A reset needs a link."),
    "markup alone": ("<p>\n<img src=x>\n</p>", None),
    "heading": ("## Resetting\nA reset needs a link.", "Resetting A reset needs a link."),
}


@pytest.mark.parametrize(("reply", "reading"), PASSAGES.values(), ids=PASSAGES.keys())
def test_a_passage(reply, reading):
    assert read_passage(reply, max_chars=2_000) == reading


def test_a_long_passage_is_cut_at_the_end_of_a_word():
    cut = read_passage("seven77 " * 900, max_chars=2_000)
    assert cut == ("seven77 " * 250).strip()


PAGE = """<!DOCTYPE html>
<html>
<head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>
</html>"""
NOTHING = {
    "a digit": "1",
    "a reference mark": "#0",
    "a numbered nothing": "1. 1",
    "a decimal": "3.14",
    "unknown": "unknown",
    "unknown, said": "Unknown.",
    "none": "None",
    "not applicable": "N/A",
    "in JSON": '["unknown"]',
    "in an object": '{"query": "n/a"}',
    "stop words": "the of and",
    "one letter": "x",
    "arabic unknown": "غير معروف",
    "arabic nothing": "لا شيء.",
    "a page": PAGE,
    "a page on one line": "<html><body><h1>502</h1></body></html>",
    "a page in a fence": f"```html\n{PAGE}\n```",
    "a page's part": "<center><h1>503 Service Temporarily Unavailable</h1></center>",
    "a page in JSON": '["<html><body>Too Many Requests</body></html>"]',
}
SAYS = {
    "a code": ("ERR-4207", "something broke", "ERR-4207"),
    "a code and one word": ("ERR-4207 fix", "ERR-4207", "ERR-4207 fix"),
    "the number it is about": ("429", "why do I get error 429", "429"),
    "a number that is the query": ("7", "7", "7"),
    "a name of stop words": ("The Who", "the who", "The Who"),
    "the word itself": ("unknown", "Unknown", "unknown"),
    "a word with it": ("unknown host", "host not known", "unknown host"),
    "tags that are asked about": ("<html> and <body> tags", "page tags", "<html> and <body> tags"),
    "tags around and between": ("<h1> or <h2>", "which heading", "<h1> or <h2>"),
    "a status asked about": ("what is 502 bad gateway", "502", "what is 502 bad gateway"),
    "an xml reply": ("<query>error 404 page</query>", "it was not found", "error 404 page"),
    "arabic": ("مواعيد البوابة", "متى تفتح", "مواعيد البوابة"),
    "chinese": ("密码", "忘记", "密码"),
    "words that retrieval leaves out": ("copy order page", "duplicate a purchase", "copy order page"),
}


@pytest.mark.parametrize("task", ["rewrite", "condense", "step_back", "multi_query", "hyde"])
@pytest.mark.parametrize("reply", NOTHING.values(), ids=NOTHING.keys())
def test_a_reply_that_says_nothing_is_unusable(reply, task):
    assert job_for(Task(task, "forgot my login 1 of 3", n=3), "en").read(reply) == []


@pytest.mark.parametrize(("reply", "query", "reading"), SAYS.values(), ids=SAYS.keys())
def test_a_reply_that_says_little_is_read(reply, query, reading):
    assert job_for(Task("rewrite", query), "en").read(reply) == [reading]


def test_stop_words_are_those_of_the_language():
    assert job_for(Task("rewrite", "wo ist mein Passwort", language="de"), "de").read("wo ist der") == []
    assert job_for(Task("rewrite", "متى تفتح البوابة"), "ar").read("في من على") == []


def test_among_variants_only_those_that_say_something_stay():
    reply = '["1", "reset a password", "unknown", "of the"]'
    assert job_for(Task("multi_query", "forgot my login", n=4), "en").read(reply) == ["reset a password"]


def test_an_answer_may_be_a_number_and_a_hop_may_be_little_but_a_mark():
    assert job_for(Task("extract_answer", "how many films"), "en").read("31") == ["31"]
    assert job_for(Task("extract_answer", "how many films"), "en").read("unknown") == ["unknown"]
    assert job_for(Task("plan_hops", GOOD["rewrite"][0], n=2), "en").read('["who owns it", "who is #1"]') == [
        "who owns it",
        "who is #1",
    ]
