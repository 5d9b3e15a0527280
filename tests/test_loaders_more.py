"""Presentations, e-books, notebooks and XML: what comes out, and what is said about the rest."""

from __future__ import annotations

import pytest

from ir_core.loaders import Options, load_uploads
from ir_core.loaders._decode import decode
from tests.made_files import zipped
from tests.made_files_more import code, epub, ipynb, page, pptx, prose, xlsx

GOOD = ("zz.txt", b"good")
LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l0 "ha">'
    + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    + "]><a>&l9;</a>"
)


def only(name: str, data: bytes):
    loaded = load_uploads([(name, data)])
    assert loaded.problems == ()
    (artifact,) = loaded.artifacts
    return artifact


def said(name: str, data: bytes, options: Options | None = None) -> list[str]:
    return [problem.reason for problem in load_uploads([(name, data), GOOD], options=options).problems]


def test_slides_with_tables_groups_and_notes():
    def change(deck):
        from pptx.util import Inches

        first, second, third = deck.slides
        first.notes_slide.notes_text_frame.text = "Mention the queen."
        table = second.shapes.add_table(2, 2, 0, 0, Inches(1), Inches(1)).table
        for number, text in enumerate(["k", "v", "wing", "two"]):
            table.cell(*divmod(number, 2)).text = text
        group = second.shapes.add_group_shape()
        group.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.text = "grouped"
        third.element.set("show", "0")
        deck.core_properties.title = "On bees"

    data = pptx(("Bees", "They dance.\vAnd hum."), ("Wasps", "They sting."), ("Draft", "hidden"), change=change)
    loaded = load_uploads([("a.pptx", data)])
    (artifact,) = loaded.artifacts
    assert artifact.raw == (
        "Bees\nThey dance.\nAnd hum.\nNotes: Mention the queen.\n\nWasps\nThey sting.\nk | v\nwing | two\ngrouped"
    )
    assert (artifact.title, artifact.metadata["slides"]) == ("On bees", 3)
    assert "hidden slides, which were left out: 3" in loaded.problems[0].reason
    assert "holds no text (only pictures" in said("a.pptx", pptx(("", "")))[0]


def test_an_e_book_is_its_chapters_in_reading_order():
    pages = {
        "two.xhtml": page("<p>They<br/>sting.</p>"),
        "a%20b/one.xhtml": page("<h1>Bees</h1><p>They dance.&nbsp;Well.</p>", "Chapter 1"),
        "cover.xhtml": page('<img src="c.png"/>'),
    }
    spine = ["cover.xhtml", "a%20b/one.xhtml", "two.xhtml", "gone.xhtml"]
    data = epub({name.replace("%20", " "): text for name, text in pages.items()}, spine)
    loaded = load_uploads([("b.epub", data)])
    assert [(item.id, item.raw, item.title, item.metadata["chapter"]) for item in loaded.artifacts] == [
        ("b.epub/OEBPS/a b/one.xhtml", "Bees\nThey dance. Well.", "Chapter 1", 2),
        ("b.epub/OEBPS/two.xhtml", "They\nsting.", "On bees", 3),
    ]
    assert loaded.artifacts[0].metadata["author"] == "A. Keeper"
    (problem,) = loaded.problems
    assert (problem.name, problem.reason) == ("b.epub/OEBPS/gone.xhtml", "is missing or damaged in the e-book")


def test_an_e_book_that_is_locked_or_has_no_words():
    lock = '<encryption><CipherReference URI="OEBPS/a.xhtml"/></encryption>'
    locked = epub({"a.xhtml": b"\x01\x02", "b.xhtml": page("open")}, None, ("META-INF/encryption.xml", lock))
    assert said("b.epub", locked) == ["is protected against copying (DRM) and was left out"]
    assert said("b.epub", epub({"a.xhtml": page("<img/>")}))[0].startswith("has no chapter with text")
    assert "holds no package document" in said("b.epub", zipped(("mimetype", "application/epub+zip")))[0]


def test_a_notebook_is_prose_code_and_short_outputs():
    picture = {
        "output_type": "display_data",
        "metadata": {},
        "data": {"image/png": "iVBOR" * 99, "text/plain": "<Fig>"},
    }
    error = {"output_type": "error", "ename": "ValueError", "evalue": "no bees", "traceback": ["\x1b[31mline 1"]}
    data = ipynb(
        prose("# Bees\n![x](data:image/png;base64,iVBORw0KGgo=) dance."),
        code("count()", {"output_type": "stream", "name": "stdout", "text": ["12\n", "bees\n"]}, picture, error),
        code("train()", {"output_type": "stream", "name": "stdout", "text": "epoch " * 1_000}),
        code("", {"output_type": "execute_result", "data": {"text/html": "<b>"}, "metadata": {}}),
        metadata={"kernelspec": {"name": "python3", "language": "python"}},
    )
    artifact = only("a.ipynb", data)
    *first, last = artifact.raw.split("\n\n")
    assert first == [
        "# Bees\n![x]() dance.",
        "count()\n12\nbees\n<Fig>\nValueError: no bees",
    ]
    assert last.startswith("train()\nepoch epoch")
    assert len(last) < 520
    assert (artifact.title, artifact.metadata["kernel"]) == ("Bees", "python")
    assert "iVBOR" not in artifact.raw


