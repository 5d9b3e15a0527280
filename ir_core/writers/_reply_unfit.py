"""What is no answer: a refusal, a question back to the user, a remark on the query, a template left as it was, a page
that a server sent in the model's place.

Matched at the beginning of a text, in English and Arabic. A query may be polite or a complaint ("can you provide a
list of agencies", "I cannot log in"), so each pattern has words only a model says of itself or of its task.
"""

from __future__ import annotations

import re

_REFUSES = (
    r"i(?:'m|’m| am) (?:so |very )?sorry\b|sorry,? (?:but )?i\b|i (?:apologi[sz]e|must decline)\b|"
    r"unfortunately,? i\b|"
    r"(?:as|i(?:'m|’m| am)(?: just| only)?) an? (?:ai\b|artificial intelligence|(?:large )?language model)|"
    r"i (?:can(?:no|['’])t|can not|am (?:un|not )able to|(?:'m|’m) (?:un|not )able to|won['’]t|do not|don['’]t) "
    r"(?:help|assist|provide|answer|rewrite|generate|fulfil|comply|do that|create|search|browse)|"
    r"i (?:don['’]t|do not) have (?:enough (?:information|context|details)|the (?:ability|context|conversation)|"
    r"access to (?:your|the internet|real-?time|external|any|previous))|"
    r"عذر[اًا]+[،, ]|آسف|أعتذر|(?:للأسف[،, ]*)?لا (?:أستطيع|يمكنني) (?:مساعد|المساعد|تقديم|كتاب|الإجاب|تلبي)|"
    r"بصفتي نموذج"
)
_ASKS = (
    r"(?:please|(?:could|can|would) you(?: please)?) (?:provide|share|clarify|specify|give)(?: me)?(?: with)? "
    r"(?:the|a|an|your|more|what|which|whether)(?: \w+)? ?"
    r"(?:query|question|text|context|input|conversation|details|information|you)|"
    r"(?:could|can|would) you(?: please)? (?:tell me (?:more|(?:what|which|whether)\b.*\byou\b)|elaborate|"
    r"be more specific)|"
    r"please (?:elaborate|be more specific|tell me)|(?:do|did) you mean|how (?:can|may) i (?:help|assist) you|"
    r"are you (?:asking|referring|talking|looking for|trying to)|what(?:'s| is) your (?:query|question)|"
    r"(?:what|which|how) would you like\b|i need (?:some )?more (?:information|context|details)|"
    r"i(?:'d|’d| would) be (?:happy|glad) to|i can (?:help|assist)(?: you)? with|"
    r"(?:what|which)\b.*\b(?:are you (?:using|referring|asking|talking)|do you (?:want me|mean))\b.*\?$|"
    r"هل يمكنك (?:من فضلك )?(?:توضيح|تحديد|تقديم|تزويدي)|(?:يرجى|من فضلك) (?:تقديم|توضيح|تحديد|تزويدي|وضح|حدد)|"
    r"(?:ماذا|ما الذي) تقصد|هل تقصد|كيف يمكنني مساعدتك"
)
_REMARKS = (
    r"no (?:changes?|rewrit\w+|improvements?|modifications?|sub-?questions?)\b.{0,30}\b"
    r"(?:needed|required|necessary)\b|the (?:query|question) (?:is|remains|looks|seems|was) "
    r"(?:already|unchanged|fine|clear|good|optimal|well|simple)\b"
)
_NO_ANSWER = re.compile(rf"(?:{_REFUSES}|{_ASKS}|{_REMARKS})", re.I)
_TEMPLATE = re.compile(
    r"[\[<{(]\s*(?:(?:your|insert|the|a|one|rewritten|new|alternative|search|user'?s?|original)\b[^\]>})]*|"
    r"(?:query|question|passage|text|string)\s*\d{0,2})[\]>})]|"
    r"(?:(?:insert|write|put) )?(?:the |your )(?:\w+ )?(?:query|question|passage|text) (?:goes )?here|"
    r"(?:sub-?\s?)?(?:query|question|variant|variation|string|passage|text)\s*#?\d{0,2}|\W*\w*\$?\{\w+\}\W*",
    re.I,
)
_PAGE = re.compile(
    r"\s*(?:<\?xml[^<>]*>\s*)?(?:(<!doctype\b[^<>]*>)\s*)?(?:<!--.*?-->\s*)?"
    r"<(html|head|title|body|div|center|main|h[1-6]|p|pre)\b[^<>]*>.*</\2\s*>\s*",
    re.I | re.S,
)
_STATUS = re.compile(
    r"\b[45]\d\d\b|\b(?:bad gateway|gateway time-?out|service (?:temporarily )?unavailable|internal server error|"
    r"forbidden|unauthorized|access denied|not found|too many requests|bad request|request time-?out)\b",
    re.I,
)


def is_page(text: str) -> bool:
    """True for an HTML page: its tags are around all of it, and it is a whole document or names an HTTP status."""
    found = _PAGE.fullmatch(text)
    return found is not None and bool(found[1] or found[2].lower() == "html" or _STATUS.search(text))


def is_unfit(text: str) -> bool:
    """True for a text that is no query and no passage, whatever was asked."""
    if is_page(text):
        return True
    return _NO_ANSWER.match(text) is not None or _TEMPLATE.fullmatch(text.strip(" .")) is not None
