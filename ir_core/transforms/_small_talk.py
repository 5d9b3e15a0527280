"""Small talk, by rules: a text made of nothing but greetings, thanks, praise, farewells and the like.

Every word of it has to belong to one of these phrases: "thanks, and how do I undo it?" asks for something. Words that
a document may be about ("fine", "cool", "nice") count only inside a longer phrase.
"""

from __future__ import annotations

import regex

from ir_core.text import normalise

_ENGLISH = (
    r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day|night))"
    r"(?: (?:there|all|everyone|everybody|again|team|folks))?",
    r"how (?:are|r) (?:you|u|things)(?: doing| all)?(?: today)?|how(?:s| is) it going|how do you do|what ?s up"
    r"|(?:nice|pleased) to meet you",
    r"(?:many |big )?(?:thanks|thank (?:you|u)|thx|ty|cheers)"
    r"(?: (?:so|very) much| a (?:lot|million|bunch|ton)| again)?"
    r"(?: for (?:that|this|everything|(?:all )?(?:your|the) help))?",
    r"(?:(?:that|this|it)(?: really| has)? (?:helped|helps)|very helpful|(?:that|this|it)(?: (?:i|wa))?s"
    r"(?: really| very| so)? (?:helpful|great|perfect|all|it|the one|awesome|brilliant|good to know))"
    r"(?: (?:me )?a lot)?|i have (?:all|everything|what) i need(?:ed)?",
    r"you(?:re| are) (?:a star|a lifesaver|the best|great|awesome|amazing|welcome|very kind)",
    r"ok|okay|great|perfect|awesome|brilliant|excellent|amazing|wonderful|lovely|nice one|well done|good job"
    r"|fair enough|got it|understood|i see|makes sense|all ?right|no (?:problem|worries)|never ?mind"
    r"|(?:ha){2,}h?|lol|wow|hm+",
    r"(?:good ?)?bye(?: bye)?(?: for now)?|see you(?: later| soon| tomorrow)?|take care|cya"
    r"|have a (?:nice|good|great|lovely) (?:day|one|evening|weekend)|nothing else|(?:that is|thats) (?:all|it)",
    r"are you (?:there|real|human|a (?:real )?(?:person|human|bot|robot|machine))|who are you|whats your name",
)
_ARABIC = (
    r"مرحبا(?: بكم| بك)?|اهلا(?: وسهلا| بكم| بك)?|هلا|السلام عليكم(?: ورحم[ةه] الله(?: وبركاته)?)?|وعليكم السلام",
    r"صباح (?:الخير|النور)|مساء (?:الخير|النور)|كيف (?:حالكم|حالك|الحال)|شلونك|تشرفنا",
    r"(?:الف )?شكرا(?: جزيلا| كثيرا| لكم| لك| علي المساعد[ةه]| على المساعد[ةه])*|اشكر(?:كم|ك)|مشكور(?:ين|ه|ة)?|ممنون",
    r"جزاك الله خيرا|بارك الله فيك|يعطيك العافي[ةه]|احسنت|ممتاز|رائع(?: جدا)?|تمام|حسنا|طيب|فهمت|ههه+",
    r"مع السلام[ةه]|(?:الى|الي) اللقاء|وداعا|تصبح على خير|من انت|هل انت (?:انسان|روبوت|حقيقي)|ما اسمك",
)
_BETWEEN = r"(?:and|so|well|oh|no|yes|yeah|yep|please|today|now|then|very|really|for (?:today|now)|و|جدا|اليوم|الان)"
_ALL = regex.compile(rf"(?: |{_BETWEEN}(?= |$)|(?P<said>{'|'.join((*_ENGLISH, *_ARABIC))})(?= |$))+")
_APOSTROPHE = regex.compile(r"['’`]")
_NO_WORD = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
MAX_CHARS = 120
"""Small talk is short, and a long text is not worth the matching."""


def is_small_talk(text: str) -> bool:
    """True for a text that asks for nothing, in English or Arabic; False wherever one word says otherwise."""
    if len(text) > MAX_CHARS:
        return False
    words = _NO_WORD.sub(" ", _APOSTROPHE.sub("", normalise(text))).strip()
    match = _ALL.fullmatch(words)
    return bool(match and match.group("said"))
