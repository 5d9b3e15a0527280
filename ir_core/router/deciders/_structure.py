"""How a query is built: question, phrase, activity, second clause, comparison, quantity, breadth, pointing back."""

from __future__ import annotations

import regex

from ir_core.router.deciders._reading import Reading

_COMPARES = regex.compile(
    r"\b(?:versus|vs\.?|compared? (?:with|to)|compare|differences? (?:between|in)|differ|rather than|instead of"
    r"|(?:or|versus) the other|same as|which of (?:the|these|those|them))\b"
    r"|\b(?:before|after) or (?:before|after)\b"
    r"|\b(?:more|less|fewer|longer|sooner|later|earlier|\w{3,}er)\b.*\bthan\b(?! (?:once|one|twice|two|a|\d))"
    r"|\b(?:who|which|what)(?: one)? (?:is|are|has|gets?|costs?|takes?|lasts?) (?:the )?(?:more|less|\w{3,}er)\b"
    r"|\b(?:more|less|longer|\w{4,}(?<!ev|rath|oth|numb|memb|und|ov|aft|wh)er)\b[^?]*\bor\b(?: (?:on|for|in|at))?"
    r" (?:a|an|the)\b"
    r"|(?:^| )[وف]?(?:مقارن[ةه]|قارن|الفرق بين|اكثر من|اقل من|اطول من|اقصر من|اغلى من|ارخص من|افضل من|ايهما|ايهم)"
    r"(?= |$|؟)"
)
_EXPLICIT = regex.compile(
    r"\b(?:versus|vs\.?|compare|comparison|compared (?:with|to)|differences? between"
    r"|how (?:does|do|is|are) .+ differ)\b"
    r"|(?:^| )[وف]?(?:ال)?(?:مقارن[ةه]|قارن|فرق بين|ايهما)(?= |$|؟)"
)
_QUANTITY = regex.compile(
    r"\bhow (?:many|much|long|old|soon|quick(?:ly)?|fast|few|often|far|high|big|large|late|early)\b"
    r"|\bwhat (?:share|slice|portion|percentage|proportion|part|fraction)\b"
    r"|\b(?:longest|earliest|latest|shortest|at most|at least)\b|(?:^| )[وف]?كم "
)
_QUESTION = (
    r"(?:what|when|which|who|whose|whom|where|why|how|can|could|may|must|do|does|did|is|are|will|would|should|what's|"
    r"until when|at which|on which|[وف]?(?:ما|ماذا|متى|هل|كم|كيف|اين|لماذا|اي|من))"
)
_BROAD = regex.compile(
    r"\b(?:everything|anything|all)(?: there is)?(?: to know)? (?:that|about|on|for|the (?:ways|things|rules))\b"
    r"|^all (?:the|about|of)\b|\b(?:tell|teach|show) (?:me|us) (?:about|all|everything)\b"
    r"|\b(?:options|possibilities|overview|introduction|basics|essentials|in general|generally|special terms|best "
    r"practices?|getting started|guide to|explain (?:how|the|what|to)|the (?:whole|entire|full) (?:process|procedure"
    r"|story)"
    r"|where (?:do|should|can) (?:i|we) (?:start|begin)|from start to finish|step by step|start to end)\b"
    r"|\b(?:rules|requirements|guidance|guidelines|polic(?:y|ies)|tips|advice|obligations|regulations|conditions|rights"
    r"|duties|limits|information) (?:about|for|on|when|around|of|with)\b"
    r"|\b(?:steps|ways|kinds|types|sorts|forms|stages|phases) (?:after|before|to|of|for|in)\b"
    r"|\bhow does .* work\b|\bhow (?:do|can|should) (?:we|i|you) (?:deal|cope|go about|manage|handle|look after)\b"
    r"|\bwhat (?:should|do|must) (?:we|i|you) (?:know|do|watch|consider|keep|bear|think)\b"
    r"|\bwhat (?:else|all|kinds?|sorts?|types?)\b|\bwhat are (?:the|our|my) (?:rules|ways|choices|options|steps)\b"
    r"|\b(?:dealing|working|coping|living) with\b|\b(?:everything|anything) (?:there|which|i|we|you|to)\b"
    r"|\bwhat (?:is|are|do (?:we|you)) (?:there|use|have|offer)\b"
    r"|(?:^| )(?:كل ما|كل شيء|جميع|نظر[ةه] عام[ةه]|ماذا تقدم|ما هي (?:الخيارات|الخدمات|انواع))(?= |$|؟)"
)
"""Phrases that ask for an area in any subject."""
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
_ASKS = regex.compile(rf"^(?:and |so |but )?{_QUESTION}\b|[?؟]\s*$")
"""Opens like a question, or ends like one."""
_GERUND = regex.compile(r"^\w{2,}ing\b(?! (?:is|are|was|were|has|does)\b)")
_AND_DOES = regex.compile(
    r"\b(?:and|then|after|before|once|whether)(?: (?:also|then))? (?!the |a |an |my |our )\w+ (?:\w+ )?"
    r"(?:the|a|an|each|every|my|our|some|it|them|up|out|me|us|whether|how|who|what|for the)\b"
)
"""A conjunction, then a word and what it acts on."""
_FINITE = regex.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|does|do|did|can|can't|cant|could|will|won't|would|must|may|should|"
    r"i'm|we're|doesn't|don't|dont|isn't|aren't|wasn't|\w+n't)\b"
)
_PERSON = regex.compile(
    r"\b(?:i|i'm|i've|we|we're|we've|me|us|my|our|ours|mine)\b"
    r"|(?:^| )(?:انا|نحن|عندي|لدي|لدينا|اريد|نريد|\w{3,}(?:تي|ني|نا))(?= |$|؟|،)"
)


def _first(pattern: regex.Pattern[str], r: Reading, what: str) -> str | None:
    match = pattern.search(r.plain)
    return f"{what}: “{match.group().strip()}”" if match else None


def compares(r: Reading) -> str | None:
    return _first(_COMPARES, r, "it compares")


def asks_to_compare(r: Reading) -> str | None:
    return _first(_EXPLICIT, r, "asks for a comparison") if len(r.words) > 2 else None


def asks_quantity(r: Reading) -> str | None:
    """Only where the rest is not in the documents' words: else one document says the number."""
    return _first(_QUANTITY, r, "asks for a quantity") if r.unknown_share > 0.2 or len(r.words) > 12 else None


def is_broad(r: Reading) -> str | None:
    return _first(_BROAD, r, "asks for a whole area") or (
        "a list of topics" if r.plain.count(",") >= 2 and "?" not in r.plain and len(r.words) < 12 else None
    )


def is_colloquial(r: Reading) -> str | None:
    return _first(_COLLOQUIAL, r, "everyday speech")


def points_back(r: Reading) -> str | None:
    return _first(_BACK, r, "points back")


def goes_on(r: Reading) -> str | None:
    return _first(_GOES_ON, r, "goes on from what was said")


def asks(r: Reading) -> str | None:
    return "it is a question" if _ASKS.search(r.plain) else None


def gerund(r: Reading) -> str | None:
    """An activity, with no question about it."""
    return "it names an activity" if _GERUND.search(r.plain) and not asks(r) else None


def second_clause(r: Reading) -> str | None:
    return _first(_AND_DOES, r, "a second clause") if len(r.words) > 6 else None


def phrase(r: Reading) -> str | None:
    fits = len(r.words) > 2 and not asks(r) and not _FINITE.search(r.plain) and not _PERSON.search(r.plain)
    return "a phrase, neither question nor statement" if fits else None


def person(r: Reading) -> str | None:
    return _first(_PERSON, r, "speaks of oneself")
