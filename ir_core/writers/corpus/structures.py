"""The wordings of English comparison questions, as patterns. A pair is "A and B" or "A or B", not yet taken apart."""

from __future__ import annotations

import regex

AUX = r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|should|must|may)"
_WH = r"(?:which|what|when|where|who|how|why|whose)"
_PREPOSITION = r"(?:(?:in|on|at|by|during|for|from|of) )?"


def _pattern(*parts: str) -> regex.Pattern[str]:
    return regex.compile("^" + "".join(parts) + "$", regex.IGNORECASE)


DIFFERENCE = _pattern(
    r"(?:(?:what(?:'s|’s| is| are|)|explain|describe|tell me|is there|are there)?\s*(?:the |a |any )?",
    r"(?:main |key |big )?(?:differences?|similarit(?:y|ies)|distinction|relationship|comparison|choice|choose)",
    r"\s+between|compare|contrast)\s+(?P<pair>.+)",
)
"""What is the difference between A and B; compare A with B."""
DIFFER = _pattern(
    rf"(?:how|in what way) {AUX} (?P<a>.+?) ",
    r"(?:differ(?:ent)? (?:from|than|to)|compared? (?:to|with|against)) (?P<b>.+)",
)
"""How does A differ from B."""
VERSUS = _pattern(r"(?P<a>.+?),?\s+(?:vs\.?|versus)\s+(?P<b>.+)")
ALIKE = _pattern(
    rf"{AUX} (?P<pair>.+? and .+?) ",
    r"(?:really |actually )?(?:the same(?: thing)?|different|similar|alike|identical)",
)
"""Are A and B the same."""
ASKING_OPENING = regex.compile(r"^(?:what(?:'s|’s| is| are)|which is better|should i use|compare)[\s:,]+", regex.I)
IN_COMMON = _pattern(
    rf"(?:what|which)(?P<noun>(?: \S+){{0,4}}?) {AUX} (?P<pair>.+?) (?:have in common|both share|share)"
)
"""What (occupation) do A and B share."""
BETWEEN = _pattern(
    r"(?:in |out of |of |from )?(?:between|of|out of)\s+(?P<pair>.+?),?\s+(?P<ask>(?:which|who|what)\b.+)"
)
"""Between A and B, which is larger."""
WHICH_OF = _pattern(
    r"(?P<wh>which|who|what)(?: one)? (?:of|between|out of) (?P<pair>.+?) ",
    r"(?P<vp>(?:is|was|has|had|did|does|came)\b.+)",
)
INSIDE = _pattern(
    r"(?P<head>(?:which|what|who)\b[^,]*),\s*(?P<pair>[^,]+(?:,[^,]+)? or [^,]+),\s*(?P<vp>.+)",
)
"""Which band, A or B, had more members."""
AFTER_MARK = _pattern(
    r"(?P<ask>.+)(?:[,:;]| [-–—])\s*(?:is it |was it |either )?",
    r"(?P<pair>[^,:;]+,? or [^,:;]+(?:,? (?:Jr|Sr|Inc|I+)\.?)?)",
)
"""Which plant is larger, A or B."""
AFTER_WORD = _pattern(
    r"(?P<ask>.*\b(?:first|earlier|last|later|older|younger|larger|bigger|more recently|more)\b,?) (?P<left>.+)"
)
"""Which came first A, up to the "or"."""
ASKS_WHICH = regex.compile(rf"^{_PREPOSITION}(?:which|what|who|whose)\b", regex.I)
WH_THEN_PAIR = _pattern(rf"(?P<pre>{_PREPOSITION}{_WH}\b.*?) (?P<aux>{AUX}) (?P<rest>(?:both )?.+ and .+)")
"""What nationality are (both) A and B; what award did both A and B win."""
YES_NO = _pattern(rf"(?P<aux>{AUX})\s+(?P<rest>.+)")
STATEMENT = _pattern(r"(?P<pair>.+?),?\s+(?P<aux>are|were|have|do|did)\s+both\s+(?P<vp>.+)")
"""A and B are both dog breeds."""
GROUPED = regex.compile(r"^(?P<group>\p{Ll}+(?: \p{Ll}+)?),\s+(?P<pair>.+ and [^,]+),\s*(?P<vp>.+)$")
"""(both) magazines, A and B, …"""
BOTH_AFTER_PAIR = regex.compile(r"^(?P<pair>.+? and .+?),? (?:both|each|all) (?P<vp>.+)$")
SAME_AFTER_PAIR = regex.compile(
    r"^(?P<right>(?:(?:the|an?) )?\S+(?: \S+)?) "
    r"(?P<vp>(?:\S+ ){0,4}(?:the )?same (?!(?:for|as|in|at|to|when|with|if|on)\b).+)$",
    regex.I,
)
