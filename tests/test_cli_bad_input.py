"""The command line and what it cannot read: one line that says what to do."""

from __future__ import annotations

import pytest

from ir_core.cli._options import read_pairs
from ir_core.cli._tables import columns, plain, table
from ir_core.errors import BadSetting
from tests.test_cli import HELP, ROOT, answer, one_home, run, shared_home  # noqa: F401
from tests.test_cli_corpora import beir  # noqa: F401


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "  ", *HELP], "empty"),
        (["search", "x", *HELP, "--k", "0"], "k = 0"),
        (["search", "x", *HELP, "--mode", "lexicall"], "Did you mean 'lexical'"),
        (["search", "x", "--corpus", "help_centre"], "Did you mean 'help_center'"),
        (["search", "x", "--corpus", "./nowhere/at/all"], "nowhere"),
        (["search", "x", *HELP, "--strategy", "Chunkd"], "Did you mean 'Chunked'"),
        (["search", "x", *HELP, "--set", "chunk_sise=3", "--strategy", "Chunked"], "Did you mean 'chunk_size'"),
        (["search", "x", *HELP, "--set", "chunk_size"], "key=value"),
        (["search", "x", *HELP, "--set", "Chunked.overlap=1"], "--strategy Chunked"),
        (["search", "x", *HELP, "--k1", "-1"], "k1 = -1"),
        (["search", "x", *HELP, "--filter", "{area: 1}"], "not JSON"),
        (["search", "x", *HELP, "--filter", "[1]"], "not a JSON object"),
        (["search", "x", *HELP, "--filter", '{"colour": 1}'], "reading_minutes"),
        (["search", "x", *HELP, "--surfaces", "documents"], "Did you mean 'document'"),
        (["compare", "x", *HELP, "--transforms", "hyd"], "Did you mean 'hyde'"),
        (["compare", "x", *HELP, "--set", "hyed.with_query=no"], "Did you mean 'hyde'"),
        (["compare", "x", *HELP, "--transforms", "rewrite", "--set", "hyde.with_query=no"], "--transforms"),
        (["compare", "x", *HELP, "--set", "multi_query.n=99"], "n = 99"),
        (["compare", "x", *HELP, "--history", "nowhere.json"], "cannot be read"),
        (["compare", "x", *HELP, "--history", str(ROOT / "README.md")], "not JSON"),
        (["evaluate", *HELP, "--measures", "recal@5"], "Did you mean 'recall'"),
        (["evaluate", *HELP, "--category", "simpel"], "Did you mean 'simple'"),
        (["evaluate", *HELP, "--category", ","], "--category ',' names nothing"),
        (["evaluate", *HELP, "--split", "tset"], "Did you mean 'test'? Known: test, tune."),
        (["search", "x", *HELP, "--surfaces", ","], "--surfaces ',' names nothing"),
        (["compare", "x", *HELP, "--transforms", ""], "--transforms '' names nothing"),
        (["search", "x", *HELP, "--set", "multi_query.n=5"], "searches the query as typed. Use compare."),
        (["search", "x", *HELP, "--filter", '{"a":' * 5_000], "nested too deep"),
        (["search", "x", *HELP, "--filter", '{"reading_minutes":' + "[" * 60 + "]" * 60 + "}"], "more than 50 deep"),
        (["search", "x", *HELP, "--filter", '{"reading_minutes": null}'], "cannot compare with null"),
        (["search", "x", "--corpus", "nosuch.txt"], "no corpus, file or folder named 'nosuch.txt'"),
        (["index", *HELP, "--set", "foo.bar=1"], "no transform or strategy named 'foo'"),
        (["index", *HELP, "--set", "hyde.with_query=no"], "an index has none"),
        (["index", "--corpus", "help_center", "--embedder", "hashin/g"], "hashin"),
        (["compar", "x"], "Did you mean 'compare'"),
        (["compare", "x"], "--corpus"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input_is_one_line_that_says_what_to_do(run, arguments, said, monkeypatch):  # noqa: F811
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    code, out, err = run(*arguments)
    assert code == 2
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("error: ")
    assert said in last
    assert "Traceback" not in err


def test_settings_are_read_by_what_stands_before_the_dot():
    assert read_pairs(["a=1", "hyde.with_query = no", "deps_template=a.b=c"]) == (
        {"a": "1", "deps_template": "a.b=c"},
        {"hyde": {"with_query": "no"}},
    )
    with pytest.raises(BadSetting):
        read_pairs(["=3"])


def test_tables_count_columns_not_characters():
    assert columns("日本") == 4
    assert plain("a\x1b[0m\nb\u202ec") == "a [0m b c"
    assert columns(plain("日本語のテキスト", 7)) <= 7
    lines = table(["name", "n"], [["日本", 3], ["x", None]]).splitlines()
    assert len({columns(line) for line in lines[1:]}) == 1, "every line ends in the same column"


def test_a_search_with_other_settings_leaves_the_index_of_the_page(answer, beir):  # noqa: F811
    path = ["--corpus", str(beir), "--embedder", "hashing"]
    first = answer("search", "ferry", *path)["config"]["index"]
    assert answer("index", *path, "--plan")["is_current"], "the first index there is, is the current one"
    for name in ("search", "compare"):
        other = answer(name, "ferry", *path, "--strategy", "Chunked", "--k1", "2")["config"]
        assert other["index"] != first
        assert answer("index", *path, "--plan")["fingerprint"] == first
        assert answer("index", *path, "--plan")["is_current"]
    made = answer("index", *path, "--strategy", "Chunked", "--k1", "2", "--set", "overlap=7")["index"]
    kept = answer("search", "ferry", "--corpus", str(beir))["config"]
    assert (kept["index"], kept["embedder"], kept["k1"]) == (made["fingerprint"], "hashing", 2)
    assert kept["strategy"]["params"]["overlap"] == 7
    assert answer("search", "ferry", "--corpus", str(beir), "--b", "0.5")["config"]["k1"] == 2


def test_a_remark_is_not_called_a_loss(run, tmp_path):  # noqa: F811
    (tmp_path / "a.txt").write_bytes("ação e coração".encode("latin-1"))
    (tmp_path / "b.txt").write_bytes(b"")
    _, out, err = run("index", "--corpus", str(tmp_path), "--embedder", "hashing")
    assert "note: a.txt: is not UTF-8" in err
    assert "not read: b.txt: is empty" in err
    assert "1 surface (1 document) of 1 document," in out


def test_a_table_says_which_option_names_its_text_column(run, answer, tmp_path):  # noqa: F811
    table = tmp_path / "t.csv"
    table.write_text("foo,bar\n1,the ferry\n2,the bus\n", "utf-8")
    for more, said in (([], "known to hold the text"), (["--text-column", "nope"], "has no column 'nope'")):
        code, _, err = run("search", "ferry", "--corpus", str(table), "--embedder", "hashing", *more)
        assert code == 2
        assert said in err
        assert "foo, bar" in err
        assert "--text-column NAME" in err
    found = answer("search", "ferry", "--corpus", str(table), "--embedder", "hashing", "--text-column", "bar")
    assert found["config"]["text_column"] == "bar"
