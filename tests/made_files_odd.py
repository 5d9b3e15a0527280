"""A folder of odd files, as they come from drives, mails and exports: names to bytes, and what only a disk has."""

from __future__ import annotations

import io
import json
import os
import random
import stat
import zipfile
from pathlib import Path

from tests.made_files import docx, jsonl, pdf, write_all, zipped
from tests.made_files_more import calculated, changed, code, epub, ipynb, page, pptx, prose, xlsx

ARABIC = "ذهب الولد إلى المدرسة صباحا وعاد إلى البيت بعد الظهر ليقرأ كتابا عن تاريخ المدينة القديمة.\n"
JAPANESE = "京都の古い寺院を訪れる観光客は、静かな庭園と歴史のある建物を楽しむことができます。\n"
FRENCH = "L'été dernier, les élèves ont visité un château près de la forêt où vécut une célèbre héroïne.\n"
MIXED = (
    "English, עברית, العربية, 日本語 and emoji 👩‍💻🏳️‍🌈 with a\u200bzero\u200cwidth\u200d and \u202ereversed\u202c end"
)


def nested(depth: int) -> bytes:
    data = zipped(("bottom.txt", "the bottom"))
    for level in range(depth):
        data = zipped((f"level{level}.zip", data), (f"at{level}.txt", f"level {level}"))
    return data


def with_link() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("link.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/hostname")
        archive.writestr("beside.txt", "beside the link")
    return stream.getvalue()


def encodings() -> dict[str, bytes]:
    return {
        "utf16-marked.txt": (ARABIC * 3).encode("utf-16"),
        "utf16-le-unmarked.txt": (FRENCH * 3).encode("utf-16-le"),
        "utf16-be-unmarked.csv": ("id,text\n" + "".join(f"{n},Un été à la mer\n" for n in range(9))).encode(
            "utf-16-be"
        ),
        "utf32.txt": MIXED.encode("utf-32"),
        "utf8-mark.csv": b"\xef\xbb\xbfid;text\n1;one\n2;two\n",
        "cp1256.txt": (ARABIC * 3).encode("cp1256"),
        "shift-jis.txt": (JAPANESE * 3).encode("shift_jis"),
        "iso-2022-jp.txt": (JAPANESE * 3).encode("iso2022_jp"),
        "latin-1.txt": (FRENCH * 3).encode("latin-1"),
        "half-and-half.txt": (FRENCH * 20).encode() + FRENCH.encode("latin-1"),
        "mac.txt": (FRENCH * 3).encode("mac_roman"),
        "nuls.txt": b"words\x00with\x00nuls and more of them\n" * 9,
        "only-nuls.txt": bytes(500),
        "surrogate.txt": b"a half of a pair: \xed\xa0\x80 and on",
        "utf16-odd.txt": "odd".encode("utf-16") + b"\x00",
        "all-bytes.txt": bytes(range(256)) * 9,
        "one-byte.txt": b"\xff",
        "controls.txt": b"bell\x07 and escape\x1b[31m red\n",
    }


