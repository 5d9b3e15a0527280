"""Replies as models really send them, each with its right reading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core import prompts
from ir_core.schema import Task
from ir_core.writers._llm_job import job_for
from ir_core.writers._replies import read_passage, read_queries, read_query
from ir_core.writers._reply_echo import lines_of

AB = ["reset a password", "change login data"]

LISTS = {
    "array": '["reset a password", "change login data"]',
    "array over lines": '[\n  "reset a password",\n  "change login data"\n]',
    "fenced": '```json\n["reset a password", "change login data"]\n```',
    "fenced without a name": '```\n["reset a password", "change login data"]\n```',
    "fence never closed": '```json\n["reset a password", "change login data"]',
    "fence after chatter": 'Here:\n```json\n["reset a password", "change login data"]\n```\nI hope this helps!',
    "array after chatter": 'Sure! Here are two: ["reset a password", "change login data"]',
    "array before a remark": '["reset a password", "change login data"]\n\nNote: both keep the meaning.',
    "object": '{"queries": ["reset a password", "change login data"]}',
    "object, other key": '{"Sub-Questions": ["reset a password", "change login data"]}',
    "object in an object": '{"result": {"queries": ["reset a password", "change login data"]}}',
    "objects in an array": '[{"query": "reset a password"}, {"query": "change login data"}]',
    "objects with an odd key": '[{"phrase": "reset a password"}, {"phrase": "change login data"}]',
    "objects with reasons": '[{"query": "reset a password", "why": "x"}, {"query": "change login data", "why": "y"}]',
    "numbered keys": '{"1": "reset a password", "2": "change login data"}',
    "named keys": '{"query_1": "reset a password", "query_2": "change login data"}',
    "python list": "['reset a password', 'change login data']",
    "a comma too many": '["reset a password", "change login data",]',
    "cut off": '["reset a password", "change login data", "recover the acc',
    "object cut off": '{"queries": ["reset a password", "change login data", "rec',
    "numbers inside strings": '["1. reset a password", "2. change login data"]',
    "blank strings": '["", "reset a password", "  ", "...", "change login data"]',
    "null entries": '["reset a password", null, 7, "change login data"]',
    "thought": '<think>maybe ["x", "y"]</think>["reset a password", "change login data"]',
    "thought without its opening": 'so ["x"]\n</think>\n["reset a password", "change login data"]',
    "numbered": "1. reset a password\n2. change login data",
    "numbered with brackets": "1) reset a password\n2) change login data",
    "numbered in brackets": "(1) reset a password\n(2) change login data",
    "numbered with colons": "1: reset a password\n2: change login data",
    "numbered with dashes": "1 - reset a password\n2 - change login data",
    "numbered in bold": "**1.** reset a password\n**2.** change login data",
    "arabic numerals": "١. reset a password\n٢. change login data",
    "letters": "a) reset a password\nb) change login data",
    "dashes": "- reset a password\n- change login data",
    "stars": "* reset a password\n* change login data",
    "dots": "• reset a password\n•change login data",
    "bold": "- **reset a password**\n- **change login data**",
    "quoted": '"reset a password"\n"change login data"',
    "quoted with commas": '"reset a password",\n"change login data",',
    "curly quotes": "“reset a password”\n“change login data”",
    "guillemets": "«reset a password»\n«change login data»",
    "backticks": "`reset a password`\n`change login data`",
    "plain lines": "reset a password\nchange login data",
    "blank lines": "\n\nreset a password\n\n\nchange login data\n\n",
    "labels": "Query 1: reset a password\nQuery 2: change login data",
    "labels with a dash": "Sub-question 1 - reset a password\nSub-question 2 - change login data",
    "bold labels": "**Query 1:** reset a password\n**Query 2:** change login data",
    "headings": "# Alternative queries\n\n- reset a password\n- change login data",
    "preamble": "Here are two alternative queries:\n1. reset a password\n2. change login data",
    "preamble without a colon": "Here are the alternative queries.\nreset a password\nchange login data",
    "certainly": "Certainly!\n\nreset a password\nchange login data",
    "coda": "1. reset a password\n2. change login data\n\nLet me know if you need more!",
    "coda about the list": "reset a password\nchange login data\nThese queries use other words.",
    "repeated": "reset a password\nReset a Password?\nchange login data\nchange login data.",
    "tags": "<query>reset a password</query>\n<query>change login data</query>",
    "windows line ends": "1. reset a password\r\n2. change login data\r\n",
    "byte order mark": '\ufeff["reset a password", "change login data"]',
    "zero width": "\u200breset a password\n\u200bchange login data",
    "too long an entry": f"reset a password\n{'x ' * 300}\nchange login data",
    "the original again": "forgot my login\nreset a password\nchange login data",
    "refusal among them": "reset a password\nI can't help with the rest.\nchange login data",
    "numbered in square brackets": "[1] reset a password\n[2] change login data",
    "arrows": "-> reset a password\n=> change login data",
    "quoted lines": "> reset a password\n> change login data",
    "one star": "*reset a password*\n*change login data*",
    "a chat template's end": "reset a password\nchange login data<|im_end|>\n<|im_start|>user\nand now?",
    "a sentence's end": '["reset a password", "change login data"]</s>',
    "another turn": "[INST] [/INST] reset a password\nchange login data [INST] more",
    "template among them": '["query 1", "reset a password", "[your query here]", "change login data"]',
    "a question back among them": "reset a password\nchange login data\nCould you tell me what you need?",
    "cut to two": "reset a password\nchange login data\nunlock the account\nopen a ticket",
}

ONE = {
    "plain": ("reset a password", "reset a password"),
    "quoted": ('"reset a password"', "reset a password"),
    "label": ("Rewritten query: reset a password", "reset a password"),
    "label on a line of its own": ("Rewritten query\nreset a password", "reset a password"),
    "bold label": ("**Rewritten query:** reset a password", "reset a password"),
    "arabic label": ("الاستعلام المعاد صياغته: متى تفتح البوابة", "متى تفتح البوابة"),
    "preamble on the line": ("Here is the rewritten query: reset a password", "reset a password"),
    "explained": ("Sure, here it is:\n\nreset a password\n\nThis version is clearer.", "reset a password"),
    "json": ('{"rewritten_query": "reset a password"}', "reset a password"),
    "json string": ('"reset \\"a\\" password"', 'reset "a" password'),
    "fence": ("```\nreset a password\n```", "reset a password"),
    "heading only": ("# reset a password", "reset a password"),
    "thought": ("<think>\nhm\n</think>\n\nreset a password", "reset a password"),
    "a version stays": ("3.11 changes in python", "3.11 changes in python"),
    "an ordinal stays": ("3. Liga Tabelle", "3. Liga Tabelle"),
    "a hyphen stays": ("2-factor authentication setup", "2-factor authentication setup"),
    "a series stays": ("5.x upgrade", "5.x upgrade"),
    "quotes inside stay": ('"reset" vs "recover"', '"reset" vs "recover"'),
    "code stays": ('df["name"] KeyError', 'df["name"] KeyError'),
    "json in a query stays": ('{"detail": "Not Found"} error', '{"detail": "Not Found"} error'),
    "a bracket stays": ("[draft] how to publish", "[draft] how to publish"),
    "a colon stays": ("error: file not found", "error: file not found"),
    "a wish stays": ("can you provide a list of agencies", "can you provide a list of agencies"),
    "a complaint stays": ("I cannot log in", "I cannot log in"),
    "this stays": ("this version of python fails", "this version of python fails"),
    "thought aloud": ("The user lost it.\n\nFinal answer: reset a password", "reset a password"),
    "both queries": ("Original query: forgot it\nRewritten query: reset a password", "reset a password"),
    "a role": ("assistant: reset a password", "reset a password"),
    "another tag": ("<search_query>reset a password</search_query>", "reset a password"),
    "a question stays": ("What do you mean by consistency in CAP", "What do you mean by consistency in CAP"),
    "a need stays": ("do you need a permit to build a shed", "do you need a permit to build a shed"),
    "an access problem stays": ("I don't have access to my account", "I don't have access to my account"),
    "help stays": ("how can I help a colleague", "how can I help a colleague"),
    "empty": ("", None),
    "white space": (" \n ", None),
    "no words": ("...", None),
    "empty object": ("{}", None),
    "empty array": ("[]", None),
    "empty string": ('""', None),
    "empty fence": ("```json\n{}\n```", None),
    "null": ("null", None),
    "an object about something else": ('{"status": {"code": 3}}', None),
    "never stopped thinking": ("<think>first I would reset a password", None),
    "refusal": ("I'm sorry, but I can't help with that.", None),
    "inability": ("I am unable to assist with this request.", None),
    "as an ai": ("As an AI language model, I do not search.", None),
    "asks back": ("Could you please provide the query?", None),
    "asks for more": ("Please provide more context.", None),
    "arabic refusal": ("عذرًا، لا أستطيع المساعدة.", None),
    "too long": ("word " * 200, None),
    "template": ("<query></query>", None),
    "template in brackets": ("[your rewritten query here]", None),
    "template with a label": ("Rewritten query: [insert query]", None),
    "template mark": ("${query}", None),
    "template words": ("Your query here.", None),
    "asks what is meant": ("Do you mean Atlas or Orion?", None),
    "asks which": ("Which version are you using?", None),
    "asks what to do": ("What would you like me to search for?", None),
    "asks in a friendly way": ("I'd be happy to help! What is your query?", None),
    "asks after a yes": ("Sure, I can help with that. What would you like to know?", None),
    "asks to tell more": ("Could you tell me which product you mean?", None),
    "needs more": ("I need more information to rewrite this query.", None),
    "offers help": ("How can I assist you today?", None),
    "arabic question back": ("هل يمكنك توضيح السؤال؟", None),
    "arabic request": ("يرجى تقديم المزيد من التفاصيل", None),
    "arabic inability": ("لا أستطيع مساعدتك في ذلك", None),
    "apology": ("I apologize, but I cannot do that.", None),
    "unfortunately": ("Unfortunately, I can't help with that.", None),
    "language model": ("As a large language model, I cannot search.", None),
    "no access": ("I don't have access to your documents.", None),
    "remark": ("The query is already optimal.", None),
    "nothing to do": ("No changes needed.", None),
    "only the template's end": ("<|im_end|>", None),
    "an image": ('<img src="https://x.example/p.png" onerror="alert(1)">', None),
    "a tag never closed": ("<img src=x onerror=alert(1)", None),
    "an image in Markdown": ("![reset a password](https://x.example/p.png)", None),
    "a script": ("<script>\nalert(1)\n</script>", None),
    "a comment": ("<!-- reset a password -->", None),
    "tags in JSON": ('["<p><br/></p>", "&nbsp;"]', None),
    "tags with words stay": ("what does <b> do in html", "what does <b> do in html"),
    "a type stays": ("vector<int> iterator", "vector<int> iterator"),
    "a link's words stay": ("[reset a password](https://x.example)", "[reset a password](https://x.example)"),
}


@pytest.mark.parametrize("reply", LISTS.values(), ids=LISTS.keys())
def test_a_list_is_read_as_its_two_queries(reply):
    assert read_queries(reply, limit=2, max_chars=400, original="Forgot my login?") == AB


@pytest.mark.parametrize(("reply", "reading"), ONE.values(), ids=ONE.keys())
def test_one_query(reply, reading):
    assert read_query(reply, max_chars=400) == reading


def test_the_original_counts_where_it_may_stay_whole():
    assert read_queries('["Forgot my login?"]', limit=3, max_chars=400) == ["Forgot my login?"]


@given(st.text() | st.text(alphabet='[]{}"\\,:1.) \n`<>/-ab'))
def test_no_reply_whatever_makes_the_reader_fail(reply):
    for text in read_queries(reply, limit=3, max_chars=50):
        assert text.strip()
        assert len(text) <= 50
        assert "\n" not in text
    passage = read_passage(reply, max_chars=50)
    assert passage is None or 0 < len(passage) <= 50


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("task", prompts.tasks())
def test_a_prompt_that_comes_back_is_no_reply(task, language):
    job = job_for(Task(task, "forgot my login", n=3, language=language), "en")
    bare = prompts.render_for(job.prompt, query="", n=3, language=language)
    for reply in (bare.user, " ".join(bare.user.split()), f"{bare.system}\n{bare.user}", bare.user.splitlines()[-1]):
        assert job.read(reply) == []
    assert job.read(f"{bare.user}\nreset a password") == ["reset a password"]


def test_a_prompts_own_examples_are_no_reply():
    given = lines_of('For example ["opening hours of the pool", "swimming times"] or:\n- where to renew a permit')
    reply = '["Opening hours of the pool", "swimming times!", "where to renew a permit", "reset a password"]'
    assert read_queries(reply, limit=3, max_chars=400, given=given) == ["reset a password"]


HOSTILE = [
    "what are you using ",
    "[your ",
    "please provide a ",
    "[",
    '{"a":',
    "<think>",
    "<script>",
    "<a ",
    "![",
    "![a](",
    "here are ",
    "1. ",
    "**",
    '"\\',
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.timeout(5)
def test_a_hostile_reply_is_read_quickly(piece):
    read_queries(piece * 100_000, limit=3, max_chars=400)
    read_passage(piece * 100_000, max_chars=2_000)