def test_notebooks_of_the_third_version_and_broken_ones():
    old = {
        "cell_type": "code",
        "input": "1 + 1",
        "language": "python",
        "metadata": {},
        "outputs": [],
        "collapsed": False,
    }
    assert only(
        "a.ipynb", ipynb(old, {"cell_type": "markdown", "source": "Prose", "metadata": {}}, version=3)
    ).raw == ("1 + 1\n\nProse")
    loaded = load_uploads([("a.ipynb", ipynb(prose("fine"), {"cell_type": "code"}, 7))])
    assert loaded.artifacts[0].raw == "fine"
    assert loaded.problems[0].reason == "has cells that cannot be read: 2, 3"
    for data, reason in [(b"{", "is not JSON"), (b"{}", "no notebook"), (b'{"nbformat": 4}', "no list of cells"),
                         (b"[]", "notebook"), (ipynb(), "no cell with text"), (ipynb(version=99), "")]:  # fmt: skip
        assert reason in said("a.ipynb", data)[0]


FEED = """<?xml version="1.0"?><rss xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>
<item><title>Bees</title><description>They &lt;b&gt;dance&lt;/b&gt;.</description><dc:creator>A</dc:creator></item>
<item id="w"><title>Wasps</title><description>They sting.</description><category>x</category><category>y</category>
</item></channel></rss>"""


def test_xml_is_records_where_elements_repeat_and_text_elsewhere():
    loaded = load_uploads([("feed.xml", FEED.encode())])
    assert [(item.id, item.title, item.raw["text"]) for item in loaded.artifacts] == [
        ("feed.xml:1", "Bees", "They <b>dance</b>."), ("w", "Wasps", "They sting."),
    ]  # fmt: skip
    assert loaded.artifacts[1].metadata["category"] == ["x", "y"]
    body = "<title>On bees</title><!-- no --><p>They <i>dan</i>ce.</p><s><p/><p>Or hum.</p></s>"
    article = f'<a:doc xmlns:a="urn:x">{body}</a:doc>'
    artifact = only("a.xml", article.encode())
    assert (artifact.raw, artifact.title) == ("On bees\nThey dance.\nOr hum.", "On bees")
    for encoding in ("utf-16", "utf-16-le", "latin-1"):
        assert (
            load_uploads([("a.xml", "<a>école brûlée à côté</a>".encode(encoding))]).artifacts[0].raw.startswith("éc")
        )


def test_nothing_in_xml_is_resolved_fetched_or_blown_up(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("password")
    data = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY y "Ann">]><a>by &y; and &x;</a>'
    loaded = load_uploads([("a.xml", data.encode())])
    assert loaded.artifacts[0].raw == "by &y; and &x;"
    assert "entities, which are not resolved and stay as written: &x;, &y;" in loaded.problems[0].reason
    alone = load_uploads([("a.xml", b'<!DOCTYPE a [<!ENTITY y "Ann">]><a>&y;</a>')])
    assert alone.artifacts[0].raw == "&y;"
    assert "amplification" in said("a.xml", LAUGHS.encode())[0]
    assert "mismatch: b line 1" in said("a.xml", b"<a><b></a>")[0]
    assert "attributes are not read" in said("a.xml", b'<a><b x="1"/></a>')[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xlsx", xlsx(S=[["t"]])), ("a.pptx", pptx(("t", "b"))), ("a.epub", epub({"a.xhtml": page("t")})),
        ("a.docx", zipped(("x", "y"))),
    ],
)  # fmt: skip
def test_what_only_looks_like_a_package_is_refused_with_a_reason(name, data):
    suffix = name[1:]
    for broken in (data[: len(data) // 2], data[:-30], zipped(("a", "b")), b"PK\x03\x04", b"words"):
        (reason,) = said(name, broken)
        assert reason.startswith(("is not a", "is not an")), reason
        assert f"save it again as {suffix}" in reason
    bomb = zipped(("xl/workbook.xml", b" " * 5_000_000))
    assert "zip bomb" in said(name, bomb)[0]
    if suffix != ".epub":
        assert "is encrypted, or an old" in said(name, b"\xd0\xcf\x11\xe0" + bytes(600))[0]


def test_a_package_under_another_name_is_told_so():
    with pytest.raises(Exception, match=r"\.docx, \.xlsx, \.pptx, \.epub"):
        decode(xlsx(S=[["t"]]))
