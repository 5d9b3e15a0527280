"""What was asked about two things, asked about one of them: agreement, comparatives and "the same"."""

from __future__ import annotations

import regex

from ir_core.writers.corpus.names import is_plural
from ir_core.writers.corpus.spelling import english_words

_SINGULAR = {"are": "is", "were": "was", "do": "does", "have": "has"}
_BE = ("is", "are", "was", "were")
_AUXILIARY = (*_BE, "did", "does", "do", "can", "could", "will", "would")
_BASES = {"came": "come", "won": "win", "began": "begin", "became": "become", "made": "make"} | dict.fromkeys(
    ("has", "had", "have"), "have"
)
_IRREGULAR = {"better": "good", "best": "good", "worse": "bad", "worst": "bad", "farther": "far", "further": "far"}

_VERB = "|".join((*_AUXILIARY, *_BASES, "contains?", "lived", "died"))
_ASK = regex.compile(
    rf"^(?P<wh>\S+(?: one)?)(?P<noun>(?: (?!(?:{_VERB})\b)\S+)*?) (?P<verb>{_VERB})\b\s*(?P<rest>.*)$", regex.I
)
_UNKNOWN_VERB = regex.compile(r"^\S+(?: \S+)*? (?P<verb>\p{Ll}+ed)\b\s*(?P<rest>.*)$")
_ORDER = regex.compile(
    r"\b(?:first|earliest|earlier|last|later|latest|sooner|before|(?:more|most) recent(?:ly)?)\b,?", regex.I
)
_OLDER = regex.compile(r"\b(?:older|oldest|younger|youngest)\b", regex.I)
_MORE_OF = regex.compile(
    r"^(?:a |the )?(?:more|most|fewer|fewest|less|(?:higher|larger|greater|bigger) number of) (?P<noun>.+)$", regex.I
)
_MORE_ADJECTIVE = regex.compile(r"^(?:the )?(?:more|most|less|least) (?P<adjective>\p{L}+)\b ?(?P<rest>.*)$", regex.I)
_COMPARATIVE = regex.compile(r"^(?:the )?(?P<adjective>\p{L}{2,}(?:er|est))\b ?(?P<rest>.*)$", regex.I)
_SAME = regex.compile(r"^(?P<pre>.*?)\b(?:the |a )?same (?P<noun>.+)$", regex.I)
_WH_INSIDE = regex.compile(r"^(?P<pre>.+?) (?P<wh>(?:(?:in|during|on|by|for|from|of) )?(?:which|what) .+)$", regex.I)
_PLURAL_NOUN = regex.compile(
    r"^(?P<head>(?:\p{L}[\p{L}\-]* ){0,3}?\p{L}*[^s\W]s)"
    r"(?P<tail>(?: (?:of|in|from|on|at|by|for|who|that|with|developed|located|made|based)\b.*)?)$"
)
_NO_NOUN = regex.compile(r"^(?:in|on|at|from|of|the|an?|known|made|\p{L}+ed)\b")


def what_is(thing: str) -> str:
    """The question for any thing that is not a clause: "What is X?"."""
    return f"What {agreed('is', thing)} {thing}?"


def agreed(verb: str, thing: str) -> str:
    """The auxiliary in the number of the thing: "are" gives "is" for one name, "does" gives "do" for "invoices"."""
    verb = verb.lower()
    if is_plural(thing):
        return next((plural for plural, single in _SINGULAR.items() if single == verb), verb)
    return _SINGULAR.get(verb, verb)


