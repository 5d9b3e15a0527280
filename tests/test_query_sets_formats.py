"""Judged queries in the formats people keep them in, and what each failure says."""

from __future__ import annotations

import io
import json
import zipfile

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir_core.errors import BadSetting, BadSource, NeedsColumn, UnknownName
from ir_core.library.queries import read_qrels
from ir_core.library.sets import read_set
from ir_core.loaders import judged
from tests.app import ROOT

CLASSIC = b"""<top>
<num> Number: 301
<title> International <b>organized</b> crime

<desc> Description:
Identify organizations that take part.

<narr> Narrative:
A relevant document names one.
</top>
<top><num>302</num><title>Poliomyelitis</title><desc>Is it under control?</desc></top>
"""
XML = """<?xml version="1.0"?><!DOCTYPE topics [<!ENTITY evil SYSTEM "file:///etc/passwd">]>
<topics><topic number="1"><query>أصل الفيروس &evil;</query><question>Where is it from?</question></topic></topics>"""


def read(name: str, data: str | bytes, mapping: str | None = None, qrels: bytes | None = None):
    seen = judged.look((name, data if isinstance(data, bytes) else data.encode()))
    columns = judged.parse_map(mapping, seen.table) if mapping else None
    return read_set(seen, ("qrels", qrels) if qrels else None, columns)


def test_classic_topics_with_trec_judgements():
    queries, qrels = read("topics.301-302", CLASSIC, qrels=b"301 0 FBIS3-1 1\n301 0 FT-2 0\n302 Q0 LA-3 -1\n")
    assert [(one.id, one.text) for one in queries] == [
        ("301", "International <b>organized</b> crime"), ("302", "Poliomyelitis"),
    ]  # fmt: skip
    assert qrels == {"301": {"FBIS3-1": 1, "FT-2": 0}, "302": {"LA-3": -1}}
    described, *_ = read("t", CLASSIC, "text=description")[0]
    assert described.text == "Identify organizations that take part."


def test_xml_topics_expand_no_entity():
    queries, _ = read("topics.xml", XML)
    assert (queries[0].id, queries[0].text) == ("1", "أصل الفيروس &evil;"), "nothing is read for it"
    with pytest.raises(BadSource, match="is not XML that can be read"):
        read("topics.xml", "<topics><topic>")


@pytest.mark.parametrize(
    ("name", "text", "second"),
    [
        ("wt.txt", "51:horse hooves\n52:avp", ("52", "avp")),
        ("queries.tsv", "1048585\twhat is paula deen's brother\n2\ta \"quoted word", ("2", 'a "quoted word')),
        ("q.csv", 'qid;question\n1;"a; b"\n007;NA', ("007", "NA")),
        ("q.json", '{"data": [{"id": 1, "query": "x"}, {"id": 2, "query": "y"}]}', ("2", "y")),
    ],
)
def test_lists_and_tables_without_a_mapping(name, text, second):
    queries, qrels = read(name, text)
    assert (queries[1].id, queries[1].text) == second
    assert qrels == {}


def test_every_field_of_a_table_is_kept():
    row = {
        "nr": "a", "frage": "and on the phone?", "kind": "follow_up", "gold": ["d1", "d 2"], "g": [2, 0],
        "a": ["Open it", "Press"], "turns": [{"role": "user", "content": "hi"}, {"role": "agent", "text": "yes?"}],
        "half": "tune", "set": "boss", "year": 2024,
    }  # fmt: skip
    mapping = "id=nr,text=frage,documents=gold,grade=g,answers=a,history=turns,split=half"
    [query], qrels = read("q.jsonl", json.dumps(row), mapping)
    assert (query.id, query.category, query.answers, query.split) == ("a", "follow_up", ("Open it", "Press"), "tune")
    assert [turn["role"] for turn in query.history] == ["user", "assistant"]
    assert (query.set, query.metadata) == ("boss", {"year": 2024})
    assert qrels == {"a": {"d1": 2, "d 2": 0}}


