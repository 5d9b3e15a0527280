"""Text from outside is shown as text: no page has another way to show it."""

from __future__ import annotations

import ast
import csv
import html
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.schema import Call, Query
from pages._ui import cards, export, safe, trouble
from pages._ui.card_details import details
from pages._ui.diff import word_diff
from tests.made_results import result

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])
HOSTILE = '<img src="http://198.51.100.7/a.png" onerror="x"> ![x](http://198.51.100.7/b.png) <script>y</script>'
READS_MARKUP = {
    "markdown", "write", "error", "warning", "info", "success", "exception", "caption", "title", "header",
    "subheader", "latex", "text", "badge", "metric", "write_stream", "iframe", "image",
}  # fmt: skip


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_show_text_only_through_safe(path):
    """Streamlit's text commands read Markdown, and st.html reads HTML."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner, name = node.func.value, node.func.attr
        of_streamlit = isinstance(owner, ast.Name) and owner.id in {"st", "left", "right", "middle", "place"}
        assert not (of_streamlit and name in READS_MARKUP), f"{path.name}:{node.lineno} uses st.{name}"
        if of_streamlit and name in {"html", "toast"}:
            assert path.name in {"safe.py", "theme.py"}, f"{path.name}:{node.lineno} uses st.html"
        assert name != "unsafe_allow_html", path
        assert not {word.arg for word in node.keywords} & {"unsafe_allow_html", "unsafe_allow_javascript"}, path


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_caches_live_in_resources_and_are_bounded(path):
    text = path.read_text("utf-8")
    if path.name != "resources.py":
        assert "st.cache_" not in text
    for line in text.splitlines():
        if line.startswith("@st.cache_"):
            assert "max_entries=" in line


@given(st.text())
def test_escaped_text_gives_the_text_back_and_holds_no_markup(value):
    escaped = safe.text(value)
    assert not set("<>\"'\n") & set(escaped)
    assert html.unescape(escaped) == safe.sound(value)
    escaped.encode("utf-8")


def test_words_of_the_other_direction_stand_isolated_in_a_sentence():
    assert safe.prose("added: متحف القاهرة, نهر <b>") == "added: <bdi>متحف القاهرة</bdi>, <bdi>نهر</bdi> &lt;b&gt;"
    assert safe.prose("words of “<i>”") == "words of <bdi>“&lt;i&gt;”</bdi>"


@given(st.text(alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Z"))))
def test_a_label_has_no_bare_markdown(value):
    label = safe.label(value, 10_000)
    bare = [c for i, c in enumerate(label) if c in "*_`[]()!#<>$:|~" and (i == 0 or label[i - 1] != "\\")]
    assert bare == []


@pytest.mark.parametrize(
    "value", [":smile:", ":material/home:", "a -> b", "https://x.org", "www.x.org", "me@x.org", "x <- y"]
)
def test_what_streamlit_rewrites_in_labels_is_broken_up(value):
    """Emoji codes, icons, arrows and bare links are found in the text after Markdown was read."""
    shown = safe.label(value).replace("\\", "")
    assert value not in shown
    assert shown.replace("\u2060", "") == value


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", " =", "＝"])
def test_cells_that_look_like_formulas_are_text(start):
    assert safe.cell(f"{start}1+1").startswith("'")
    assert safe.cell(-1.5) == -1.5
    assert safe.cell("1-1=0") == "1-1=0"


def test_the_csv_can_be_opened_in_a_spreadsheet():
    one = result(["=cmd", "b"], titles={"=cmd": "@SUM(A1)", "b": 'a "quoted", title\nof two lines'})
    rows = list(csv.DictReader(io.StringIO(export.to_csv([one]).decode("utf-8-sig"))))
    assert [row["artifact_id"] for row in rows] == ["'=cmd", "b"]
    assert rows[0]["document"] == "'@SUM(A1)"
    assert rows[1]["document"] == 'a "quoted", title\nof two lines'


def test_every_part_of_a_card_escapes_what_it_is_given():
    queries = [
        Query("original", HOSTILE),
        Query("variant-1", HOSTILE, "variant"),
        Query("hypothetical-1", HOSTILE, "hypothetical"),
        Query("feedback-1", HOSTILE, "feedback", surface_ids=("s",)),
    ]
    call = Call(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), error=HOSTILE, recorded=HOSTILE)
    one = result(
        ["a"], title=HOSTILE, queries=queries, calls=[call], titles={"a": HOSTILE}, notes=(HOSTILE,),
        fallback_reason=HOSTILE, skip_reason=HOSTILE,
    )  # fmt: skip
    parts = [
        cards.head(0, HOSTILE, result=one, badges=[("plain", HOSTILE)], moved=[("up", HOSTILE, 1)]),
        cards.body(one, lambda surface: HOSTILE),
        details(one),
        cards.hit_row(one.fused.hits[0], None, HOSTILE),
        cards.gone_row(list(one.fused.hits)),
        cards.failed(0, HOSTILE, HOSTILE),
        word_diff("plain words", HOSTILE),
        word_diff(HOSTILE, "plain words"),
    ]
    for part in parts:
        assert "198.51.100.7" in part, "it is shown"
        assert "<img" not in part
        assert "<script" not in part


def test_a_trouble_is_a_sentence_with_a_reference_and_the_log_has_no_key(caplog):
    sentence = trouble.report(
        RuntimeError("call failed: api_key=sk-abcdefgh12345678 Authorization: Bearer abc.def-ghijkl")
    )
    assert "RuntimeError" not in sentence
    assert "reference" in sentence
    assert "sk-abcdefgh" not in caplog.text
    assert "abc.def" not in caplog.text
    assert sentence.split("reference ")[1].split(";")[0] in caplog.text
