"""The tokeniser: every rule of its docstring, and that nothing typed can break it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core import language, text


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("Café CAFÉ", ["café", "café"]),
        ("max_upload_rate", ["max", "upload", "rate", "max_upload_rate"]),
        ("ForkServer", ["fork", "server", "forkserver"]),
        ("HTTPServer2", ["http", "server2", "httpserver2"]),
        ("ERR-4207.", ["err", "4207", "err-4207"]),
        ("ﬁle", ["file"]),
        ("مُحَمَّـــد أحمد", ["محمد", "احمد"]),
        ("東京都", ["東京", "京都"]),
        ("水", ["水"]),
        ("iPhone東京", ["i", "phone", "iphone", "東京"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("😀 !!", []),
    ],
)
def test_words(raw, words):
    assert sorted(text.tokenise(raw)) == sorted(words)


@given(st.text(max_size=200))
def test_any_text_gives_words_without_white_space(raw):
    words = text.tokenise(raw)
    assert all(word and not any(char.isspace() for char in word) for word in words)


@given(st.text(max_size=300))
def test_sentences_point_back_and_lose_no_visible_character(raw):
    spans = text.sentences(raw)
    assert all(raw[start:end].strip() == raw[start:end] != "" for start, end in spans)
    kept = "".join(raw[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(raw.split())


def test_a_full_stop_inside_a_name_or_number_ends_nothing():
    raw = "See 7.4 in app.py. Then stop! وداعا؟ نعم."
    assert [raw[a:b] for a, b in text.sentences(raw)] == ["See 7.4 in app.py.", "Then stop!", "وداعا؟", "نعم."]


@pytest.mark.parametrize(
    "name", ["Help centre", "مركز المساعدة", "../../etc/passwd", "a" * 200, "😀", "CON", "résumé"]
)
def test_slugs_are_safe_folder_names(name):
    made = text.slug(name)
    assert made
    assert len(made) <= 57
    assert all(char.isascii() and (char.isalnum() or char == "-") for char in made)


def test_two_names_without_ascii_get_two_slugs():
    assert text.slug("سؤال") != text.slug("جواب")


def test_stems_are_right_when_many_threads_ask():
    words = [f"{root}{ending}" for root in ("relat", "nation", "happi", "organ") for ending in
             ("ional", "ness", "izations", "ally", "ing", "ed", "ities", "fully")] * 40  # fmt: skip
    expected = [text.stem(word) for word in words]
    for _ in range(5):
        text.stem.cache_clear()
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(text.stem.__wrapped__, words)) == expected


def test_the_english_tokeniser_follows_its_source():
    assert text.tokenise_english("The policies of ponies, gas and a bus: classes!") == [
        "policy", "pony", "gas", "bus", "classe",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("how do I share a folder", "en"),
        ("كيف أشارك مجلدا مع زميل", "ar"),
        ("Wie kann ich einen Ordner mit Kollegen in der Abteilung teilen?", "de"),
        ("a1", None),
        ("", None),
    ],
)
def test_language(raw, code):
    assert language.detect(raw) == code


@pytest.mark.parametrize(
    ("query", "of_corpus", "code"),
    [
        ("git rebase interactive autosquash fixup", "en", "en"),
        ("naïve café search", "en", "en"),
        ("كيف أشارك مجلدا", "en", "ar"),
        ("password", "ar", "en"),
        ("Können die Kolleginnen und Kollegen aus dem Einkauf größere Bestellungen auslösen?", "en", "de"),
    ],
)  # fmt: skip
def test_the_corpus_has_a_say_in_a_querys_language(query, of_corpus, code):
    assert language.of_query(query, of_corpus) == code


def test_every_language_the_detector_tells_has_a_name():
    import py3langid
    from py3langid import langid

    py3langid.classify("any text")
    told = set(langid.IDENTIFIER.nb_classes) - {"zxx"}
    assert len(told) > 90
    assert [code for code in sorted(told) if language.name_of(code) == repr(code)] == []
