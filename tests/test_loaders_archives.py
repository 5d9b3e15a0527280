"""Zip archives: read like folders, and never able to hurt."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile

import pytest

from ir_core.errors import NothingRead
from ir_core.loaders import Options, load, load_uploads
from tests.made_files import write_all, zipped

GOOD = ("zz.txt", b"good")


def reason(data: bytes, options: Options | None = None) -> str:
    """The one thing said about an archive that is refused as a whole, beside a file that loads."""
    loaded = load_uploads([("a.zip", data), GOOD], options=options)
    assert [item.id for item in loaded.artifacts] == ["zz.txt"]
    (problem,) = loaded.problems
    assert problem.name == "a.zip"
    return problem.reason


def test_an_archive_is_read_like_a_folder(tmp_path):
    data = zipped(("d/x.txt", "one"), ("d/y.md", "# T\ntwo"), ("__MACOSX/._x", "no"), (".DS_Store", "no"), ("e/", ""))
    loaded = load_uploads([("a.zip", data)])
    assert [(item.id, item.metadata["folder"]) for item in loaded.artifacts] == [("d/x.txt", "d"), ("d/y.md", "d")]
    assert loaded.problems == ()
    (tmp_path / "a.zip").write_bytes(data)
    assert load(tmp_path / "a.zip") == loaded
    beside = load_uploads([("a.zip", data), GOOD])
    assert [item.id for item in beside.artifacts] == ["a.zip/d/x.txt", "a.zip/d/y.md", "zz.txt"]


def test_folders_of_other_programs_are_counted_by_name(tmp_path):
    files = {
        "a.txt": "one", "node_modules/x/i.txt": "no", "b/node_modules/y.txt": "no", "b/.git/HEAD": "no",
        "__MACOSX/._a.txt": "a shadow", "__pycache__/.DS_Store": "no", ".DS_Store": "no",
    }  # fmt: skip
    write_all(tmp_path / "d", files)
    (tmp_path / ".venv").mkdir()
    (tmp_path / "d" / ".venv").symlink_to(tmp_path / ".venv")
    said = {
        ".git": "is a folder that was left out: 1 file of another program's was in it",
        "node_modules": "is a folder that was left out: 2 files of another program's were in it",
    }
    for loaded in (load(tmp_path / "d"), load_uploads([("a.zip", zipped(*files.items()))])):
        assert [item.id for item in loaded.artifacts] == ["a.txt"]
        assert {problem.name: problem.reason for problem in loaded.problems} == said
        assert not any(problem.lost for problem in loaded.problems)


def test_a_cache_of_a_million_files_is_not_counted_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr("ir_core.loaders._files.MOST_COUNTED", 3)
    write_all(tmp_path, {"a.txt": "one"} | {f"{n}/node_modules/{m}.txt": "no" for n in "bc" for m in range(3)})
    (remark,) = load(tmp_path).problems
    assert "over 3 files" in remark.reason


def test_paths_that_lead_out_are_left_out_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ["../x.txt", "/abs.txt", "a/../../b.txt", "..\\w.txt", "C:/c.txt", "C:\\d.txt"]
    loaded = load_uploads([("a.zip", zipped(*((name, "x") for name in names), ("ok.txt", "ok")))])
    assert [item.id for item in loaded.artifacts] == ["ok.txt"]
    assert {problem.name for problem in loaded.problems} == {name.replace("\\", "/") for name in names}
    assert all("leads out of the archive" in problem.reason for problem in loaded.problems)
    assert list(tmp_path.iterdir()) == []
    assert not (tmp_path.parent / "x.txt").exists()


def test_bombs_are_refused_before_they_are_expanded(monkeypatch):
    def no_reading(self: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        raise AssertionError("a member was expanded")

    monkeypatch.setattr(zipfile.ZipExtFile, "read", no_reading)
    assert "zip bomb: 'x.txt' expands to 5 MB from" in reason(zipped(("x.txt", b"0" * 5_000_000)))
    parts = [(f"{n}.txt", os.urandom(5_000) * 80) for n in range(6)]
    small = Options(max_archive_bytes=2_000_000)
    assert reason(zipped(*parts), small) == "is refused: it expands to 2 MB; an archive may expand to 2 MB"
    many = zipped(*((str(n), "") for n in range(101)))
    assert reason(many, Options(max_members=100)) == "is refused: it holds 101 files; an archive may hold 100"


def test_what_headers_hide_is_counted_while_reading():
    inner = zipped(*((f"{n}.txt", os.urandom(500).hex() * 100) for n in range(5)))
    outer = zipped(*((f"{n}.zip", inner) for n in range(5)), method=zipfile.ZIP_STORED)
    loaded = load_uploads([("a.zip", outer)], options=Options(max_archive_bytes=1_500_000))
    total = sum(len(item.raw) for item in loaded.artifacts)
    assert total <= 1_500_000
    assert any("an archive may expand to 2 MB" in problem.reason for problem in loaded.problems)

    lying = bytearray(zipped(("x.txt", b"a" * 2_000_000)))
    start = lying.find(b"PK\x01\x02")
    lying[start + 24 : start + 28] = struct.pack("<I", 100)
    loaded = load_uploads([("a.zip", bytes(lying)), GOOD])
    assert [item.id for item in loaded.artifacts] == ["zz.txt"]
    assert "damaged" in loaded.problems[0].reason

    flood = zipped(("a", "b"))
    flood = flood[:-22] + b"PK\x01\x02" * 3_000 + flood[-22:]
    assert "it lists 3,001 files" in reason(flood, Options(max_members=100))


def test_archives_inside_archives_are_read_two_deep():
    first = zipped(("i.txt", "inner"))
    second = zipped(("first.zip", first), ("o.txt", "outer"))
    third = zipped(("second.zip", second), ("t.txt", "top"))
    assert [item.id for item in load_uploads([("a.zip", second)]).artifacts] == ["first.zip/i.txt", "o.txt"]
    loaded = load_uploads([("a.zip", third)])
    assert [item.id for item in loaded.artifacts] == ["second.zip/o.txt", "t.txt"]
    (problem,) = loaded.problems
    assert (problem.name, problem.reason) == ("second.zip/first.zip", "was not opened: archives are read 2 deep")


def test_links_passwords_and_rare_compression_are_named():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("ok.txt", "ok")
        archive.writestr("bz.txt", "x", compress_type=zipfile.ZIP_BZIP2)
        archive.writestr("locked.txt", "x")
    data = bytearray(stream.getvalue())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    loaded = load_uploads([("a.zip", bytes(data))])
    assert [item.raw for item in loaded.artifacts] == ["ok"]
    assert {problem.name: problem.reason.split(": ")[1].split(";")[0] for problem in loaded.problems} == {
        "link.txt": "it is a link, not a file",
        "bz.txt": "its compression is not zip's usual one (deflate)",
        "locked.txt": "it is encrypted",
    }


def test_names_in_utf8_that_do_not_say_so():
    data = bytearray(zipped(("файл.txt", "x")))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset + 1] &= 0xF7
    assert load_uploads([("a.zip", bytes(data))]).artifacts[0].id == "файл.txt"


def test_one_damaged_member_costs_no_other():
    data = bytearray(zipped(("x.txt", os.urandom(500).hex()), ("y.txt", "fine")))
    data[60:80] = b"\xff" * 20
    loaded = load_uploads([("a.zip", bytes(data))])
    assert [item.id for item in loaded.artifacts] == ["y.txt"]
    assert loaded.problems[0].name == "x.txt"
    with pytest.raises(NothingRead):
        load_uploads([("a.zip", zipped())])
