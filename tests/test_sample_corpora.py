"""The rules each sample corpus keeps, so that its figures mean something."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from ir_core import library
from ir_core.strategies import strategy_from_spec
from ir_core.text import stem, stopwords

ROOT = Path(__file__).parent.parent / "sample_corpora"
CORPORA = sorted(folder.name for folder in ROOT.iterdir() if folder.is_dir())
CATEGORIES = {
    "simple", "ambiguous_short", "vocabulary", "broad", "narrow_technical", "multi_hop", "follow_up", "small_talk",
}  # fmt: skip
FREE_OF_OVERLAP_RULE = {"simple", "small_talk"}
LARGE = ("help_center", "procurement")
"""With sixty queries and more; the others are small, and there to show a strategy."""
PROSE = ("title", "name", "text", "description", "body", "readme", "user", "assistant", "summary")
"""What of a record a person reads; the rest is told apart by (owner, parent, deps)."""


class Sample:
    def __init__(self, name: str) -> None:
        self.name, folder = name, ROOT / name
        self.docs = {doc["_id"]: doc for doc in _lines(folder / "corpus.jsonl")}
        self.queries = {query["_id"]: query for query in _lines(folder / "queries.jsonl")}
        self.qrels: dict[str, dict[str, int]] = {}
        rows = (folder / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
        assert rows[0].split("\t") == ["query-id", "corpus-id", "score"]
        for row in rows[1:]:
            query, doc, score = row.split("\t")
            assert doc not in self.qrels.setdefault(query, {}), f"{query} {doc} judged twice"
            self.qrels[query][doc] = int(score)
        self.gold = {query: {doc for doc, score in rows.items() if score > 0} for query, rows in self.qrels.items()}
        self.config = tomllib.loads((folder / "corpus.toml").read_text(encoding="utf-8"))
        self.readme = (folder / "README.md").read_text(encoding="utf-8")

    def gold_texts(self, query_id: str) -> dict[str, str]:
        found = {doc: self.docs[doc] for doc in sorted(self.gold.get(query_id, ()))}
        return {name: prose(doc) for name, doc in found.items()}


def prose(doc: dict) -> str:
    record = {**doc, **doc.get("payload", {})}
    return " ".join(str(record[key]) for key in PROSE if record.get(key))


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module", params=CORPORA)
def sample(request) -> Sample:
    return Sample(request.param)


def words_of(text: str) -> list[str]:
    """Words as a reader sees them: the index's tokeniser would count an identifier twice, in parts and whole."""
    return re.findall(r"\w+", text.lower())


def content(words: list[str]) -> list[str]:
    return [stem(word) for word in words if word not in stopwords("en")]


def test_there_is_one_for_every_strategy_that_reads_records():
    assert {"help_center", "procurement", "skills", "packages", "sessions", "bilingual"} <= set(CORPORA)


def test_size_categories_and_boss_set(sample):
    counts = Counter(query["metadata"]["category"] for query in sample.queries.values())
    boss = Counter(q["metadata"]["category"] for q in sample.queries.values() if q["metadata"]["set"] == "boss")
    if sample.name in LARGE:
        assert len(sample.docs) >= 60
        assert len(sample.queries) >= 60
        assert set(counts) == CATEGORIES
        assert min(counts.values()) >= 6
        assert boss == {"ambiguous_short": 4, "vocabulary": 3, "multi_hop": 3}
    else:
        assert len(sample.docs) >= 40
        assert len(sample.queries) >= 20
        assert CATEGORIES - {"multi_hop"} <= set(counts) <= CATEGORIES
        assert 8 <= boss.total() <= 10
    assert {q["metadata"]["set"] for q in sample.queries.values()} == {"boss", "regression"}


def test_judgements_name_what_exists(sample):
    assert set(sample.qrels) <= set(sample.queries)
    assert {doc for judged in sample.qrels.values() for doc in judged} <= set(sample.docs)
    for name, query in sample.queries.items():
        category = query["metadata"]["category"]
        judged = sample.gold.get(name, set())
        assert bool(judged) == (category != "small_talk"), name
        if category == "multi_hop":
            assert len(judged) >= 2, name
        assert bool(query["metadata"]["answers"]) == bool(judged), name


def test_split_is_the_hash_of_the_id(sample):
    for name, query in sample.queries.items():
        even = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0
        assert query["metadata"]["split"] == ("tune" if even else "test"), name


def test_histories_are_turns(sample):
    for name, query in sample.queries.items():
        history = query["metadata"].get("history") or []
        assert bool(history) or query["metadata"]["category"] != "follow_up", name
        assert all(set(turn) == {"role", "content"} and turn["role"] in {"user", "assistant"} for turn in history)


def test_no_query_shares_four_words_in_a_row_with_its_gold(sample):
    for name, query in sample.queries.items():
        asked = words_of(query["text"])
        grams = set(zip(asked, asked[1:], asked[2:], asked[3:], strict=False))
        for doc, text in sample.gold_texts(name).items():
            words = words_of(text)
            shared = grams & set(zip(words, words[1:], words[2:], words[3:], strict=False))
            assert not shared, f"{name} and {doc} share {shared}"


def test_at_most_half_of_a_querys_content_words_stand_in_its_gold(sample):
    for name, query in sample.queries.items():
        if query["metadata"]["category"] in FREE_OF_OVERLAP_RULE:
            continue
        asked = set(content(words_of(query["text"])))
        for doc, text in sample.gold_texts(name).items():
            held = asked & set(content(words_of(text)))
            assert len(held) <= len(asked) / 2, f"{name} shares {held} of {asked} with {doc}"


def test_answers_stand_in_the_gold(sample):
    for name, query in sample.queries.items():
        everything = " ".join(sample.gold_texts(name).values()).lower()
        for answer in query["metadata"]["answers"]:
            assert 1 <= len(answer.split()) <= 8, answer
            assert answer.lower() in everything, f"{name}: {answer!r} is in none of its gold documents"


def test_description_and_examples(sample):
    assert {"name", "title", "description", "language", "licence", "filter_fields"} <= set(sample.config)
    assert len(sample.config["examples"]) >= 5
    assert {example["query_id"] for example in sample.config["examples"]} <= set(sample.queries)
    strategy, found = strategy_from_spec(sample.config["strategy"]), library.corpus(sample.name).load().artifacts
    plans = [strategy.decompose(one.id, one.raw, one.metadata) for one in found]
    assert set(sample.config["filter_fields"]) <= {key for plan in plans for key in plan.filter_fields}
    assert "teach" in sample.readme.lower()


def test_documents_are_whole_and_distinct(sample):
    stopped = {name for name, doc in sample.docs.items() if doc.get("metadata", {}).get("interrupted")}
    texts = [prose(doc) for name, doc in sample.docs.items() if name not in stopped]
    assert all(len(text.split()) >= (60 if sample.name in LARGE else 25) for text in texts)
    assert all(one != other for one, other in pairwise(sorted(texts)))
