"""``query-prism evaluate``: controls, every measure by its name, and the files it writes."""

from __future__ import annotations

import json
import zipfile

import pytest

from ir_core.cli import main
from ir_core.jobs import JobStore
from pages.evaluate import taking


def test_controls_measures_and_files(capsys, tmp_path):
    runs, page = tmp_path / "runs.zip", tmp_path / "report.html"
    asked = [
        "evaluate", "--corpus", "help_center", "--embedder", "hashing", "--mode", "hybrid", "--limit", "4",
        "--transforms", "rewrite", "--controls", "dense,lexical", "--measures",
        "recall@5,success@3,precision@5,map@5,answer_in_context@5", "--trec", str(runs),
        "--report", str(page), "--json",
    ]  # fmt: skip
    assert main(asked) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["measures"] == ["recall@5", "success@3", "precision@5", "map@5", "answer_in_context@5"]
    assert [one["transform"] for one in data["transforms"]] == ["identity", "rewrite", "identity", "identity"]
    assert data["transforms"][2]["settings"] == {"dense_weight": 2.0}
    with zipfile.ZipFile(runs) as archive:
        assert len(archive.namelist()) == 5
    said = page.read_text("utf-8")
    assert "Control: lexical list doubled" in said
    assert "<b>recall@5</b>: The share of a query&#x27;s relevant documents" in said
    assert "</b>: </li>" not in said, "every measure has its definition"
    assert page.read_bytes() == taking.to_html(JobStore().get(data["job"])), "the page's report is the same"


@pytest.mark.parametrize("option", ["--csv", "--trec", "--report", "--record"])
def test_a_file_that_cannot_be_written_is_named_before_anything_runs(option, capsys, tmp_path):
    there = tmp_path / "there.csv"
    there.write_text("kept")
    code = main([
        "evaluate", "--corpus", "help_center", "--embedder", "hashing", "--limit", "1", "--transforms", "identity",
        "--csv", str(there), option, str(tmp_path / "no" / "report.html"),
    ])  # fmt: skip
    said = capsys.readouterr().err
    assert code == 2
    assert f"{option} " in said
    assert "cannot be written" in said
    assert len(said.splitlines()) == 1
    assert JobStore().jobs() == []
    assert there.read_text() == "kept"
