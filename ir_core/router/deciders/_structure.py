"""How a question is built: comparisons, quantities, premises, second questions, breadth, pointing back."""

from __future__ import annotations

import regex

from ir_core.router.deciders._reading import Reading

_COMPARES = regex.compile(
    r"\b(?:versus|vs\.?|compared? (?:with|to)|compare|differences? (?:between|in)|differ|rather than|instead of"
    r"|(?:or|versus) the other|same as|which of)\b"
    r"|\b(?:before|after) or (?:before|after)\b"
    r"|\b(?:more|less|fewer|longer|sooner|later|earlier|\w{3,}er)\b.*\bthan\b"
    r"|\b(?:who|which|what)(?: one)? (?:is|are|has|gets?|costs?|takes?|lasts?) (?:the )?(?:more|less|\w{3,}er)\b"
    r"|\b(?:more|less|longer|\w{4,}(?<!ev|rath|oth|numb|memb|und|ov|aft|wh)er)\b[^?]*\bor\b(?: (?:on|for|in|at))?"
    r" (?:a|an|the)\b"
    r"|(?:^| )(?:مقارن[ةه]|الفرق بين|اكثر من|اقل من)"
)
_QUANTITY = regex.compile(
    r"\bhow (?:many|much|long|old|soon|quick(?:ly)?|fast|few|often|far|high|big|large|late|early)\b"
    r"|\bwhat (?:share|slice|portion|percentage|proportion|part|fraction)\b"
    r"|\b(?:longest|earliest|latest|shortest|at most|at least)\b|(?:^| )كم "
)
_QUESTION = (
    r"(?:what|when|which|who|whose|whom|where|why|how|can|could|may|must|do|does|did|is|are|will|would|should|what's|"
    r"until when|at which|on which|ما|متى|هل|كم|كيف|اين|من)"
)
_PREMISE = regex.compile(rf"\w{{3,}} \w+[^?]*(?:[.,;:!]|\s[-–—])\s(?:(?:and|so|but|then) )?{_QUESTION}\b")
_TWICE = regex.compile(
    rf"\b(?:both|each of|respectively|as well as)\b"
    rf"|\band (?:also|(?:on |at |in |by |for |until )?{_QUESTION}\b)|\?.+\?"
)
_NUMBER = regex.compile(
    r"\b\d+(?:st|nd|rd|th)?\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|"
    r"million)\b"
)
_BROAD = regex.compile(
    r"\b(?:everything|anything|all)(?: there is)?(?: to know)? (?:that|about|on|for|the (?:ways|things|rules))\b"
    r"|^all (?:the|about|of)\b|\b(?:tell|teach|show) (?:me|us) (?:about|all|everything)\b"
    r"|\b(?:options|possibilities|overview|introduction|basics|essentials|in general|generally|special terms|best "
    r"practices?|getting started|guide to|explain(?:ed)?|the (?:whole|entire|full) (?:process|procedure|story)"
    r"|where (?:do|should|can) (?:i|we) (?:start|begin)|from start to finish|step by step|start to end)\b"
    r"|\b(?:rules|requirements|guidance|guidelines|polic(?:y|ies)|tips|advice|obligations|regulations|conditions|rights"
    r"|duties|limits|information|help|details) (?:about|for|on|when|around|of|with)\b"
    r"|\b(?:steps|ways|kinds|types|sorts|forms|stages|phases) (?:after|before|to|of|for|in)\b"
    r"|\bhow does .* work\b|\bhow (?:do|can|should) (?:we|i|you) (?:deal|cope|go about|manage|handle|look after)\b"
    r"|\bwhat (?:should|do|must) (?:we|i|you) (?:know|do|watch|consider|keep|bear|think)\b"
    r"|\bwhat (?:else|all|kinds?|sorts?|types?)\b|\bwhat are (?:the|our|my) (?:rules|ways|choices|options|steps)\b"
    r"|\b(?:dealing|working|coping|living) with\b|(?:^| )(?:كل ما|نظر[ةه] عام[ةه])"
)
"""Phrases that ask for an area in any subject."""
_SAYS_MORE = regex.compile(
    rf"\?|\b(?:i|i'm|we|we're|me|us|my|our|you|your|they|he|she|it|its|{_QUESTION[3:-1]}|was|were|has|have|had|am|be|"
    r"isn't|aren't|won't|can't|don't|doesn't)\b"
)
"""Marks of a sentence: a phrase without any is a topic."""
_COLLOQUIAL = regex.compile(
    r"\b(?:i|i'm|me|my|cant|dont|wont|can't|won't|doesn't|stuff|things?|guys?|blokes?|folks?|boss|kinda|gonna|wanna|w/o|"
    r"somebody|someone|nobody|get in|get rid|mess(?:ed|ing)? up|throw|thrown)\b"
)
_BACK = regex.compile(
    r"\b(?:it|its|that|this|these|those|they|them|their|theirs|he|she|him|his|her|hers|ones?|there|other|another|same|"
    r"instead|again|else|either|both|then)\b|(?:^| )(?:ذلك|هذا|هذه|تلك|هو|هي|هم|الاخر|هناك)(?= |$|؟)"
)
_GOES_ON = regex.compile(
    r"^(?:and|but|or|so|also|then|what about|how about|what if|why not|until when|since when)\b"
    r"|^(?:وماذا|وكيف|وهل|وما|ولماذا|ومتى|واين)\b"
)


def _first(pattern: regex.Pattern[str], r: Reading, what: str) -> str | None:
    match = pattern.search(r.plain)
    return f"{what}: “{match.group().strip()}”" if match else None


def compares(r: Reading) -> str | None:
    return _first(_COMPARES, r, "it compares")


def asks_quantity(r: Reading) -> str | None:
    """Only where the rest is not in the documents' words: else one document says the number."""
    return _first(_QUANTITY, r, "asks for a quantity") if r.unknown_share > 0.2 or len(r.words) > 12 else None


def has_premise(r: Reading) -> str | None:
    """A statement the question depends on."""
    return "a premise, then a question" if _PREMISE.search(r.plain) and len(r.words) > 7 else None


def asks_twice(r: Reading) -> str | None:
    return _first(_TWICE, r, "a second question") if len(r.words) > 6 else None


def counts(r: Reading) -> str | None:
    return _first(_NUMBER, r, "a number") if not r.codes and len(r.words) > 6 else None


def is_broad(r: Reading) -> str | None:
    return _first(_BROAD, r, "asks for a whole area") or (
        "a list of topics" if r.plain.count(",") >= 2 and "?" not in r.plain and len(r.words) < 12 else None
    )


def is_topic(r: Reading) -> str | None:
    """A phrase that is neither question nor statement, in words that are not all the documents' own."""
    fits = 3 <= len(r.words) <= 9 and r.unknown and not _SAYS_MORE.search(r.plain)
    return "a topic, and no question" if fits else None


def is_colloquial(r: Reading) -> str | None:
    return _first(_COLLOQUIAL, r, "everyday speech")


def points_back(r: Reading) -> str | None:
    return _first(_BACK, r, "points back")


def goes_on(r: Reading) -> str | None:
    return _first(_GOES_ON, r, "goes on from what was said")
