"""The command line over corpora: by name and by path, indexed, searched, measured, told."""

from __future__ import annotations

import json

import pytest

from ir_core.transforms import TRANSFORMS
from tests.test_cli import HELP, answer, one_home, run, shared_home  # noqa: F401


@pytest.fixture
def beir(tmp_path):
    folder = tmp_path / "my corpus"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "a", "title": "Ferry", "text": "The ferry to the island leaves at noon.", "metadata": {"year": 2020}},
        {"_id": "b", "title": "Bus", "text": "The bus to the harbour leaves every hour.", "metadata": {"year": 2024}},
        {
            "_id": "c",
            "title": "Evil \x1b[31mtitle\x07",
            "text": "Nothing about travel here.",
            "metadata": {"year": 1},
        },
    ]
    (folder / "corpus.jsonl").write_text("\n".join(json.dumps(item) for item in documents), "utf-8")
    queries = [
        {"_id": "1", "text": "ferry island"},
        {"_id": "2", "text": "hello", "metadata": {"category": "small_talk"}},
    ]
    (folder / "queries.jsonl").write_text("\n".join(json.dumps(item) for item in queries), "utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t1\n", "utf-8")
    return folder


def test_search_is_the_original_alone(answer, run):  # noqa: F811
    found = answer("search", "export a document", *HELP, "--k", "4")
    assert [result["transform"] for result in found["results"]] == ["identity"]
    _, out, _ = run("search", "export a document", *HELP, "--k", "4")
    for hit in found["results"][0]["hits"]:
        assert hit["title"] in out


def test_a_corpus_by_path_follows_its_source(answer, beir):  # noqa: F811
    path = ["--corpus", str(beir), "--embedder", "hashing"]
    first = answer("search", "ferry island", *path, "--k", "1")
    assert first["results"][0]["hits"][0]["artifact_id"] == "a"
    assert answer("index", *path, "--plan")["is_current"]
    with (beir / "corpus.jsonl").open("a", encoding="utf-8") as file:
        file.write('\n{"_id": "d", "title": "Night ferry", "text": "ferry ferry island island"}\n{"_id": broken')
    stale = answer("index", *path, "--plan")
    assert (stale["is_current"], stale["n_surfaces"], stale["n_to_embed"]) == (False, 4, 1)
    assert "line 5" in stale["problems"][0]["reason"]
    again = answer("search", "ferry island", *path, "--k", "1")
    assert again["results"][0]["hits"][0]["artifact_id"] == "d"
    assert again["config"]["corpus"] == str(beir)
    assert again["config"]["index"] != first["config"]["index"]


def test_index_takes_the_strategys_settings(answer, beir):  # noqa: F811
    found = answer(
        "index", "--corpus", str(beir), "--embedder", "hashing", "--strategy", "Chunked",
        "--set", "chunk_size=20", "--set", "Chunked.overlap=5", "--set", "index.k1=0.9",
    )  # fmt: skip
    assert found["index"]["strategy"]["params"]["chunk_size"] == 20
    assert found["index"]["strategy"]["params"]["overlap"] == 5
    assert found["index"]["k1"] == 0.9
    assert found["index"]["n_surfaces"] > 3


def test_corpora_lists_the_samples_and_their_indexes(answer, run):  # noqa: F811
    answer("index", *HELP)
    rows = {row["name"]: row for row in answer("corpora")["corpora"]}
    assert rows["help_center"]["n_surfaces"] == rows["help_center"]["n_documents"] == 74
    assert "procurement" in rows
    assert "help_center" in run("corpora")[1]
    assert [one["name"] for one in answer("transforms")["transforms"]] == list(TRANSFORMS.names())
    assert "original_weight=1.0" in run("transforms")[1]


def test_evaluate_measures_and_says_what_was_left_out(answer, run, beir):  # noqa: F811
    path = ["--corpus", str(beir), "--embedder", "hashing", "--transforms", "rewrite"]
    found = answer("evaluate", *path, "--measures", "recall@1,mrr@10")
    assert found["n"] == 1
    assert [item["query_id"] for item in found["excluded"]] == ["2"]
    assert [item["transform"] for item in found["transforms"]] == ["identity", "rewrite"]
    assert found["transforms"][0]["means"] == {"recall@1": 1.0, "mrr@10": 1.0}
    assert found["config"]["queries"]["measures"] == ["recall@1", "mrr@10"]
    assert found["config"]["k"] == 10, "what was measured, not what --k says"
    _, out, _ = run("evaluate", *path)
    assert "not measured: 2: Small talk" in out


def test_documents_cannot_write_to_the_terminal(run, beir):  # noqa: F811
    _, out, _ = run("search", "nothing about travel", "--corpus", str(beir), "--embedder", "hashing")
    assert "Evil" in out
    assert not {"\x1b", "\x07"} & set(out)
