"""Encodings, and text that could hurt what comes after it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.loaders import load_uploads

GERMAN = "Die Grüße aus München waren schön, die Straße war naß und die Bäume blühten. Überall hörte man Vögel."
FRENCH = "Voilà l’été : où êtes-vous ? Ça va, François, c’est très bien. Le garçon a mangé du gâteau à Noël."
POLISH = "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem."
RUSSIAN = "Съешь ещё этих мягких французских булок, да выпей чаю. Широкая электрификация южных губерний."
ARABIC = "جمال أحمد حمزة صحفي وإعلامي سعودي، رأس عدة مناصب لعدد من الصحف في السعودية، وتقلد منصب مستشار"
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗い所で泣いていた。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((text, encoding) for text in (GERMAN, ARABIC, JAPANESE)
          for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32")),
        (GERMAN, "cp1252"), (FRENCH, "cp1252"), (POLISH, "cp1250"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"),
        (ARABIC, "cp1256"), (JAPANESE, "shift_jis"), (JAPANESE, "iso2022_jp"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_encodings(text, encoding, suffix):
    written = text if suffix == "txt" else f'id,text\n1,"{text}"\n'
    loaded = load_uploads([(f"a.{suffix}", written.encode(encoding))])
    (artifact,) = loaded.artifacts
    assert (artifact.raw if suffix == "txt" else artifact.raw["text"]) == text
    # A guess is said, so that somebody looks at it.
    assert bool(loaded.problems) == (not encoding.startswith("utf"))


def test_html_says_its_encoding():
    page = f'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>{RUSSIAN[:20]}'
    loaded = load_uploads([("a.htm", page.encode("cp1251"))])
    assert (loaded.artifacts[0].raw, loaded.problems) == (RUSSIAN[:20].strip(), ())


def test_one_broken_byte_does_not_turn_utf8_into_something_else():
    loaded = load_uploads([("a.txt", GERMAN.encode() * 3 + b"\xff" + RUSSIAN.encode())])
    assert loaded.artifacts[0].raw == GERMAN * 3 + "\ufffd" + RUSSIAN
    assert "not UTF-8" in loaded.problems[0].reason


@given(st.text(st.characters(), max_size=60), st.text(st.characters(), max_size=20))
def test_whatever_json_holds_can_be_written_as_utf8(text, key):
    record = {"id": text, "text": "seen " + text, key: [text], "metadata": {key: text}}
    for name, data in (("a.jsonl", json.dumps(record)), ("a.json", json.dumps([record]))):
        for artifact in load_uploads([(name, data.encode())]).artifacts:
            kept = repr((artifact.id, artifact.raw, artifact.metadata)) + json.dumps(artifact.raw, ensure_ascii=False)
            kept.encode("utf-8")
            assert "\x00" not in artifact.raw["text"]
            assert "\n" not in artifact.id


names = st.sampled_from(["a.txt", "b/a.txt", "b.md", "LICENSE"])


@given(st.lists(st.tuples(names, st.binary(max_size=8)), min_size=1))
def test_ids_are_distinct_and_do_not_depend_on_the_order_of_files(files):
    files = [(name, b"word " + data.hex().encode()) for name, data in files]
    loaded = load_uploads(files)
    assert load_uploads(files[::-1]) == loaded
    assert len({artifact.id for artifact in loaded.artifacts}) == len(files)


def test_huge_lines_and_numbers():
    wide = json.dumps({"text": "x" * 3_000_000, "n": 0}).replace('"n": 0', '"n": ' + "9" * 5_000)
    (artifact,) = load_uploads([("a.jsonl", wide.encode())]).artifacts
    assert len(artifact.raw["text"]) == 3_000_000
    assert artifact.raw["n"] == "9" * 5_000
    assert "n" not in artifact.metadata


def test_lines_of_json_end_at_line_feeds_only():
    data = json.dumps({"text": "a\u2028b\x85c"}, ensure_ascii=False).encode()
    assert load_uploads([("a.jsonl", data)]).artifacts[0].raw["text"] == "a\u2028b\x85c"