def documents() -> dict[str, bytes]:
    good, word = pdf("A page of text", "Another"), docx(["A paragraph."], [["k", "v"]])
    book, deck = xlsx(S=[["id", "text"], [1, "one"]]), pptx(("Title", "Body"))
    tale = epub({"a.xhtml": page("<p>A chapter</p>"), "b.xhtml": "not <b>closed"})
    laughs = (
        '<!DOCTYPE a [<!ENTITY e0 "ha">'
        + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 9}">' for n in range(1, 9))
        + "]><a>&e8;</a>"
    )
    shared = "xl/worksheets/sheet1.xml"
    return {
        "broken.pdf": good[: len(good) // 2],
        "no-end.pdf": good[:-40],
        "words.pdf": b"only words",
        "header.pdf": b"%PDF-1.7",
        "locked.pdf": pdf("secret", password="x"),
        "scan.pdf": pdf("", ""),
        "no-pages.pdf": pdf(),
        "empty.pdf": b"",
        "text-layer.pdf": good,
        "junk-before.pdf": b"HTTP/1.1 200 OK\r\n\r\n" + good,
        "pdf-named.txt": good,
        "png-named.md": b"\x89PNG\r\n\x1a\n" + bytes(99),
        "zip-named.pdf": zipped(("a.txt", "x")),
        "docx-named.zip": word,
        "broken.docx": word[: len(word) // 2],
        "empty-body.docx": docx([""]),
        "html-named.docx": b"<html><p>Word says so</p>",
        "old.docx": b"\xd0\xcf\x11\xe0" + bytes(900),
        "good.docx": word,
        "no-parts.docx": zipped(("a", "b")),
        "formulas.xlsx": xlsx(S=[["text", "n"], ["a", "=1+1"], ["b", "=NOW()"]]),
        "blank-book.xlsx": xlsx(A=[], B=[]),
        "stored.xlsx": calculated([["text", "n"], ["a", ("=1+1", 2)]]),
        "broken.xlsx": book[:-200],
        "merged.xlsx": xlsx(lambda made: made["S"].merge_cells("A1:C9"), S=[["merged over all"]]),
        "hidden.xlsx": xlsx(
            lambda made: setattr(made["B"], "sheet_state", "veryHidden"), A=[["seen"]], B=[["unseen"]]
        ),
        "bad-cell.xlsx": changed(book, shared, b"<v>1</v>", b"<v>one</v>"),
        "errors.xlsx": xlsx(S=[["text"], ["#DIV/0!"]]),
        "laughs.xlsx": changed(
            changed(book, shared, b"<worksheet", laughs.removesuffix("<a>&e8;</a>").encode() + b"<worksheet"),
            shared,
            b"<v>1</v>",
            b"<v>&e8;</v>",
        ),
        "broken.pptx": deck[: len(deck) // 3],
        "blank.pptx": pptx(("", "")),
        "good.pptx": deck,
        "broken.epub": tale[: len(tale) // 2],
        "good.epub": tale,
        "no-spine.epub": epub({}),
        "words.epub": b"words",
        "good.ipynb": ipynb(prose("# T"), code("1", {"output_type": "stream", "text": "one"})),
        "cut.ipynb": ipynb(prose("x"))[:-9],
        "third.ipynb": ipynb({"cell_type": "code", "input": ["1\n", "2"], "outputs": []}, version=3),
        "list.ipynb": b"[1, 2]",
        "entities.xml": b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>before &x; after</a>',
        "laughs.xml": laughs.encode(),
        "spaces.xml": b'<n:a xmlns:n="urn:n"><n:b>in a namespace</n:b></n:a>',
        "lies.xml": '<?xml version="1.0" encoding="utf-8"?><a>déjà vu à côté</a>'.encode("latin-1"),
        "unclosed.xml": b"<a><b>text",
        "deep.xml": b"<a>" * 999 + b"x" + b"</a>" * 999,
        "attributes.xml": b'<a x="1" y="2"/>',
    }


def records() -> dict[str, bytes]:
    return {
        "repeated-keys.json": b'{"a": "one", "a": "two", "b": "three"}',
        "deep.json": b"[" * 50_000,
        "not-numbers.json": b'[{"text": "t", "x": NaN, "y": -Infinity, "z": 1e999}]',
        "cut.json": b'[{"text": "one"}, {"te',
        "number.json": b"42",
        "null.json": b"null",
        "string.json": b'"only a text"',
        "empty-list.json": b"[]",
        "single.json": b"{'a': 1}",
        "comments.json": b'// no\n{"text": "x"}',
        "lines.json": jsonl({"text": "a"}, {"text": "b"}),
        "huge-number.json": b'{"a": %s}' % (b"9" * 9_000),
        "damaged.jsonl": jsonl({"text": "a"}) + b'\n{"text": \n\n[1]\nnull\n{"text": "b"}\n{}\n{"text": ""}',
        "ragged.csv": b"id,text\n1,one,more\n2\n\n,,,\n3,three\n",
        "quotes.csv": b'id,text\n1,"never closed\n2,two\n',
        "semicolons.csv": "nom;texte;prix\nété;un «mot»;3,50\n".encode("cp1252"),
        "header-only.csv": b"id,text\n",
        "one-column.csv": b"text\nA\nB\n",
        "no-text-column.csv": b"code,colour\n1,red\n",
        "wide.csv": b"a," * 3_000 + b"\n" + b"1," * 3_000,
        "nul.csv": b"id,text\n1,a\x00b\n",
        "macintosh.csv": b"id,text\r1,one\r2,two\r",
        "tabs.tsv": b"id\ttext\n1\ta\tb\tc\n",
        "sep.csv": b"sep=|\nid|text\n1|one\n",
    }


def pages_and_texts() -> dict[str, bytes]:
    line = "".join(random.Random(7).choices("abcdefg hij klm", k=10_000)) * 1_000
    return {
        "scripts.html": b"<title>T</title><script>alert(1)</script><p onclick=x()>seen</p><noscript>no</noscript>",
        "lies.html": '<meta charset="utf-16"><p>Déjà vu</p>'.encode("latin-1"),
        "only-script.html": b"<script>x</script>",
        "deep.html": b"<div>" * 9_000 + b"x",
        "unclosed.html": b"<table><tr><td>cell<p>text",
        "frames.html": b"<frameset><frame src=x></frameset>",
        "xhtml.xhtml": page("<p>After an empty title</p>").encode(),
        "comment.html": b"<!-- nothing seen -->",
        "ten-megabytes.txt": line.encode(),
        "too-large.txt": b"x" * 21_000_000,
        "scripts.txt": MIXED.encode(),
        "spaces.txt": b" \n\t \xe2\x80\x8b",
        "zero.txt": b"",
        "zero": b"",
        "no-ending": b"No ending at all",
        "marks.txt": ("e" + "\u0301" * 2_000).encode(),
        "rtl.md": f"# {ARABIC}".encode(),
        "front.md": b"---\na: [\n---\nBody",
        "only-front.md": b"---\ntitle: T\n---\n",
        "yaml-bomb.md": b"---\na: &a [x]\nb: &b [*a,*a]\n---\nBody",
        "CON": b"a device",
        "nul.txt": b"another",
        "aux.csv": b"text\nx\n",
        "a.": b"dot at the end",
        " space.txt ": b"spaces around",
        "same.txt": b"small",
        "SAME.txt": b"capitals",
        "ro\u0308st.txt": b"decomposed",
        "r\u00f6st.txt": b"composed",
        "line\nbreak.txt": b"in a name",
        "<b>name.txt": b"markup",
        "n" * 240 + ".txt": b"long name",
        "program.exe": b"MZ\x90",
        "photo.jpg": b"\xff\xd8\xff\xe0",
        "book.odt": b"PK\x03\x04",
        "list.txt.gz": b"\x1f\x8b\x08",
        ".hidden.txt": b"hidden",
        ".hidden/inside.txt": b"hidden too",
        "~$lock.docx": b"lock",
        ".DS_Store": b"x",
    }


def archives() -> dict[str, bytes]:
    return {
        "four-deep.zip": nested(4),
        "climbs.zip": zipped(("../out.txt", "x"), ("in.txt", "inside")),
        "bomb.zip": zipped(("b.txt", b"0" * 3_000_000)),
        "links.zip": with_link(),
        "nothing.zip": zipped(),
        "broken.zip": zipped(("a.txt", "x" * 999))[:60],
        "words.zip": b"words",
        "rare.zip": zipped(("b.txt", "x"), method=zipfile.ZIP_LZMA),
        "same-names.zip": zipped(("a.txt", "1"), ("a.txt", "2")),
        "mixed.zip": zipped(
            (".hidden.md", "h"), ("a.xlsx", xlsx(S=[["seen"]])), ("d/b.pdf", b"%PDF"), ("__MACOSX/._a", "no")
        ),
    }


LITTER = {".DS_Store", "~$lock.docx"}
"""What programs leave behind; nobody misses it, so nothing is said."""


def odd_folder(folder: Path) -> list[str]:
    """Makes them; gives their names as a loader shows them, links and pipes too, without the litter."""
    files = {**encodings(), **documents(), **records(), **pages_and_texts(), **archives()}
    write_all(folder, files)
    (folder / "around.txt").symlink_to(folder / "around.txt")
    (folder / "one.txt").symlink_to(folder / "two.txt")
    (folder / "two.txt").symlink_to(folder / "one.txt")
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    (folder / "outside.txt").symlink_to("/etc/hostname")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_bytes(b"a name in Latin-1")
    (folder / "json-dir.json").mkdir()
    (folder / "json-dir.json" / "inside.json").write_text(
        json.dumps({"text": "in a folder that is named like a file"})
    )
    more = ["around.txt", "one.txt", "two.txt", "gone.txt", "outside.txt", "loop", "pipe.txt", "caf\ufffd.txt"]
    return [name for name in files if name not in LITTER] + [*more, "json-dir.json/inside.json"]
