"""The vector store: bounded, shared, and none the worse for damage."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from ir_core.errors import IndexProblem
from ir_core.index import VectorStore
from ir_core.text import sha256
from tests.fakes import HashEmbedder

DIM = 16


def keys_of(numbers):
    return [sha256(str(number)) for number in numbers]


def vectors_of(numbers):
    return HashEmbedder(dim=DIM).encode_query([str(number) for number in numbers])


def put(store, numbers, embedder="e"):
    store.write(embedder, keys_of(numbers), vectors_of(numbers), [number + 1 for number in numbers])


def held(store, numbers, embedder="e"):
    known = store.tokens(embedder, keys_of(numbers))
    return [number for number, key in zip(numbers, keys_of(numbers), strict=True) if key in known]


def test_a_folder_that_cannot_be_made_is_told_with_the_way_out(tmp_path):
    (tmp_path / "home").write_text("")
    with pytest.raises(IndexProblem, match=r"cannot be made .* Set QUERY_PRISM_HOME"):
        VectorStore(tmp_path / "home" / "vectors.sqlite").bytes_used()


def test_what_was_written_is_read_back_by_embedder_and_text(tmp_path):
    numbers = list(range(1_203))
    with VectorStore(tmp_path / "vectors.sqlite") as store:
        put(store, numbers)
    with VectorStore(tmp_path / "vectors.sqlite") as store:
        found = {}
        for keys, vectors in store.read("e", keys_of([*numbers, "absent"]), DIM):
            found.update(zip(keys, vectors.tolist(), strict=True))
        assert found == dict(zip(keys_of(numbers), vectors_of(numbers).tolist(), strict=True))
        assert store.tokens("e", keys_of([4])) == {keys_of([4])[0]: 5}
        assert held(store, numbers, "another") == []
        assert list(store.read("e", keys_of([4]), DIM + 1)) == []


def test_the_least_recently_used_go_and_never_what_this_handle_used(tmp_path):
    path = tmp_path / "vectors.sqlite"
    rng = np.random.default_rng(0)
    with VectorStore(path) as store:
        for start in range(0, 6_000, 2_000):
            wide = rng.normal(size=(2_000, 384)).astype(np.float32)
            wide /= np.linalg.norm(wide, axis=1, keepdims=True)
            store.write("e", keys_of(range(start, start + 2_000)), wide, [1] * 2_000)
        full = store.bytes_used()
        assert store.trim() == 0
    with VectorStore(path, limit_bytes=full // 2) as store:
        list(store.read("e", keys_of(range(100)), 384))  # oldest, but used now
        assert store.trim() > 0
        assert store.bytes_used() <= full // 2
        assert held(store, range(100)) == list(range(100))
        assert held(store, range(100, 1_500)) == []
        assert held(store, range(5_900, 6_000)) == list(range(5_900, 6_000))
    assert path.stat().st_size < full * 0.6
    with VectorStore(path, limit_bytes=1) as store:
        put(store, range(7))
        store.trim()
        assert held(store, range(6_000)) == list(range(7))


def test_a_damaged_file_is_named_moved_aside_and_rebuilt(tmp_path):
    path = tmp_path / "vectors.sqlite"
    with VectorStore(path) as store:
        put(store, range(500))
    content = path.read_bytes()
    assert len(content) > 8_192
    for damage in (b"this is no database" * 500, content[:4_096] + b"\xff" * (len(content) - 4_096)):
        path.write_bytes(damage)
        with VectorStore(path) as store:
            assert held(store, range(500)) == []
            assert "vectors.sqlite was damaged" in store.notes[0]
            assert "moved to vectors.damaged.sqlite" in store.notes[0]
            put(store, range(3))
            assert held(store, range(500)) == [0, 1, 2]
        assert (tmp_path / "vectors.damaged.sqlite").read_bytes()[4_096:] == damage[4_096:]
    with VectorStore(path) as store:
        assert held(store, range(3)) == [0, 1, 2]
        assert store.notes == []


def test_a_vector_that_lost_its_length_is_not_given_out(tmp_path):
    with VectorStore(tmp_path / "vectors.sqlite") as store:
        store.write("e", keys_of([1, 2]), np.stack([vectors_of([1])[0], vectors_of([2])[0] * 3]), [1, 1])
        assert [keys for keys, _ in store.read("e", keys_of([1, 2]), DIM)] == [keys_of([1])]


def test_a_store_that_cannot_be_written_says_what_to_do(tmp_path):
    (tmp_path / "vectors.sqlite").mkdir()
    with VectorStore(tmp_path / "vectors.sqlite") as store, pytest.raises(IndexProblem, match="folder writable"):
        put(store, [1])


def test_two_processes_write_at_once(tmp_path):
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from ir_core.index import VectorStore
        from tests.test_index_vectors import put
        first = int(sys.argv[2])
        with VectorStore(Path(sys.argv[1])) as store:
            for start in range(first, first + 400, 8):
                put(store, range(start, start + 8))
        """
    )
    path = tmp_path / "vectors.sqlite"
    running = [subprocess.Popen([sys.executable, "-c", program, str(path), str(n)]) for n in (0, 200)]
    assert [process.wait(60) for process in running] == [0, 0]
    with VectorStore(path) as store:
        assert held(store, range(600)) == list(range(600))
        assert store.notes == []
