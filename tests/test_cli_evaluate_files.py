"""``query-prism evaluate``: controls, every measure by its name, and the files it writes."""

from __future__ import annotations

import json
import zipfile

from ir_core.cli import main


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
    assert "Control: lexical list doubled" in page.read_text("utf-8")


def test_a_file_that_cannot_be_written_is_named(capsys, tmp_path):
    code = main([
        "evaluate", "--corpus", "help_center", "--embedder", "hashing", "--limit", "1", "--transforms", "identity",
        "--report", str(tmp_path / "no" / "report.html"),
    ])  # fmt: skip
    assert code == 2
    assert "cannot be written" in capsys.readouterr().err