@pytest.mark.parametrize("cell", ["d1;d2", "d1 | d2", '["d1", "d2"]', "d1, d2", '{"d1": 1, "d2": 1}'])
def test_documents_are_separated_as_people_do(cell):
    _, qrels = read("q.jsonl", json.dumps({"id": "1", "query": "x", "gold": cell}))
    assert qrels == {"1": {"d1": 1, "d2": 1}}


def test_a_row_for_each_judgement_is_one_query():
    queries, qrels = read("q.csv", "query,docid,relevance,qid\nx,d1,1,7\nx,d2,2,7\n")
    assert ([one.id for one in queries], qrels) == (["7"], {"7": {"d1": 1, "d2": 2}})


@pytest.mark.parametrize("folder", ["", "scifact/"])
def test_a_zip_in_beirs_layout_needs_no_documents(folder):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{folder}queries.jsonl", '{"_id": "1", "text": "x", "metadata": {"answer": "y"}}')
        archive.writestr(f"{folder}qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\td1\t2\n")
    [query], qrels = read("set.zip", packed.getvalue())
    assert (query.answers, qrels) == (("y",), {"1": {"d1": 2}})


def test_a_sample_read_as_a_folder_is_what_the_library_reads():
    from ir_core import library

    corpus = library.corpus("help_center")
    assert read_set(judged.look(ROOT / "sample_corpora" / "help_center")) == (corpus.queries(), corpus.qrels())


