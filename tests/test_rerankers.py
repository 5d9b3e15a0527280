"""Rerankers, on a cross-encoder made here."""

from __future__ import annotations

import pytest

from ir_core.errors import ModelUnavailable
from ir_core.rerankers import open_reranker
from tests import tiny_models


def test_scores_are_the_cross_encoders_in_the_order_of_the_texts(tmp_path):
    folder = tiny_models.cross_encoder(tmp_path / "judge")
    reranker = open_reranker(str(folder))
    texts = ["the cat sleeps", "", "bank of the river", "money " * 200, "\ud800"]
    scores = reranker.scores("river bank", texts)
    from sentence_transformers import CrossEncoder

    own = CrossEncoder(str(folder), local_files_only=True)
    expected = own.predict(
        [("river bank", text.replace("\ud800", "\ufffd")) for text in texts], show_progress_bar=False
    )
    assert scores == pytest.approx([float(score) for score in expected], abs=1e-6)
    assert len(set(scores)) > 2
    assert reranker.scores("river bank", []) == []
    assert open_reranker(str(folder)) is reranker
    assert reranker.name == str(folder)


def test_a_model_of_several_values_is_refused(tmp_path):
    folder = tiny_models.cross_encoder(tmp_path / "nli", outputs=3)
    with pytest.raises(ModelUnavailable, match="gives 3 values for a pair"):
        open_reranker(str(folder))


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"config\.json or the weights are missing"):
        open_reranker(str(tmp_path))
