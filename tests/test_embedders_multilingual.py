"""An embedder of several languages: what it finds, and the prefixes that models are known to need."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ir_core import library
from ir_core.build import build
from ir_core.embedders import KNOWN, MULTILINGUAL, SentenceTransformerEmbedder, known_model, open_embedder
from ir_core.model_files import resolve
from ir_core.retrieval import Engine, SearchSettings, search
from ir_core.schema import Formulation, Query
from ir_core.strategies import WholeText
from tests import tiny_models

DICTIONARY = {
    "bi-q032": ("أجدد", "التجديد", "تجديد", "renew", "renewing"),
    "bi-q033": ("كنبة", "الأثاث", "furniture"),
    "bi-q036": ("قمامة", "القمامة", "النفايات", "waste"),
    "bi-q037": ("هوية", "الهوية", "identity"),
    "bi-q038": ("الحر", "القيظ", "heat"),
    "bi-q043": ("حفلات", "الضجيج", "noise"),
    "bi-q044": ("البلكونة", "الشرفة", "الشرفات", "balcony"),
    "bi-q045": ("المسبح", "مسبح", "pool"),
    "bi-q058": ("موقف", "وقوف", "parking"),
    "bi-q059": ("كلبي", "الكلب", "الكلاب", "dog"),
    "bi-q060": ("الطهو", "الطبخ", "cook"),
}
"""Of Arabic questions of the sample: what each is about, in its own word and in those of the notices. The words are
picked so that question and notice share one, so this tests the way from a question to both languages, and says
nothing of how well a real model would retrieve."""
WORDS = tuple(DICTIONARY.values())


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """Opened by its path, with prefixes of its own."""
    prompts = {"query": "query: ", "document": "passage: "}
    return open_embedder(str(tiny_models.bilingual(tmp_path_factory.mktemp("m") / "both", WORDS, prompts=prompts)))


def found(engine: Engine, question: str, k: int) -> set[str]:
    original = Query("original", question)
    asked = Formulation("original", "Original", original, (original,))
    return {hit.artifact_id for hit in search(engine, asked, SearchSettings(mode="dense", k=k)).fused.hits}


def test_arabic_questions_find_english_and_arabic_documents(both, tmp_path):
    corpus = library.corpus("bilingual")
    questions, qrels = {query.id: query.text for query in corpus.queries()}, corpus.qrels()
    english = dict.fromkeys(("both", "spelling"), 0)
    for name, reader in (("both", both), ("spelling", open_embedder("hashing"))):
        engine = Engine(build(name, corpus.load().artifacts, WholeText(), reader, home=tmp_path), reader)
        for asked in DICTIONARY:
            wanted = found(engine, questions[asked], 4) & qrels[asked].keys()
            english[name] += any(one.endswith("en") for one in wanted)
            if name == "both":
                assert {one[-2:] for one in wanted} == {"en", "ar"}, questions[asked]
    assert english["both"] == len(DICTIONARY)
    assert english["spelling"] < len(DICTIONARY) / 3, "spelling alone leads from one language to the other seldom"


def test_a_models_own_prefixes_go_before_queries_and_passages(both):
    from sentence_transformers import SentenceTransformer

    plain = SentenceTransformer(str(both.files.path), local_files_only=True)
    for encode, prefix in ((both.encode_query, "query: "), (both.encode_document, "passage: ")):
        expected = plain.encode([f"{prefix}dog كلبي"], prompt="", normalize_embeddings=True)
        np.testing.assert_allclose(encode(["dog كلبي"]), expected, atol=1e-6)
    assert np.abs(both.encode_query(["dog"]) - both.encode_document(["dog"])).max() > 0.01
    assert both.token_counts(["dog"]) == [3]
    assert both.max_tokens == 1_000_000  # static embeddings say they have no limit
    assert both.languages is None


def test_a_known_model_gets_its_prefixes_and_its_own_prompts_win(tmp_path):
    name = MULTILINGUAL.name.rpartition("/")[2]
    folder = tiny_models.bilingual(tmp_path / name, WORDS)
    known = SentenceTransformerEmbedder(resolve(str(folder)))
    assert (known.query_prefix, known.document_prefix) == ("query: ", "passage: ")
    plain = SentenceTransformerEmbedder(resolve(str(tiny_models.bilingual(tmp_path / "unknown", WORDS))))
    assert (plain.query_prefix, plain.document_prefix) == ("", "")
    np.testing.assert_allclose(known.encode_query(["dog"]), plain.encode_query(["query: dog"]), atol=1e-6)
    np.testing.assert_allclose(known.encode_document(["dog"]), plain.encode_document(["passage: dog"]), atol=1e-6)
    assert known.token_counts(["dog"]) == plain.token_counts(["passage: dog"])
    assert known.fingerprint.split(":")[1:4] == plain.fingerprint.split(":")[1:4]
    assert len(known.fingerprint.split(":")) == 5, "vectors with a prefix are other vectors"

    config = folder / "config_sentence_transformers.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "prompts": {"query": "passage: "}}))
    own = SentenceTransformerEmbedder(resolve(str(folder)))
    assert (own.query_prefix, own.document_prefix) == ("passage: ", "")
    np.testing.assert_allclose(own.encode_query(["dog"]), plain.encode_query(["passage: dog"]), atol=1e-6)
    np.testing.assert_allclose(own.encode_document(["dog"]), plain.encode_document(["dog"]), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("intfloat/multilingual-e5-small", "intfloat/multilingual-e5-small"),
        ("/models/Multilingual-E5-Small/", "intfloat/multilingual-e5-small"),
        ("C:\\models\\bge-m3", "BAAI/bge-m3"),
        ("/cache/models--intfloat--e5-base-v2/snapshots/f52bf8ec8c", "intfloat/e5-base-v2"),
        ("intfloat/multilingual-e5-large-instruct", "intfloat/multilingual-e5-large-instruct"),
        ("someone/multilingual-e5-small-tuned", None),
        ("/bge-m3/other", None),
    ],
)
def test_models_are_known_by_name_folder_and_place_in_the_cache(name, found):
    known = known_model(name)
    assert (known and known.name) == found


def test_the_table_says_each_model_once_and_what_is_suggested_reads_any_language():
    assert len({model.name for model in KNOWN}) == len(KNOWN)
    assert MULTILINGUAL.languages is None
    assert MULTILINGUAL.about
    assert all(model.query or not model.document for model in KNOWN)
