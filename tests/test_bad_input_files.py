"""Bad files: each is named with its reason, and nothing that could be read is lost."""

from __future__ import annotations

import os
import struct

import pytest

from ir_core.errors import BadSource, NeedsColumn, NothingRead
from ir_core.loaders import Options, load, load_uploads, suffixes
from tests.made_files import docx, jsonl, pdf, write_all, zipped

GOOD = ("zz.txt", b"good")
DEEP_PAGE = b"<p>before</p>" + b"<div>" * 5_000 + b"deep"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.txt", b"", "is empty (0 bytes)"),
        ("a.pdf", b"", "is empty (0 bytes)"),
        ("a.txt", b" \n\xe2\x80\x8b\xef\xbb\xbf", "is blank"),
        ("a.md", b"---\ntitle: T\n---\n", "is blank"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + bytes(100), "a PNG image"),
        ("a.txt", pdf("text"), "name it .pdf"),
        ("a.txt", bytes(range(256)) * 20, "is not text"),
        ("a.csv", bytes(range(32)) * 20, "is not text"),
        ("a.pdf", b"%PDF-1.7 and then nothing", "is not a PDF that can be read"),
        ("a.pdf", b"just words", "is not a PDF that can be read"),
        ("a.pdf", pdf("", ""), "holds no text, as scans do"),
        ("a.pdf", pdf("secret", password="x"), "is encrypted"),
        ("a.docx", b"PK\x03\x04 no", "is not a Word document"),
        ("a.docx", zipped(("x", "y")), "is not a Word document"),
        ("a.docx", b"\xd0\xcf\x11\xe0" + bytes(600), "is encrypted, or an old .doc"),
        ("a.docx", docx([" "]), "holds no text"),
        ("a.docx", zipped(("[Content_Types].xml", b" " * 5_000_000)), "zip bomb"),
        ("a.html", b"<script>x</script>", "shows no text"),
        ("a.html", b"<!-- -->", "shows no text"),
        ("a.json", b'{"a": ', "is not JSON (Expecting value: line 1 column 7"),
        ("a.json", b"3", "holds no records"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.jsonl", b'{"a":' * 100_000, "line 1 is nested too deeply"),
        ("a.jsonl", b'{"text": " "}', "line 1 is blank"),
        ("a.csv", b"id,text\n", "has a header (id, text) and no rows"),
        ("a.csv", b"\n\n", "is blank"),
        ("a.csv", b"x," * 2_000 + b"x\n1\n", "has 2,001 columns"),
        ("a.odt", b"PK\x03\x04", "is a .odt file; those that can be read are .atom, .csv"),
        ("a.zip", b"PK\x03\x04 no", "is not a zip archive"),
        ("a.txt", b"x" * 2_001, "is larger than 0 MB, the most that one file may have"),
    ],
)
def test_a_bad_file_is_named_with_its_reason_and_the_rest_loads(name, data, reason):
    options = Options(max_file_bytes=2_000) if len(data) == 2_001 else None
    loaded = load_uploads([(name, data), GOOD], options=options)
    assert [artifact.id for artifact in loaded.artifacts] == ["zz.txt"]
    (problem,) = loaded.problems
    assert problem.name == name
    assert reason in problem.reason
    with pytest.raises(NothingRead, match="No document could be read from the upload") as caught:
        load_uploads([(name, data)], options=options)
    assert caught.value.problems == ((problem.name, problem.reason),)


def test_what_is_only_partly_bad_loads_and_says_so():
    lines = [*jsonl(*({"text": f"t{n}"} for n in range(1, 10))).split(b"\n")]
    lines[6] = b'{"text": oops}'
    loaded = load_uploads([("a.jsonl", b"\n".join(lines))])
    assert [item.id for item in loaded.artifacts] == [f"a.jsonl:{n}" for n in (1, 2, 3, 4, 5, 6, 8, 9)]
    (problem,) = loaded.problems
    assert problem.reason == "line 7 is not JSON (Expecting value at character 10); it was left out"

    loaded = load_uploads([("a.html", DEEP_PAGE)])
    assert loaded.artifacts[0].raw == "before"
    assert "nested deeper" in loaded.problems[0].reason

    loaded = load_uploads([("a.json", b'["one", 2, null, {"text": "three"}]')])
    assert [item.raw["text"] for item in loaded.artifacts] == ["one", "three"]
    said = [problem.reason.split(",")[0] for problem in loaded.problems]
    assert said == ["record 2 is a number", "record 3 is null"]


