"""Every file format: what comes out of a file that is as it should be."""

from __future__ import annotations

import json

import pytest

from ir_core.loaders import LOADERS, FileFormat, Loaded, load, load_environment, load_uploads, suffixes
from tests.made_files import BEIR, docx, jsonl, pdf, write_all, zipped


def only(loaded: Loaded):
    assert loaded.problems == ()
    (artifact,) = loaded.artifacts
    return artifact


def test_every_loader_describes_itself_and_no_two_read_the_same_suffix():
    names = (
        "text markdown jsonl json csv tsv html pdf docx xlsx pptx epub ipynb xml zip skill package turn beir record"
    )
    assert {*names.split()} <= {*LOADERS.names()}
    assert all(loader.label and loader.summary.endswith(".") for loader in LOADERS)
    owned = [suffix for item in LOADERS if issubclass(item, FileFormat) for suffix in item.suffixes]
    assert len(owned) == len(set(owned))
    wanted = ".txt .md .jsonl .json .csv .tsv .html .htm .pdf .docx .xlsx .pptx .epub .ipynb .xml .zip"
    assert {*wanted.split()} <= {*suffixes()}


def test_text():
    artifact = only(load_uploads([("notes/a.txt", b"one\r\ntwo\x00\n")]))
    assert (artifact.id, artifact.raw) == ("notes/a.txt", "one\ntwo\n")
    assert artifact.metadata == {"file": "a.txt", "path": "notes/a.txt", "folder": "notes"}


def test_markdown_front_matter_becomes_metadata():
    text = "---\ntitle: Bees\ndate: 2024-05-01\ntags: [a, 7]\ndraft: false\nfile: mine\n"
    artifact = only(load_uploads([("a.md", f"{text}---\n# Head\nBody.".encode())]))
    assert artifact.raw == "# Head\nBody."
    assert artifact.title == "Bees"
    assert artifact.metadata == {
        "title": "Bees", "date": "2024-05-01", "tags": ["a", 7], "draft": False, "file": "mine",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["---\nProse between rulers.\n---\nBody.", "---\nnever: closed\nBody."])
def test_markdown_loses_nothing_that_only_looks_like_front_matter(text):
    assert only(load_uploads([("a.md", text.encode())])).raw == text


def test_html_gives_what_a_reader_sees():
    page = """<html><head><title>All
     about <i>bees</i></title><style>p {color: red}</style></head><body><!-- no --><script>evil()</script>
     <p>Bees <b>dan</b>ce,
     mostly.</p><p hidden>secret</p><div style="display: none">secret</div>tail
     <table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><pre>x\n y</pre>&lt;img&gt;</body></html>"""
    artifact = only(load_uploads([("a.html", page.encode())]))
    assert artifact.raw == "Bees dance, mostly.\ntail\na | b\nc\nx\ny\n<img>"
    assert artifact.title == "All about <i>bees</i>"  # markup in a title is text


def test_pdf_and_word():
    artifact = only(load_uploads([("a.pdf", pdf("First page", "Second page", title="On bees"))]))
    assert artifact.raw == "First page\n\nSecond page"
    assert (artifact.title, artifact.metadata["pages"]) == ("On bees", 2)
    artifact = only(load_uploads([("a.docx", docx(["One.", "Two."], [["h1", "h2"], ["v1", "v2"]]))]))
    assert artifact.raw == "One.\nTwo.\nh1 | h2\nv1 | v2\nafter the table"


RECORDS = [
    {"id": 7, "title": "T", "text": "seven", "year": 1999},
    {"id": "x", "title": "U", "text": "ex", "year": 2001},
]
BY_ID = {item["id"]: {key: value for key, value in item.items() if key != "id"} for item in RECORDS}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", jsonl(*RECORDS)),
        ("a.json", jsonl(*RECORDS)),
        ("a.json", json.dumps(RECORDS).encode()),
        ("a.jsonl", json.dumps(RECORDS, indent=2).encode()),
        ("a.json", json.dumps({"count": 2, "docs": RECORDS}).encode()),
        ("a.json", json.dumps(BY_ID).encode()),
        ("a.csv", b"id,title,text,year\n7,T,seven,1999\nx,U,ex,2001\n"),
        ("a.csv", b"sep=;\nid;title;text;year\n7;T;seven;1999\nx;U;ex;2001\n"),
        ("a.csv", b'"id","title","text","year"\r\n"7","T","seven","1999"\r\n"x","U","ex","2001"\r\n'),
        ("a.tsv", b"id\ttitle\ttext\tyear\n7\tT\tseven\t1999\nx\tU\tex\t2001\n"),
    ],
)
def test_records_are_the_same_however_they_are_written(name, data):
    loaded = load_uploads([(name, data)])
    assert loaded.problems == ()
    assert [(item.id, item.title, item.raw["text"], item.metadata["year"]) for item in loaded.artifacts] == [
        ("7", "T", "seven", 1999),
        ("x", "U", "ex", 2001),
    ]


