"""Uploads, folders and the environment as corpora: what is kept, renamed and deleted."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest

from ir_core import build, config, library, session
from ir_core.errors import BadInput, BadSetting, BadSource, NeedsColumn, NothingRead, UnknownName
from ir_core.index import IndexSettings
from tests.made_files import BEIR, TOML, a_program, write_all, zipped


@pytest.fixture
def samples(tmp_path, monkeypatch) -> Path:
    program = a_program(tmp_path / "program")
    monkeypatch.setattr(config, "resources", lambda: program)
    return program / "sample_corpora"


def upload(title: str = "Notes", *files: tuple[str, bytes], **options: str) -> library.Corpus:
    return library.add_upload(title, list(files) or [("a.txt", b"A note about bees.")], **options)


def ids(corpus: library.Corpus) -> list[str]:
    return [artifact.id for artifact in corpus.load().artifacts]


def test_any_path_is_a_corpus(tmp_path):
    write_all(tmp_path, {"docs/a.txt": "a", "one.md": "# One"})
    write_all(tmp_path / "beir", BEIR)
    beir = library.corpus(str(tmp_path / "beir"))
    assert (ids(beir), len(beir.queries()), beir.info.n_documents) == (["d1", "d2", "d3"], 2, 3)
    docs, one = library.corpus(tmp_path / "docs"), library.corpus(tmp_path / "one.md")
    assert (ids(docs), docs.queries(), docs.qrels(), ids(one)) == (["a.txt"], [], {}, ["one.md"])
    names = {corpus.name for corpus in (beir, docs, one)}
    assert len(names) == 3
    assert library.corpus(str(tmp_path / "beir" / ".." / "docs")).name == docs.name
    with pytest.raises(BadSource, match="There is no file or folder"):
        library.corpus(tmp_path / "no")
    with pytest.raises(UnknownName):
        library.corpus(str(tmp_path / "docs"), paths=False)


def test_an_unknown_name_suggests_the_closest(samples):
    with pytest.raises(UnknownName, match="Did you mean 'bees'"):
        library.corpus("beez")


def test_an_upload_is_kept(samples, home):
    files = [("a.txt", b"one"), ("a.txt", b"two"), ("b/c.md", "# Ünï\nthree".encode()), ("bad.pdf", b"")]
    corpus = upload("Notes", *files)
    assert (corpus.name, corpus.info.kind, corpus.info.n_documents) == ("notes", "upload", 3)
    again = library.corpus("notes")
    loaded = again.load()
    assert {item.id: item.raw for item in loaded.artifacts} == {
        "a.txt": "two", "a~2.txt": "one", "b/c.md": "# Ünï\nthree",
    }  # fmt: skip
    assert {problem.name for problem in loaded.problems} == {"a~2.txt", "bad.pdf"}
    assert [info.name for info in library.corpora()] == ["bees", "notes"]
    kept = home / "corpora" / "notes"
    assert sorted(path.read_bytes() for path in (kept / "files").iterdir()) == sorted(data for _, data in files)
    assert library.disk_use()["notes"] == sum(path.stat().st_size for path in kept.rglob("*") if path.is_file())


def test_an_uploaded_collection_brings_its_queries():
    packed = upload("Packed", ("c.zip", zipped(*((f"c/{name}", data) for name, data in BEIR.items()))))
    loose = upload("Loose", *((Path(name).name, data if isinstance(data, bytes) else data.encode())
                              for name, data in BEIR.items() if "train" not in name))  # fmt: skip
    for corpus in (packed, loose):
        assert ids(corpus) == ["d1", "d2", "d3"]
        assert [query.id for query in corpus.queries()] == ["q1", "q2"]
        assert corpus.qrels()["q1"] == {"d1": 2}


@pytest.mark.parametrize(
    "title",
    ["../../evil", "/etc/passwd", "<img src=x onerror=alert(1)>", "مدونة", "日本語", ".hidden", "CON", "x" * 120],
)
def test_titles_are_never_paths(title, home):
    corpus = upload(title, (title, b"some text"))
    assert corpus.info.title == title
    folder = home / "corpora" / corpus.name
    assert folder.resolve().parent == (home / "corpora").resolve()
    assert {path.name for path in home.iterdir()} == {"corpora"}
    (artifact,) = library.corpus(corpus.name, paths=False).load().artifacts
    assert artifact.id == title
    library.delete(corpus.name)
    assert not folder.exists()


@pytest.mark.parametrize("title", ["", " \n\t ", "x" * 121])
def test_titles_that_are_none(title):
    with pytest.raises(BadInput, match="title"):
        upload(title)


def test_nothing_is_overwritten(samples):
    first, second, third = upload("Notes"), upload("Notes", ("b.txt", b"b")), upload("bees")
    assert [first.name, second.name, third.name] == ["notes", "notes-2", "bees-2"]
    assert [first.info.title, second.info.title] == ["Notes", "Notes (2)"]
    assert (ids(library.corpus("notes")), ids(library.corpus("notes-2"))) == (["a.txt"], ["b.txt"])
    assert library.corpus("bees").info.kind == "sample"


def test_uploads_at_the_same_time_get_names_of_their_own():
    threads = [threading.Thread(target=upload, args=("Same",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({info.name for info in library.corpora() if info.kind == "upload"}) == 8


def test_an_upload_that_cannot_be_read_leaves_nothing(home):
    for files, error in (
        ([("a.pdf", b"")], NothingRead),
        ([("a.csv", b"foo,bar\n1,2\n")], NeedsColumn),
        ([], BadSource),
    ):
        with pytest.raises(error):
            library.add_upload("Notes", files)
    assert not (home / "corpora").exists()
    corpus = upload("Table", ("a.csv", b"foo,bar\n1,b\n"), text_column="bar")
    assert library.corpus(corpus.name).load().artifacts[0].raw["text"] == "b"
    library.set_text_column(corpus.name, "foo")
    assert library.corpus(corpus.name).load().artifacts[0].raw["text"] == "1"


@pytest.mark.parametrize("address", ["0.0.0.0", "192.168.1.2", "", None, "::", "example.org"])
def test_no_folder_can_be_typed_on_an_open_server(tmp_path, address):
    write_all(tmp_path, {"a.txt": "a"})
    with pytest.raises(BadInput, match=r"server listens on .* Upload the files"):
        library.add_folder("Mine", tmp_path, server_address=address)
    with pytest.raises(BadInput, match="server listens on"):
        library.add_environment(server_address=address)
    assert [info for info in library.corpora() if info.kind != "sample"] == []


def test_a_folder_is_read_where_it_is(tmp_path):
    write_all(tmp_path / "docs", {"a.txt": "a", "b.txt": "b"})
    corpus = library.add_folder("Mine", str(tmp_path / "docs"), server_address="127.0.0.1")
    assert (ids(corpus), corpus.info.kind, corpus.info.n_documents) == (["a.txt", "b.txt"], "folder", 2)
    (tmp_path / "docs" / "a.txt").unlink()
    write_all(tmp_path / "docs", {"c.txt": "c"})
    assert ids(library.corpus(corpus.name)) == ["b.txt", "c.txt"]
    library.delete(corpus.name)
    assert {path.name for path in (tmp_path / "docs").iterdir()} == {"b.txt", "c.txt"}
    with pytest.raises(BadSource):
        library.add_folder("No", tmp_path / "nowhere", server_address="localhost")


def test_a_collection_in_a_folder_keeps_its_queries(tmp_path):
    write_all(tmp_path / "docs", {**BEIR, "corpus.toml": TOML})
    corpus = library.add_folder("Mine", tmp_path / "docs", server_address="::1")
    assert (corpus.info.title, corpus.info.language, len(corpus.queries())) == ("Mine", "en", 2)
    assert corpus.info.default_strategy == {"name": "Chunked", "params": {"chunk_size": 300}}


def test_the_environment_is_one_corpus():
    corpus = library.add_environment(server_address="localhost")
    assert "pytest" in ids(corpus)
    assert corpus.info.default_strategy == {"name": "Package", "params": {}}
    assert library.add_environment(server_address="localhost").name == corpus.name


def test_rename_and_delete(samples):
    corpus, other = upload("Notes"), upload("Other")
    library.rename(corpus.name, "  New\n title ")
    assert library.corpus("notes").info.title == "New title"
    library.rename(corpus.name, "Other")
    assert library.corpus("notes").info.title == "Other (2)"
    library.delete(corpus.name)
    with pytest.raises(UnknownName):
        library.corpus("notes", paths=False)
    assert ids(library.corpus(other.name)) == ["a.txt"]
    column = partial(library.set_text_column, column="x")
    for change in (partial(library.rename, title="x"), library.delete, column):
        with pytest.raises(BadInput, match="is a sample that comes with the program"):
            change("bees")
        with pytest.raises(UnknownName):
            change("../" + other.name)


def test_a_corpus_does_not_inherit_the_index_of_one_that_was_deleted(home):
    upload("Notes")
    session.prepare("notes", embedder="hashing", settings={"k1": 2}).build()
    assert build.current("notes") is not None
    assert session.prepare("notes").settings.k1 == 2
    library.delete("notes")
    upload("Notes")
    assert build.current("notes") is None
    assert session.prepare("notes", embedder="hashing").settings.k1 == IndexSettings().k1


def test_kept_settings_that_no_longer_are_any_stop_nothing(home):
    upload("Notes")
    library.set_settings("notes", {"strategy": {"name": "Gone"}, "embedder": "hashing", "k1": "many", "b": 0.5})
    prepared = session.prepare("notes")
    assert (prepared.embedder.name, prepared.settings, prepared.strategy.name) == (
        "hashing", IndexSettings(), "WholeText",
    )  # fmt: skip


def test_a_damaged_corpus_is_shown_and_can_be_deleted(home):
    corpus, other = upload("Notes"), upload("Other")
    (home / "corpora" / corpus.name / "corpus.json").write_text("{")
    shown = {info.name: info for info in library.corpora()}
    assert "cannot be read" in shown["notes"].description
    assert ids(library.corpus(other.name)) == ["a.txt"]
    with pytest.raises(BadSource, match="Restore the file, or delete the corpus"):
        library.corpus("notes").load()
    library.delete("notes")
    assert "notes" not in library.disk_use()


def test_settings_are_kept(samples, home, tmp_path):
    path = library.corpus(write_all(tmp_path / "docs", {"a.txt": "a"})).name
    for name in ("bees", upload("Notes").name, path):
        assert library.get_settings(name) == {}
        chosen = {"strategy": {"name": "Chunked", "params": {"overlap": 20}}, "k1": 0.9, "embedder": "hashing"}
        library.set_settings(name, chosen)
        assert library.get_settings(name) == chosen
        library.set_settings(name, {"k1": 1.2})
        assert library.get_settings(name) == {"k1": 1.2}
        with pytest.raises(BadSetting):
            library.set_settings(name, {"k1": float("nan")})
        with pytest.raises(BadSetting):
            library.set_settings(name, {"k1": object()})
    assert library.corpus("notes").info.settings == library.corpus("bees").info.settings == {"k1": 1.2}
    (home / "settings" / "bees.json").write_text("{")
    assert library.get_settings("bees") == {}
    assert {p.name for p in home.rglob("*.json")} == {"corpus.json", "bees.json", f"{path}.json"}