def test_a_file_broken_in_every_line_is_not_named_a_thousand_times():
    loaded = load_uploads([("a.jsonl", b"{\n" * 1_000), GOOD])
    assert len(loaded.problems) == 21
    assert loaded.problems[-1].reason == "has 980 more problems like these"


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.tsv"])
def test_records_without_a_text_column_ask_which_it_is(name):
    rows = {"a.csv": b"foo,bar\n1,b\n2,c\n", "a.tsv": b"foo\tbar\n1\tb\n2\tc\n"}
    data = rows.get(name) or jsonl({"foo": 1, "bar": "b"}, {"foo": 2, "bar": "c"})
    with pytest.raises(NeedsColumn) as caught:
        load_uploads([(name, data)])
    assert caught.value.columns == ("foo", "bar")
    with pytest.raises(NeedsColumn):
        load_uploads([(name, data)], text_column="baz")
    loaded = load_uploads([(name, data)], text_column="bar")
    assert [(item.raw["text"], item.metadata["foo"]) for item in loaded.artifacts] == [("b", 1), ("c", 2)]
    beside = load_uploads([(name, data), GOOD])
    assert [problem.columns for problem in beside.problems] == [("foo", "bar")]


def test_a_text_column_that_is_not_there_is_said():
    loaded = load_uploads([("a.csv", b"id,text\n1,b\n")], text_column="txt")
    assert loaded.problems[0].reason.startswith("has no column 'txt'; its text was read from the usual one. Its col")
    assert loaded.problems[0].reason.endswith("id, text")


def test_what_was_read_is_told_from_what_was_lost():
    files = [
        ("a.txt", "ação e coração".encode("latin-1")),
        ("b.csv", b"id,text\nx,one\nx,two\n"),
        ("c.md", b"---\na: [\n---\nBody."),
        ("c.md", b"again"),
        ("d.txt", b""),
        ("e.jsonl", b'{"text": "good"}\n{"text": bad}'),
    ]
    loaded = load_uploads(files)
    assert {problem.name: problem.lost for problem in loaded.problems} == {
        "a.txt": False, "b.csv": False, "c.md": False, "c~2.md": False, "d.txt": True, "e.jsonl": True,
    }  # fmt: skip


def test_fields_that_no_filter_can_use_are_named_once_a_file():
    records = [
        {"_id": "1", "text": "a", "metadata": {"years": [1, 2], "deep": {"a": 1}, "none": None, "odd": float("nan")}},
        {"_id": "2", "text": "b", "metadata": {"long": "x" * 501, "deep": {"b": 1}, "mixed": ["a", {}, [1]]}},
    ]
    loaded = load_uploads([("a.jsonl", jsonl(*records))])
    assert [item.metadata for item in loaded.artifacts] == [
        {"years": [1, 2], "file": "a.jsonl"},
        {"mixed": ["a"], "file": "a.jsonl"},
    ]
    (problem,) = loaded.problems
    assert not problem.lost
    assert problem.reason.endswith("fields to filter on: deep, long, mixed, odd")


def test_a_damaged_pdf_prints_nothing(capfd):
    load_uploads([("a.pdf", pdf("text")[:-60]), ("b.pdf", b"%PDF-1.7 and then nothing"), GOOD])
    assert capfd.readouterr() == ("", "")


def test_equal_names_and_equal_ids_are_all_kept():
    loaded = load_uploads([("a.txt", b"one"), ("a.txt", b"two"), ("d/a.txt", b"three"), ("a~2.txt", b"four")])
    assert {item.id for item in loaded.artifacts} == {"a.txt", "a~2.txt", "a~3.txt", "d/a.txt"}
    assert "was named 'a.txt' like another file" in loaded.problems[0].reason

    records = [{"id": "x", "text": text} for text in "abc"] + [{"id": "x~2", "text": "d"}]
    loaded = load_uploads([("a.jsonl", jsonl(*records))])
    assert [(item.id, item.raw["text"]) for item in loaded.artifacts] == [
        ("x", "a"), ("x~3", "b"), ("x~4", "c"), ("x~2", "d"),
    ]  # fmt: skip
    assert loaded.problems[0].reason == "uses the id 'x' again; nothing was lost, the later ones are x~3, x~4"

    loaded = load_uploads([("a.json", b'{"k": "one", "k": "two"}')])
    assert [(item.id, item.raw["text"]) for item in loaded.artifacts] == [("k", "one"), ("k~2", "two")]


