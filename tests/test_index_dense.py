"""The dense leg against a plain sort of all cosines."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ir_core.errors import IndexProblem
from ir_core.index import dense
from ir_core.index.dense import Dense


def unit(rng, n, dim=48):
    vectors = rng.normal(size=(n, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def opened(folder, vectors, order=None):
    steps: list[int] = []
    dense.write(folder, vectors, steps.append)
    assert steps[-1] == len(vectors)
    return Dense(folder, vectors, np.arange(len(vectors), dtype=np.int32) if order is None else order)


def exact(vectors, query, n, order, allowed=None):
    cosines = vectors.astype(np.float64) @ query.astype(np.float64)
    rows = range(len(vectors)) if allowed is None else np.flatnonzero(allowed)
    return sorted(rows, key=lambda row: (-round(cosines[row], 6), order[row]))[:n], cosines


@pytest.fixture(scope="module")
def hundreds(tmp_path_factory):
    rng = np.random.default_rng(11)
    vectors = unit(rng, 700)
    order = rng.permutation(700).astype(np.int32)
    index = opened(tmp_path_factory.mktemp("dense") / "chroma", vectors, order)
    yield index, unit(rng, 12)
    index.close()


@pytest.mark.parametrize("n", [1, 10, 100, 700, 5_000])
def test_lists_equal_a_full_sort(hundreds, n):
    index, queries = hundreds
    for query, (rows, scores) in zip(queries, index.search(queries, n), strict=True):
        expected, cosines = exact(index.vectors, query, n, index.order)
        assert rows.tolist() == expected
        assert scores == pytest.approx(cosines[expected], abs=1e-6)


@pytest.mark.parametrize("scanned_up_to", [0, 2_000])
@pytest.mark.parametrize("share", [0.01, 0.3, 0.9])
def test_filtered_lists_equal_a_filtered_sort(hundreds, share, scanned_up_to, monkeypatch):
    monkeypatch.setattr(dense, "SCAN_ROWS", scanned_up_to)  # 0: Chroma is given the ids
    index, queries = hundreds
    allowed = np.random.default_rng(2).random(700) < share
    for query, (rows, _) in zip(queries, index.search(queries, 20, allowed), strict=True):
        assert rows.tolist() == exact(index.vectors, query, 20, index.order, allowed)[0]


def test_nothing_asked_or_allowed_is_nothing_found(hundreds):
    index, queries = hundreds
    for n, allowed in ((0, None), (-1, None), (5, np.zeros(700, dtype=bool))):
        assert [len(rows) for rows, _ in index.search(queries, n, allowed)] == [0] * len(queries)
    assert index.search(queries[:0], 5) == []


def test_a_thousand_identical_rows_come_in_the_order_of_their_ids(tmp_path):
    rng = np.random.default_rng(4)
    vectors = np.repeat(unit(rng, 1), 1_005, axis=0)
    vectors[::201] = unit(rng, 5)
    order = rng.permutation(1_005).astype(np.int32)
    index = opened(tmp_path / "chroma", vectors, order)
    [(rows, scores)] = index.search(vectors[1:2], 40)
    assert rows.tolist() == exact(vectors, vectors[1], 40, order)[0]
    assert scores == pytest.approx(np.ones(40))
    index.close()


def test_many_threads_open_and_search_one_folder(tmp_path):
    rng = np.random.default_rng(6)
    vectors = unit(rng, 300)
    index = opened(tmp_path / "chroma", vectors)
    with ThreadPoolExecutor(8) as pool:
        lists = list(pool.map(lambda row: index.search(vectors[row : row + 1], 3)[0][0].tolist(), range(80)))
    assert [found[0] for found in lists] == list(range(80))
    index.close()


def test_a_missing_or_damaged_collection_names_the_way_out(tmp_path):
    vectors = unit(np.random.default_rng(7), 50)
    missing = Dense(tmp_path / "chroma", vectors, np.arange(50, dtype=np.int32))
    with pytest.raises(IndexProblem, match="Build the index again"):
        missing.search(vectors[:1], 3)
    opened(tmp_path / "chroma", vectors).close()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"not a database" * 100)
    with pytest.raises(IndexProblem, match="Build the index again"):
        Dense(tmp_path / "chroma", vectors, np.arange(50, dtype=np.int32)).search(vectors[:1], 3)


def test_a_closed_one_says_so(hundreds, tmp_path):
    vectors = hundreds[0].vectors[:20]
    index = opened(tmp_path / "chroma", vectors)
    index.search(vectors[:1], 3)
    index.close()
    with pytest.raises(IndexProblem, match="closed"):
        index.search(vectors[:1], 3)


def test_files_put_in_place_by_another_process_are_read_although_the_old_ones_are_open(tmp_path):
    rng, here, away = np.random.default_rng(5), tmp_path / "chroma", tmp_path / "away"
    old = opened(here, unit(rng, 60))
    query = unit(rng, 1)
    assert old.search(query, 5)[0][0].tolist() == exact(old.vectors, query[0], 5, old.order)[0]
    others = unit(rng, 90)
    dense.write(away, others, lambda done: None)
    here.rename(tmp_path / "gone")
    away.rename(here)
    new = Dense(here, others, np.arange(90, dtype=np.int32))
    expected = exact(others, query[0], 5, new.order)[0]
    assert new.search(query, 5)[0][0].tolist() == expected
    old.close()
    assert new.search(query, 5)[0][0].tolist() == expected
    new.close()