def asked_of_each(ask: str, thing: str) -> str:
    """One thing is asked what "Which plant is larger" asks of two: "How large is the Pterocarya?"."""
    ask = ask.strip(" ,:;-–—")
    match = _ASK.match(ask)
    if match is None:
        return _unread(ask, thing)
    verb, rest = agreed(match["verb"], thing), match["rest"].strip()
    do = agreed("do", thing) if verb in {"has", "have"} else "did"
    if _ORDER.search(rest) or _ORDER.search(match["noun"]):
        return _when(verb, regex.sub(r"\s+", " ", _ORDER.sub("", rest)).strip(" ,"), thing)
    if _OLDER.search(rest):
        person = match["wh"].lower() == "who" or "born" in rest
        return f"When was {thing} born?" if person else f"How old {agreed('is', thing)} {thing}?"
    counted = _MORE_OF.match(rest)
    if counted and verb not in _AUXILIARY:
        return f"How many {counted['noun']} {do} {thing} {_BASES.get(verb, verb)}?"
    graded = _graded(rest)
    if verb in _BE and graded:
        return f"How {graded[0]} {verb} {thing} {graded[1]}".strip() + "?"
    if verb in _AUXILIARY:
        return f"{verb.capitalize()} {thing} {rest}?"
    return f"{do.capitalize()} {thing} {_BASES.get(verb, verb)} {rest}?"


def shared_predicate(aux: str, thing: str, predicate: str) -> str:
    """One thing is asked what "Are A and B …" asks of two: "Is A …?"; "the same N" becomes "Which N …"."""
    own = agreed(aux, thing)
    single = own in {"is", "was"}
    predicate = regex.sub(r"^(?:both|each|all) ", "", predicate)
    inside = _WH_INSIDE.match(predicate)
    if inside:
        asked = inside["wh"][0].upper() + inside["wh"][1:]
        return f"{asked} {own} {thing} {_singular(inside['pre']) if single else inside['pre']}?"
    same = _SAME.match(predicate)
    if same:
        before = same["pre"].strip()
        return f"Which {same['noun']} {own} {thing} {_singular(before) if single else before}".strip() + "?"
    return f"{own.capitalize()} {thing} {_singular(predicate) if single else predicate}?"


def _when(verb: str, rest: str, thing: str) -> str:
    if verb in _AUXILIARY:
        return f"When {verb} {thing} {rest}".strip() + "?"
    if verb == "came" and not rest:
        return f"When was {thing}?"
    return f"When did {thing} {_BASES.get(verb, verb)} {rest}".strip() + "?"


def _unread(ask: str, thing: str) -> str:
    """A main verb that is not in the list: "Which band formed first" is read as wh, noun, verb in -ed."""
    match = _UNKNOWN_VERB.match(ask)
    if match:
        base, rest = _base(match["verb"]), match["rest"]
        if _ORDER.search(rest):
            return f"When did {thing} {base} {_ORDER.sub('', rest).strip()}".strip() + "?"
        return f"Did {thing} {base} {rest}".strip() + "?"
    about = regex.sub(r"^(?:in |on )?(?:which|what|who|whose)\b\s*", "", ask, flags=regex.I)
    return f"{thing[0].upper()}{thing[1:]}: {about}?"


def _base(verb: str) -> str:
    stems = (verb[:-1], verb[:-2], verb[:-3])
    return next((stem for stem in stems if stem in english_words()), verb[:-2])


def _graded(rest: str) -> tuple[str, str] | None:
    """(adjective, the rest) of a comparative; a superlative with a noun ("the largest hospital") is none."""
    match = _MORE_ADJECTIVE.match(rest)
    if match:
        return match["adjective"], match["rest"]
    match = _COMPARATIVE.match(rest)
    if match is None or (match["rest"] and match["adjective"].endswith("est")):
        return None
    word = match["adjective"].lower()
    stem = regex.sub(r"(?:er|est)$", "", word)
    bases = (stem, stem + "e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem, stem[:-1] + "y")
    base = _IRREGULAR.get(word) or next((item for item in bases if item in english_words()), None)
    return (base, match["rest"]) if base else None


def _singular(predicate: str) -> str:
    """One of many: "a film director" of "film directors", "a member of X" of "members of X"; a participle stays."""
    match = _PLURAL_NOUN.match(predicate)
    if match is None or _NO_NOUN.match(predicate):
        return predicate
    head = match["head"]
    if head.endswith("ies"):
        head = head[:-3] + "y"
    elif regex.search(r"(?:sh|ch|x|ss)es$", head):
        head = head[:-2]
    else:
        head = head[:-1]
    return f"{_article(head)} {head}{match['tail']}"


def _article(word: str) -> str:
    return "an" if regex.match(r"[aeiou]", word, regex.I) else "a"