def test_quotation_marks_swallow_no_rows():
    loaded = load_uploads([("a.csv", b'id,text\n1,"never closed\n2,b\n3,c\n')])
    assert [item.raw["text"] for item in loaded.artifacts] == ['"never closed', "b", "c"]
    assert "quotation marks that do not pair" in loaded.problems[0].reason
    loaded = load_uploads([("a.csv", b'id,text\n1,"a ""b""\nc, d"\n2,say "hi"\n')])
    assert [item.raw["text"] for item in loaded.artifacts] == ['a "b"\nc, d', 'say "hi"']
    assert loaded.problems == ()


def test_rows_longer_or_shorter_than_the_header_lose_nothing():
    loaded = load_uploads([("a.csv", b"text,n,n\na,1,2,more,still\nb\n")])
    assert loaded.artifacts[0].raw == {"text": "a", "n": 1, "n~2": 2, "more fields": ["more", "still"]}
    assert loaded.artifacts[1].raw["text"] == "b"
    assert "more fields than its header on line 2" in loaded.problems[0].reason


@pytest.mark.parametrize(
    "front", ["a: !!python/object/apply:os.system ['touch hacked']", "a: [" * 5_000, "a: &a [*a", "a: " + "9" * 5_000]
)
def test_front_matter_is_never_interpreted(front, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = f"---\n{front}\n---\nBody."
    loaded = load_uploads([("a.md", text.encode())])
    assert loaded.artifacts[0].raw == text
    assert "front matter that cannot be read" in loaded.problems[0].reason
    assert list(tmp_path.iterdir()) == []


def test_names_are_text_and_never_paths(tmp_path):
    names = ["../../etc/x.txt", "<img src='http://a/b.png'>.md", "C:\\x.txt", "نص.txt", "a\x00b\nc.txt"]
    loaded = load_uploads([(name, b"t") for name in names])
    assert {item.id for item in loaded.artifacts} == {*names[:4], "ab c.txt"}


def test_links_out_of_a_folder_are_not_followed(tmp_path):
    write_all(tmp_path, {"out/secret.txt": "secret", "in/a.txt": "a", "in/sub/b.txt": "b"})
    inside = tmp_path / "in"
    (inside / "leak.txt").symlink_to(tmp_path / "out" / "secret.txt")
    (inside / "leak").symlink_to(tmp_path / "out")
    (inside / "round").symlink_to(inside)
    (inside / "gone.txt").symlink_to(tmp_path / "nowhere")
    os.mkfifo(inside / "pipe.txt")
    loaded = load(inside)
    assert [item.id for item in loaded.artifacts] == ["a.txt", "sub/b.txt"]
    assert {problem.name for problem in loaded.problems} == {"leak.txt", "leak", "round", "gone.txt", "pipe.txt"}


def test_sources_that_are_not_there(tmp_path):
    for path in (tmp_path / "no", tmp_path / "no" / "x.txt"):
        with pytest.raises(BadSource, match="There is no file or folder"):
            load(path)
    with pytest.raises(NothingRead, match="It holds no files"):
        load(tmp_path)
    with pytest.raises(NothingRead, match="It holds no files"):
        load_uploads([])


def test_a_corpus_has_a_last_document():
    options = Options(max_documents=3)
    loaded = load_uploads([("a.csv", b"text\n" + b"x\n" * 9), GOOD], options=options)
    assert len(loaded.artifacts) == 3
    assert loaded.problems[-1].reason == "and what follows was left out: a corpus holds up to 3 documents"


def test_a_thousand_equal_documents_are_a_thousand():
    loaded = load_uploads([("a.jsonl", jsonl(*[{"id": "same", "text": "same"}] * 1_000))])
    assert len({item.id for item in loaded.artifacts}) == 1_000


def test_no_byte_string_makes_a_loader_raise_anything_else():
    # Cheap fuzzing: every format meets the beginning of every other one, and cut files.
    heads = [pdf("x"), docx(["x"]), zipped(("a.txt", "x")), jsonl("x"), b"<p>x", struct.pack("<4q", 1, 2, 3, 4)]
    names = [f"a{suffix}" for suffix in suffixes()] + ["SKILL.md"]
    for data in heads:
        for cut in (len(data), len(data) // 2, len(data) - 1):
            loaded = load_uploads([*((name, data[:cut]) for name in names), GOOD])
            assert loaded.artifacts[-1].id == "zz.txt"
