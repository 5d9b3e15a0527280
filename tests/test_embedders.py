"""Embedders: what holds for every one, and what sentence-transformers' models must be asked for."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ir_core import params
from ir_core.embedders import DEFAULT_EMBEDDER, EMBEDDERS, SentenceTransformerEmbedder, open_embedder
from ir_core.embedders._queue import QueriesFirst
from ir_core.errors import ModelUnavailable
from ir_core.model_files import resolve
from tests import tiny_models

AWKWARD = ["", " ", "a", "👩‍💻", "ذهب الولد", "\ud800 lone", "\x00", "x" * 5_000, "word " * 3_000]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    prompts = {"query": "query : ", "document": "passage : "}
    return tiny_models.embedder(tmp_path_factory.mktemp("models") / "tiny", prompts=prompts)


@pytest.fixture(params=[*EMBEDDERS.names(), "tiny"])
def embedder(request, tiny):
    return open_embedder(str(tiny) if request.param == "tiny" else request.param)


def test_rows_are_unit_float32_and_in_the_order_of_the_texts(embedder):
    texts = ["river bank", *AWKWARD, "the cat sleeps"]
    for encode in (embedder.encode_document, embedder.encode_query):
        vectors = encode(texts)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(texts), embedder.dim)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
        alone = np.concatenate([encode([text]) for text in texts])
        np.testing.assert_allclose(vectors, alone, atol=1e-5)


def test_no_texts_give_no_rows(embedder):
    assert embedder.encode_document([]).shape == (0, embedder.dim)
    assert embedder.encode_query([]).shape == (0, embedder.dim)
    assert embedder.token_counts([]) == []


def test_counts_are_those_before_any_cut(embedder):
    short, long = embedder.token_counts(["the cat", "the cat " * 5_000])
    assert short < 20
    assert long > 9_000


def test_threads_get_the_vectors_they_asked_for(embedder):
    texts = [f"cat {number} on the river bank" for number in range(40)]
    expected = embedder.encode_query(texts)
    found: dict[int, np.ndarray] = {}

    def work(number: int) -> None:
        encode = embedder.encode_query if number % 2 else embedder.encode_document
        encode(texts)
        found[number] = embedder.encode_query([texts[number]])[0]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose([found[n] for n in range(8)], expected[:8], atol=1e-5)


@pytest.mark.parametrize("name", EMBEDDERS.names())
def test_registered_members_describe_themselves_without_loading(name):
    member = EMBEDDERS.get(name)
    assert member.label
    assert member.summary.endswith(".")
    assert params.make(member).open().name == name
    assert member.languages is None or member.languages == frozenset({"en"})


def test_one_embedder_per_name_and_process():
    assert open_embedder("sentence-transformers/all-MiniLM-L6-v2") is open_embedder(DEFAULT_EMBEDDER)


def test_minilm_knows_its_meaning_and_its_limit(minilm):
    vectors = minilm.encode_document(
        ["The cat sat on the mat.", "A kitten rested on the rug.", "Interest rates rose."]
    )
    assert vectors[0] @ vectors[1] > 0.5 > 0.2 > vectors[0] @ vectors[2]
    assert (minilm.dim, minilm.max_tokens, minilm.languages) == (384, 256, frozenset({"en"}))
    # What lies beyond the limit is not read.
    head = "river " * 254
    np.testing.assert_allclose(
        minilm.encode_document([head]), minilm.encode_document([head + "bank " * 50]), atol=1e-5
    )
    assert minilm.token_counts([head, head + "bank"]) == [256, 257]


def test_opening_the_default_and_counting_tokens_imports_no_torch():
    code = (
        "import sys; from ir_core.embedders import open_embedder; e = open_embedder(); e.token_counts(['a b']);"
        "print(e.fingerprint); assert not {'torch', 'sentence_transformers', 'transformers'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == open_embedder().fingerprint


def test_loading_and_encoding_says_nothing_and_asks_no_network(tiny):
    code = (
        "import socket; asked = []\n"
        "socket.getaddrinfo = lambda *a, **k: asked.append(a) or []\n"
        "from ir_core.embedders import open_embedder\n"
        f"for e in (open_embedder({str(tiny)!r}), open_embedder()):\n"
        "    e.encode_query(['a']); e.encode_document(['b'] * 40)\n"
        "assert not asked, asked"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_prompts_of_the_model_are_used_and_counted(tiny, tmp_path):
    own = open_embedder(str(tiny))
    plain = SentenceTransformerEmbedder(resolve(str(tiny_models.embedder(tmp_path / "plain"))))
    np.testing.assert_allclose(own.encode_query(["cat"]), plain.encode_query(["query : cat"]), atol=1e-6)
    np.testing.assert_allclose(own.encode_document(["cat"]), plain.encode_document(["passage : cat"]), atol=1e-6)
    assert np.abs(own.encode_query(["cat"]) - own.encode_document(["cat"])).max() > 0.01
    assert own.token_counts(["cat"]) == [5]
    assert plain.token_counts(["cat"]) == [3]
    assert own.max_tokens == tiny_models.LIMIT
    assert own.fingerprint != plain.fingerprint


def test_other_weights_are_another_fingerprint(tmp_path):
    one, two, same = (
        SentenceTransformerEmbedder(resolve(str(tiny_models.embedder(tmp_path / place / "m", seed=seed)))).fingerprint
        for place, seed in (("one", 1), ("two", 2), ("same", 1))
    )
    assert one == same != two


def test_a_folder_without_a_model_says_so(tmp_path):
    with pytest.raises(ModelUnavailable, match=r"holds no model weights.*Always here: all-MiniLM-L6-v2, hashing"):
        open_embedder(str(tmp_path))
    broken = tiny_models.embedder(tmp_path / "broken")
    (broken / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        open_embedder(str(broken))


def test_hashing_is_the_same_on_every_machine():
    vector = open_embedder("hashing").encode_query(["Cats"])[0]
    # One word (+-1) and the trigrams <ca, cat, ats, ts> (+-0.3): CRC-32 says where and with which sign.
    import zlib

    expected = np.zeros(256)
    for feature, weight in [("cats", 1.0), ("<ca", 0.3), ("cat", 0.3), ("ats", 0.3), ("ts>", 0.3)]:
        code = zlib.crc32(feature.encode())
        expected[code % 256] += weight if code >= 2**31 else -weight
    np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-6)
    forms = open_embedder("hashing").encode_query(["invoices overdue", "invoice", "umbrella"])
    assert forms[0] @ forms[1] > forms[0] @ forms[2] + 0.1


def test_a_waiting_query_goes_before_the_next_documents():
    turns, order = QueriesFirst(), []
    inside, let_go = threading.Event(), threading.Event()

    def documents() -> None:
        for number in range(3):
            with turns.document():
                order.append(f"documents {number}")
                if number == 0:
                    inside.set()
                    let_go.wait(60)

    def query() -> None:
        with turns.query():
            order.append("query")

    build = threading.Thread(target=documents)
    build.start()
    inside.wait(60)
    person = threading.Thread(target=query)
    person.start()
    while not turns._waiting:
        time.sleep(0.001)
    let_go.set()
    build.join(60)
    person.join(60)
    assert order == ["documents 0", "query", "documents 1", "documents 2"]


def test_a_failed_batch_lets_the_next_one_in():
    turns = QueriesFirst()
    with pytest.raises(RuntimeError), turns.query():
        raise RuntimeError
    with turns.document():
        pass