@pytest.mark.parametrize(
    ("name", "text", "error", "said"),
    [
        ("q.csv", "", BadSource, "q.csv is blank, so it holds no query"),
        ("q.csv", "id,query\n", BadSource, "has no rows, so it holds no query"),
        ("q.csv", "id,query\n1,a\n2,\n", BadSource, "row 2, has no text in the column 'query'"),
        ("q.csv", "id,query\n1,a\n2,b\n1,c\n", BadSource, "rows 1 and 3, have the same id '1'"),
        ("q.csv", "id,query,gold,grade\n1,a,d,2.5\n", BadSource, "has the grade '2.5'; a whole number was expected"),
        ("q.csv", "id,kind\n1,a\n", NeedsColumn, "no column that is known to hold the query"),
        ("q.jsonl", '{"id": 1, "query": "a"}\n{oops\n', BadSource, "line 2, is not JSON"),
        ("q.txt", "just a sentence", BadSource, "no list of queries that is known here"),
        ("q.jsonl", '{"_id": "q", "text": "a"}\n{"_id": "q", "text": "a"}', BadSource, "lines 1 and 2, have"),
        ("q.zip", b"PK\x03\x04nothing", BadSource, "q.zip is not a zip archive"),
        ("q.png", b"\x89PNG\r\n\x1a\n\x00", BadSource, "q.png is not text"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_sentence(name, text, error, said):
    with pytest.raises(error, match=said):
        read(name, text)


@pytest.mark.parametrize("column", ["relevant", "relevant_docs", "gold", "positive"])
def test_relevant_documents_may_stand_with_the_query_even_if_not_with_the_first(column):
    first, second = {"_id": "a", "text": "x"}, {"_id": "b", "text": "y", column: ["d1", "d2"]}
    _, qrels = read("q.jsonl", f"{json.dumps(first)}\n{json.dumps(second)}\n")
    assert qrels == {"b": {"d1": 1, "d2": 1}}


def test_a_mapping_names_fields_and_columns_there_are():
    for mapping, error, said in (
        ("text", BadSetting, "no field=column"), ("txt=question", UnknownName, "Did you mean 'text'"),
        ("text=qestion", UnknownName, "Did you mean 'question'"),
        ("id=id,id=question", BadSetting, "says both id=id and id=question"),
    ):  # fmt: skip
        with pytest.raises(error, match=said):
            read("q.csv", "id,question\n1,a", mapping)
    [query], _ = read("q.csv", "id,question,type\n1,a,b", "category=")
    assert query.category is None


IDS = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=5)


def test_the_public_sets_package_says_only_what_one_has_to_agree_to(capfd):
    ir_datasets = pytest.importorskip("ir_datasets", reason="an optional package")

    with pytest.raises(UnknownName):
        judged.read_public("beir/no-such-set")
    said = ir_datasets.log.easy()
    said.warn("Download failed: HTTPSConnectionPool")
    said.info("[starting] https://example.org")
    said.info("Please confirm you agree to the data usage agreement")
    assert capfd.readouterr().err == "[INFO] Please confirm you agree to the data usage agreement\n"


@given(st.dictionaries(st.tuples(IDS, IDS), st.integers(-2, 4), min_size=1, max_size=20))
def test_trec_judgements_are_those_that_ir_measures_reads(pairs):
    text = "".join(f"{query} 0 {document} {grade}\n" for (query, document), grade in pairs.items())
    theirs = {(one.query_id, one.doc_id): one.relevance for one in ir_measures.read_trec_qrels(io.StringIO(text))}
    ours = read_qrels(judged.to_beir(text.encode()))
    assert {(query, doc): grade for query, found in ours.items() for doc, grade in found.items()} == theirs


def test_judgements_that_contradict_each_other_are_named_by_their_lines():
    with pytest.raises(
        BadSource, match="line 2, give 'd' for the query 'q' the grade 2, and an earlier line gave it 1"
    ):
        read_qrels(judged.to_beir(b"q 0 d 1\nq 0 d 2\n"))
    with pytest.raises(BadSource, match="line 2, is not TREC's four fields with white space"):
        judged.to_beir(b"q 0 d 1\nq 0 d\n")
    assert read_qrels(judged.to_beir(b"query-id,corpus-id,score\nq,d 1,1\n")) == {"q": {"d 1": 1}}


TREC = {"301": {"d1": 1}, "302": {"d2": 2}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("301 0 d1 1\n302\t0\td2 2\n", TREC),
        ("301 0 d1 1\n302 0\td2\t2\n", TREC),
        ("301 0\td1\t1\n302\t0 d2\t2\n", TREC),
        ("301\t0\td1\t1\n\n302  0   d2 2 \n", TREC),
        ("301\t0\td 1\t1\n302\t\td 2\t2\n", {"301": {"d 1": 1}, "302": {"d 2": 2}}),
        ("q 1\td 1\t1\nq 2\t0 d\t2\n", {"q 1": {"d 1": 1}, "q 2": {"0 d": 2}}),
        ("query-id\tcorpus-id\tscore\nq 0\td1\t1\n", {"q 0": {"d1": 1}}),
        ("q, 0, d 1, 1\n", {"q": {"d 1": 1}}),
    ],
)
def test_white_space_separates_as_for_trecs_own_tools_and_ids_keep_theirs(text, expected):
    assert read_qrels(judged.to_beir(text.encode())) == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("302 0 d2 0.5", "and a whole number): '302 0 d2 0.5'. Its grade '0.5' is not a whole number. Correct"),
        ("302\t0\td 2\t0.5", "Its grade '0.5' is not"),
        ("302\t0\td2\t1\tx", r"whole number): '302\t0\td2\t1\tx'. It has 5 fields. Correct the line"),
        ("302 0 " + 99 * "d" + " 1 x", f"'302 0 {74 * 'd'}…'. It has 5 fields"),
        ("302 Q0 d2 1 9.5 bm25", "It has 6 fields. If every line has six, the file is a TREC run"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", "301 0 d1 1\n"])
def test_a_line_that_is_not_trecs_is_quoted_as_it_stands(before, line, said):
    with pytest.raises(BadSource) as caught:
        judged.to_beir(f"{before}{line}\n".encode(), "x.qrels")
    where = f"x.qrels, line {1 + bool(before)}, is not TREC's four fields with white space between"
    assert where in str(caught.value)
    assert said in str(caught.value)


def test_a_line_that_is_not_beirs_is_quoted_as_it_stands():
    for text in ("q\td 1\t0.5", "query-id,corpus-id,iteration,score\nq,0,d,0.5"):
        with pytest.raises(BadSource) as caught:
            read_qrels(judged.to_beir(text.encode()))
        assert repr(text.splitlines()[-1]) in str(caught.value)
