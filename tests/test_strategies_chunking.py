"""Cutting texts: what must hold for any text, with the real MiniLM tokenizer, and where cuts should fall."""

from __future__ import annotations

import time
import warnings
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ir_core.errors import BadInput, BadSetting
from ir_core.strategies import DFLT_CHUNK_MAX_TOKENS, Chunked, TokenizerUnavailable, strategy_id
from ir_core.strategies._chunking import token_slices
from ir_core.strategies._tokenizers import open_tokenizer

SCRIPTS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGéüñßøİı.,;!?'-_/0123456789",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءأإآةىًٌٍَُِّْـ؟،",
    "chinese": "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生。，！？",
    "devanagari": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंः।",
    "thai": "กขคงจฉชซญณดตถทธนบปผฝพฟภมยรลวศษสหอะาำิีึืุูเแโใไ่้๊๋์",
    "emoji": "😀😃🎉👩‍💻👨‍👩‍👧🏳️‍🌈👍🏽🇩🇿❤️",
    "hidden": "\u200b\u200c\u200d\u2060\ufeff\u00ad\u0000\u0007\ufffd\ud800\udfff",
    "odd": "ﷺﬁⅧ㎏½²Ꙁ𝔄𝟙İẞ",
}
WORD = st.one_of(*(st.text(alphabet=list(letters), min_size=1, max_size=12) for letters in SCRIPTS.values()))
GIANT = st.builds(
    lambda letters, n: (letters * (n // len(letters) + 1))[:n],
    st.one_of(*(st.text(alphabet=list(letters), min_size=1, max_size=7) for letters in SCRIPTS.values())),
    st.integers(80, 600),
)
GAP = st.sampled_from([" ", " ", " ", " ", "\n", "\n\n", ". ", "\t", "\u3000", "      ", "\r\n", ""])
TEXT = st.lists(st.tuples(st.one_of(WORD, WORD, WORD, WORD, GIANT), GAP), max_size=60).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(text: str, strategy: Chunked) -> list[str]:
    surfaces = strategy.decompose("a", text).surfaces
    covered = bytearray(len(text))
    last = -1
    for number, surface in enumerate(surfaces):
        start, end = surface.metadata["start"], surface.metadata["end"]
        assert surface.text == text[start:end] == text[start:end].strip() != ""
        assert start > last
        assert surface.id == f"a#chunk#{number}"
        assert surface.metadata["chunk_index"] == number
        assert surface.metadata["n_chunks"] == len(surfaces)
        last = start
        covered[start:end] = b"\x01" * (end - start)
    assert not [char for char, seen in zip(text, covered, strict=True) if not seen and not char.isspace()]
    return [surface.text for surface in surfaces]


@SETTINGS
@given(TEXT, st.integers(1, 80), st.data())
def test_characters_lose_nothing_and_stay_within_the_size(text, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    chunks = check(text, Chunked(chunk_size=size, overlap=overlap))
    assert all(len(chunk) <= size for chunk in chunks)


@SETTINGS
@given(TEXT, st.integers(4, 60), st.integers(0, 99))
@example("ﷺ" * 300, 4, 50)
@example("a" * 5_000, 250, 16)
@example("\u200b" * 50, 10, 50)
@example("x\u0301" * 400, 9, 30)
def test_tokens_lose_nothing_and_never_exceed_the_limit(text, limit, overlap_percent):
    tokenizer = open_tokenizer("all-MiniLM-L6-v2")
    chunks = check(text, Chunked(chunk_size=100, overlap=overlap_percent, max_tokens=limit))
    for chunk in chunks:
        assert tokenizer.count(chunk) + tokenizer.special <= limit or len(chunk) == 1


def test_no_chunk_of_the_forms_default_is_cut_by_the_embedder(minilm):
    text = "Réindexation asynchrone: المستندات الطويلة 文档太长了 unbelievably-hyphenated_identifiers(42). " * 120
    chunks = check(text, Chunked(max_tokens=DFLT_CHUNK_MAX_TOKENS))
    assert len(chunks) > 10
    counts = minilm.token_counts(chunks)
    assert max(counts) <= DFLT_CHUNK_MAX_TOKENS < minilm.max_tokens
    # Windows are filled: all but the last use at least half of what they may.
    assert min(counts[:-1]) > DFLT_CHUNK_MAX_TOKENS / 2


class EveryCharacterIsFour:
    """A byte-level tokenizer that makes four tokens of each character, all at its place."""

    name, special = "bytes", 0

    def offsets(self, text):
        return [(place, place + 1) for place in range(len(text)) for _ in range(4)]

    def counts(self, texts):
        return [4 * len(text) for text in texts]


def test_a_character_of_more_tokens_than_the_limit_stands_alone():
    assert token_slices("abc d", EveryCharacterIsFour(), 3, 1) == [(0, 1), (1, 2), (2, 3), (4, 5)]


def test_windows_end_with_a_sentence_or_a_word():
    text = "The first sentence ends here. The second one ends there. A third is the last of them."
    assert check(text, Chunked(chunk_size=65, overlap=0)) == [
        "The first sentence ends here. The second one ends there.",
        "A third is the last of them.",
    ]
    assert check("alpha beta gamma delta", Chunked(chunk_size=12, overlap=6)) == [
        "alpha beta",
        "beta gamma",
        "gamma delta",
    ]


def test_a_paragraph_is_preferred_to_a_fuller_window():
    text = "One paragraph of some words.\n\nAnother one. It goes on for a while"
    assert check(text, Chunked(chunk_size=45, overlap=0))[0] == "One paragraph of some words."


def test_a_hard_cut_keeps_marks_on_their_letters():
    family = "👨‍👩‍👧"
    chunks = check(family * 8, Chunked(chunk_size=12, overlap=0))
    assert set(chunks) == {family * 2}


@pytest.mark.parametrize("text", ["", "   \n\t ", "\u3000"])
@pytest.mark.parametrize("limit", [None, 10])
def test_blank_texts_have_no_surface(text, limit):
    assert Chunked(max_tokens=limit).decompose("a", text).surfaces == ()


def test_an_overlap_as_large_as_the_chunk_is_refused():
    with pytest.raises(BadSetting, match=r"overlap = 200 is not smaller .*such as chunk_size=200,overlap=33\)"):
        Chunked(chunk_size=200)
    with pytest.raises(BadSetting, match="lowest value is 1"):
        Chunked(chunk_size=0, overlap=0)


def test_without_the_tokenizer_characters_are_cut_with_a_warning(tmp_path):
    text = "word " * 200
    strategy = Chunked(chunk_size=100, overlap=10, max_tokens=20, token_model=str(tmp_path / "nowhere"))
    with pytest.warns(TokenizerUnavailable, match="cut by characters") as caught:
        chunks = [check(text, strategy) for _ in range(3)][-1]
    assert len(caught) == 1
    assert chunks == check(text, Chunked(chunk_size=100, overlap=10))
    # The same settings give other chunks once the tokenizer is there, so the id says which it was.
    assert strategy_id(strategy).startswith("Chunked-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "characters" in strategy.unit


def test_overlap_keeps_its_share_in_tokens():
    words = " ".join(f"w{number}" for number in range(400))
    tokenizer = open_tokenizer("all-MiniLM-L6-v2")
    surfaces = Chunked(chunk_size=100, overlap=25, max_tokens=82).decompose("a", words).surfaces
    shared = [tokenizer.count(words[b.metadata["start"] : a.metadata["end"]]) for a, b in pairwise(surfaces)]
    assert all(15 <= count <= 20 for count in shared)


def test_five_thousand_documents_take_seconds():
    text = "The scheduler restarts a worker when its heartbeat is overdue; see section 4.2 for limits. " * 17
    strategy = Chunked(max_tokens=DFLT_CHUNK_MAX_TOKENS)
    strategy.decompose("warm", text)
    started = time.process_time()
    for number in range(500):
        strategy.decompose(str(number), text[number % 90 :][:1_500])
    # A tenth of the five thousand, in processor time, with a wide margin for a busy machine.
    assert time.process_time() - started < 3


def test_a_record_without_the_named_field_says_which_it_has():
    with pytest.raises(BadInput, match=r"no field 'abstract'.*text, title"):
        Chunked(text_key="abstract").decompose("a", {"title": "t", "text": "x"})
