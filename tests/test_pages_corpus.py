"""Corpus: bringing documents, seeing surfaces, building, and taking a corpus away."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from ir_core import build, library
from ir_core.errors import Cancelled
from ir_core.index import IndexSettings, close_indexes
from pages._ui import resources
from pages._ui.building import Order
from tests.app import open_app, press, shown
from tests.made_files_more import xlsx

PLAIN = "text/plain"


@pytest.fixture
def corpus_page():
    app = open_app(page="corpus")
    app.selectbox(key="embedder").set_value("hashing").run()
    return app


def upload(app, *files: tuple[str, bytes], title: str = "Mine"):
    app.file_uploader(key="files").set_value([(name, data, PLAIN) for name, data in files])
    app.text_input(key="upload_title").set_value(title)
    app.run()
    return press(app, "upload_add")


def test_the_surfaces_are_seen_before_building(corpus_page):
    page = shown(corpus_page)
    assert "Not built yet: 74 of 74 surfaces to embed" in page
    assert "characters, median" in page
    assert "Restore a deleted file from the Bin" in page
    assert build.current("help_center") is None


def test_build_then_stale_then_back(corpus_page):
    app = press(corpus_page, "build_it")
    assert [toast.value for toast in app.toast] == ["The index is built\\."]
    assert "The index is up to date" in shown(app)
    app.selectbox(key="strategy.help_center").set_value("Chunked").run()
    assert "Stale: " in shown(app)
    app.selectbox(key="strategy.help_center").set_value("WholeText").run()
    assert "The index is up to date" in shown(app)
    assert "fingerprint" in shown(app), "what the index was built from"


def test_the_form_starts_from_what_the_index_was_built_with(corpus_page):
    corpus_page.selectbox(key="strategy.help_center").set_value("Chunked").run()
    corpus_page.number_input(key="strategy.help_center.Chunked.max_tokens").set_value(120).run()
    press(corpus_page, "build_it")
    again = open_app(page="corpus")
    assert again.selectbox(key="strategy.help_center").value == "Chunked"
    assert again.number_input(key="strategy.help_center.Chunked.max_tokens").value == 120
    assert again.selectbox(key="embedder").value == "hashing"
    assert "The index is up to date" in shown(again)


def test_a_damaged_index_says_so_and_is_built_again(corpus_page, home):
    press(corpus_page, "build_it")
    manifest = next((home / "indexes").rglob("manifest.json"))
    manifest.write_text("{", "utf-8")
    close_indexes(home / "indexes")
    assert "is damaged" in shown(open_app())
    app = open_app(page="corpus")
    app.selectbox(key="embedder").set_value("hashing").run()
    assert "The index is up to date" in shown(press(app, "build_it"))


def test_the_form_follows_from_the_strategys_settings_and_chunked_starts_at_250_tokens(corpus_page):
    corpus_page.selectbox(key="strategy.help_center").set_value("Chunked").run()
    assert corpus_page.number_input(key="strategy.help_center.Chunked.max_tokens").value == 250
    assert corpus_page.number_input(key="strategy.help_center.Chunked.chunk_size").value == 1200
    corpus_page.selectbox(key="strategy.help_center").set_value("ClaudeTurn").run()
    assert corpus_page.toggle(key="strategy.help_center.ClaudeTurn.include_full").value is False


def test_surfaces_beyond_the_embedders_limit_are_counted():
    app = open_app(page="corpus")
    assert "3 surfaces are longer than the 256 tokens" in shown(app)


def test_uploads_become_a_corpus_and_what_fails_is_named(corpus_page):
    app = upload(corpus_page, ("good.txt", b"A zebra crosses the road."), ("empty.txt", b""), ("bad.pdf", b""))
    page = shown(app)
    assert "Mine was added" in page
    assert "2 files or records were not read, or not wholly" in page
    names = {row for frame in app.dataframe if "reason" in frame.value for row in frame.value["name"]}
    assert {"empty.txt", "bad.pdf"} <= names
    assert "A zebra crosses the road." in page


def test_one_file_that_fails_was_not_read(corpus_page):
    page = shown(upload(corpus_page, ("good.txt", b"A zebra crosses the road."), ("empty.txt", b"")))
    assert "1 file or record was not read, or not wholly" in page


def test_the_upload_box_says_what_is_read_and_takes_it(corpus_page):
    box = corpus_page.file_uploader(key="files")
    assert {".xlsx", ".pptx", ".epub", ".ipynb", ".xml"} <= set(box.proto.type)
    assert "Excel workbook" in box.proto.help
    sheet = xlsx(Animals=[["id", "text"], ["z", "A zebra crosses the road."]])
    app = upload(corpus_page, ("a.xlsx", sheet), ("b.xml", b"<a>A horse does not.</a>"))
    page = shown(app)
    assert "A zebra crosses the road." in page
    assert "A horse does not." in page


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (("x.exe", b"MZ"), "cannot be read: .exe is not among"),
        (("big.txt", b"x" * 21_000_001), "the limit is 20 MB"),
        (("empty.txt", b""), "No document could be read"),
        (("pretends.txt", bytes(range(256)) * 40), "pretends.txt"),
    ],
    ids=["kind", "size", "empty", "binary"],
)
def test_an_upload_is_checked_here_too_and_nothing_is_lost(corpus_page, file, said):
    before = [info.name for info in library.corpora()]
    assert said in shown(upload(corpus_page, file))
    assert [info.name for info in library.corpora()] == before


def test_a_table_without_a_text_column_asks_which(corpus_page):
    table = b"code,colour,remark\n1,red,the first of them\n2,blue,the second of them\n"
    app = upload(corpus_page, ("table.csv", table))
    assert "no column that is known to hold the text" in shown(app)
    app.selectbox(key="upload_column").select("remark")
    app = press(app, "upload_add")
    assert "Mine was added" in shown(app)
    assert "the first of them" in shown(app)


def test_rename_and_delete_with_confirmation(corpus_page):
    app = upload(corpus_page, ("good.txt", b"A zebra crosses the road."))
    name = app.session_state["corpus"]
    app = press(app, "build_it")
    assert app.button(key="delete").disabled
    app.checkbox(key=f"sure.{name}").check().run()
    app = press(app, "delete")
    assert "Mine was deleted." in shown(app)
    assert [toast.value for toast in app.toast] == ["Mine was deleted\\."]
    assert name not in [info.name for info in library.corpora()]
    assert build.current(name) is None
    assert "Help centre" in str(app.selectbox(key="corpus_shown").options)


def test_a_stopped_build_is_said_once(corpus_page):
    job = resources.builds().start(Order("help_center", None, "hashing", IndexSettings()), stop_at_once)
    while not job.is_over:
        job.wait(0, 0.1)
    corpus_page.session_state["built"] = job.id
    assert "Building was stopped" in shown(corpus_page.run())
    assert "Building was stopped" not in shown(corpus_page.run())


def stop_at_once(emit, cancel):
    raise Cancelled("stopped")


def test_folders_and_packages_only_on_loopback(monkeypatch):
    assert [button.key for button in open_app(page="corpus").button if button.key == "environment"]
    assert "folder_path" in {item.key for item in open_app(page="corpus").text_input}
    real = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: "0.0.0.0" if name == "server.address" else real(name))
    app = open_app(page="corpus")
    assert not [button.key for button in app.button if button.key == "environment"]
    assert {"folder_path", "base_url"}.isdisjoint(item.key for item in app.text_input)


def test_a_folder_is_read_where_it_is(corpus_page, tmp_path: Path):
    (tmp_path / "one.md").write_text("# One\nA zebra crosses the road.", "utf-8")
    corpus_page.text_input(key="folder_path").set_value(str(tmp_path)).run()
    app = press(corpus_page, "folder_add")
    assert f"{tmp_path.name} was added" in shown(app)
    assert "no index" not in shown(app)


def test_an_arabic_corpus_is_searched_by_words_and_says_why(corpus_page):
    text = "متحف القاهرة هو أحد أكبر المتاحف في العالم ويقع في ميدان التحرير بوسط القاهرة."
    app = upload(corpus_page, ("museum.txt", text.encode()), title="متاحف")
    app.selectbox(key="embedder").set_value("all-MiniLM-L6-v2").run()
    app = press(app, "build_it")
    app.switch_page("pages/compare/page.py").run()
    page = shown(app)
    assert "Searched by words only: the corpus is in" in page
    assert app.session_state["mode"] == "lexical"
    app.text_input(key="query").set_value("أين يقع المتحف").run()
    assert 'class="qp-query" dir="auto">أين يقع المتحف' in shown(app)


def test_a_table_among_others_without_a_known_text_column_is_asked_for_and_can_be_changed(corpus_page):
    files = (
        ("a.csv", b"title,text\nOne,The first zebra.\n"),
        ("b.csv", b"name,remarks_long\nTwo,A second zebra.\n"),
    )
    app = upload(corpus_page, *files)
    name = app.session_state["corpus"]
    assert "not wholly" in shown(app)
    assert len(library.corpus(name).load().artifacts) == 1
    app.selectbox(key=f"text_column.{name}").select("remarks_long").run()
    assert "not wholly" not in shown(app)
    texts = {str(one.raw["text"]) for one in library.corpus(name).load().artifacts}
    assert texts == {"The first zebra.", "A second zebra."}
    app.selectbox(key=f"text_column.{name}").select_index(0).run()
    assert len(library.corpus(name).load().artifacts) == 1