def test_a_column_of_codes_stays_text():
    artifact = load_uploads([("a.csv", b"text,postcode,price,phone\na,01067,2.5,+49\nb,99999,3,\n")]).artifacts[0]
    assert artifact.metadata == {"file": "a.csv", "postcode": "01067", "price": 2.5, "phone": "+49"}


def test_a_beir_folder_is_its_corpus(tmp_path):
    loaded = load(write_all(tmp_path, BEIR))
    assert loaded.problems == ()
    one, two, three = loaded.artifacts
    assert (one.id, one.raw) == ("d1", {"title": "Bees", "text": "They dance."})
    assert one.metadata == {"area": "garden", "tags": ["a", "b"], "title": "Bees"}
    assert (two.raw, two.metadata) == ({"text": "Wasps sting."}, {})
    assert three.raw == {"name": "n", "description": "d", "body": "b", "title": "Skill"}
    inside = load_uploads([("c.zip", zipped(*((f"c/{name}", data) for name, data in BEIR.items())))])
    assert inside.artifacts == loaded.artifacts


def test_skills(tmp_path):
    skill = "---\nname: {0}\ndescription: Does {0}.\nlicense: MIT\n---\nHow to {0}."
    files = {f"tools/{name}/SKILL.md": skill.format(name) for name in ("sew", "knit")}
    loaded = load(write_all(tmp_path, {**files, "tools/sew/patterns.md": "a resource", "other/x.png": b"\x89PNG"}))
    assert loaded.default_strategy == "Skill"
    assert [item.id for item in loaded.artifacts] == ["tools/knit", "tools/sew"]
    assert loaded.artifacts[1].raw == {
        "license": "MIT", "name": "sew", "description": "Does sew.", "body": "How to sew.", "parent": "tools",
    }  # fmt: skip
    assert {problem.name for problem in loaded.problems} == {"SKILL.md", "other/x.png"}


def test_skills_uploaded_without_their_folders():
    skill = b"---\nname: %s\ndescription: D.\n---\n"
    loaded = load_uploads([("SKILL.md", skill % b"sew"), ("SKILL.md", skill % b"knit"), ("a.txt", b"kept")])
    assert {item.id for item in loaded.artifacts} == {"sew", "knit", "a.txt"}


def test_turns_and_packages_name_their_strategy():
    turn = {"user": "why?", "assistant": "because", "session": "s1", "tools": ["grep"]}
    loaded = load_uploads([("a.jsonl", jsonl(turn))])
    assert loaded.default_strategy == "ClaudeTurn"
    assert loaded.artifacts[0].raw == turn
    assert loaded.artifacts[0].metadata == {
        "file": "a.jsonl",
        "title": "why?",
        "session": "s1",
        "tools": ["grep"],
    }
    package = {"name": "p", "description": "d", "readme": "r", "deps": ["x>=1"]}
    loaded = load_uploads([("a.jsonl", jsonl(package)), ("b.jsonl", jsonl({**package, "name": "q"}))])
    assert (loaded.default_strategy, [item.id for item in loaded.artifacts]) == ("Package", ["p", "q"])
    assert load_uploads([("a.jsonl", jsonl(turn, package))]).default_strategy is None


def test_the_running_environment():
    loaded = load_environment()
    assert loaded.default_strategy == "Package"
    found = {item.id: item.raw for item in loaded.artifacts}
    assert found["pytest"]["description"]
    assert any(dep.startswith("pluggy") for dep in found["pytest"]["deps"])
    assert not any("extra ==" in dep for item in found.values() for dep in item["deps"])
    assert {item["owner"] for item in found.values()} <= {"ours", "third-party"}


def test_a_folder_is_read_the_same_way_every_time(tmp_path):
    write_all(tmp_path, {"b/a.txt": "1", "a.txt": "2", "b/deep/c.md": "3", "ü.txt": "4", "LICENSE": "5"})
    write_all(tmp_path, {".git/x.txt": "no", "node_modules/y.txt": "no", "b/.hidden.txt": "no"})
    loaded = load(tmp_path)
    assert [item.id for item in loaded.artifacts] == ["LICENSE", "a.txt", "b/a.txt", "b/deep/c.md", "ü.txt"]
    assert load(tmp_path) == loaded
    (tmp_path / "a.txt").unlink()
    assert [item.id for item in load(tmp_path).artifacts] == ["LICENSE", "b/a.txt", "b/deep/c.md", "ü.txt"]
