"""What is often said of query transforms, who says it, and which rows of our tables speak to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

CORPUS, LOCAL, RECORDED = "transforms-corpus-writer.md", "local-writer.md", "recorded-writers.md"
EXPANSION, HOPS = "expansion.md", "hops.md"
LOCAL_SETS = ("codebase", "hotpotqa_train100", "mtrag_govt", "musique_train100", "scifact")
SETS = ("arcd", *LOCAL_SETS)
NDCG, R5, R10, ALL10 = "nDCG@10", "recall@5", "recall@10", "all-gold recall@10"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table in docs/: its file, the heading above it (the part after " / " under the part before), the
    texts of its first cells, and the measure. ``says`` is in words what was searched."""

    file: str
    heading: str
    cells: tuple[str, ...]
    measure: str
    says: str


@dataclass(frozen=True, slots=True)
class Claim:
    """``note`` is what the rows cannot say for themselves."""

    said: str
    source: str
    rows: tuple[Row, ...]
    note: str = ""


def corpus(heading: str, name: str, leg: str = "hybrid", measure: str = NDCG) -> Row:
    return Row(CORPUS, heading, (name, leg), measure, f"{heading}, {leg}, no LLM")


def local(heading: str, name: str, leg: str = "hybrid", measure: str = NDCG) -> Row:
    return Row(LOCAL, heading, (name, leg), measure, f"{heading}, {leg}, SmolLM2-135M")


def expansion(heading: str, name: str, leg: str = "hybrid", measure: str = NDCG) -> Row:
    return Row(EXPANSION, heading, (name, leg), measure, f"{heading}, {leg}, {name}")


def hops(heading: str, name: str, says: str, measure: str = ALL10) -> Row:
    return Row(HOPS, heading, ("hybrid", name), measure, f"{heading.split(' / ')[-1]}, hybrid, {says}")


def recorded(heading: str, name: str, says: str, measure: str = NDCG) -> Row:
    return Row(RECORDED, heading, (name,), measure, says)


def every(row: Callable[..., Row], *cells: str, measure: str = NDCG) -> tuple[Row, ...]:
    """The same row of every set that the table has."""
    return tuple(row(name, *cells, measure=measure) for name in (LOCAL_SETS if row is local else SETS))


PARALLEL, BRIDGE = "Parallel decomposition (by structure, no LLM)", "Sequential: bridge query (no LLM)"
GOLD = "Upper bound: gold sub-questions and gold answers"
OTHER_HALF = "Settings, on the other half"
CLAIMS = (
    Claim(
        "HyDE beats the raw query",
        "Gao et al., ACL 2023",
        (
            recorded(
                "scifact, dense: query2doc passages by GPT-4.1, as HyDE",
                "passage alone",
                "scifact, dense, GPT-4.1, passage alone (as in the paper)",
            ),
            recorded(
                "scifact, dense: query2doc passages by GPT-4.1, as HyDE",
                "mean with the query",
                "scifact, dense, GPT-4.1, mean with the query",
            ),
            recorded(
                "scifact, dense: query2doc passages by Qwen2.5-7B, as HyDE",
                "passage alone",
                "scifact, dense, Qwen2.5-7B, passage alone",
            ),
            expansion("scifact", "HyDE, the same passages"),
            expansion("scifact", "HyDE, Qwen2.5-7B"),
            *every(local, "HyDE"),
        ),
        "The paper's embedder was trained without labels. Ours was trained on question and answer pairs, and leaves "
        "a passage less to mend.",
    ),
    Claim(
        "With no LLM, passages of the corpus do for HyDE",
        "Rocchio, 1971; often said of pseudo-relevance feedback for dense retrieval",
        every(expansion, "HyDE: feedback passages"),
        "In arcd, whose dense leg is noise, it is BM25's evidence that reaches the dense leg.",
    ),
    Claim(
        "Multi-query raises recall",
        "Rackauckas, RAG-Fusion, 2024",
        (*every(corpus, "Multi-query", measure=R5), *every(local, "Multi-query", measure=R5)),
        "No recorded variants of a capable model are at hand: this says nothing of those.",
    ),
    Claim(
        "Decomposition is for multi-hop questions (all parts asked at once)",
        "Zhou et al., Least-to-Most, ICLR 2023; Press et al., Self-Ask, EMNLP 2023",
        (
            hops("hotpotqa_train100", PARALLEL, "split by structure"),
            hops("musique_train100", PARALLEL, "split by structure"),
        ),
        "Without a model most questions stay whole.",
    ),
    Claim(
        "Multi-hop questions need hops, one after the other",
        "Trivedi et al., IRCoT, ACL 2023; MuSiQue, TACL 2022",
        (
            hops("hotpotqa_train100", BRIDGE, "bridge query"),
            hops("musique_train100", BRIDGE, "bridge query"),
            hops("musique_train100", "Sequential: gold sub-questions, best span (no LLM)", "gold sub-questions"),
            hops("musique_train100", GOLD, "gold sub-questions and answers, which no program has"),
        ),
    ),
    Claim(
        "query2doc lifts BM25",
        "Wang et al., EMNLP 2023",
        (
            recorded(
                "scifact, lexical: query2doc passages by GPT-4.1, as query2doc",
                "query five times and passage",
                "scifact, BM25, GPT-4.1",
            ),
            expansion("scifact", "query2doc, Qwen2.5-7B", "BM25"),
            recorded(
                "scifact, hybrid: query2doc passages by GPT-4.1, as query2doc",
                "query five times and passage",
                "scifact, hybrid (both legs), GPT-4.1",
            ),
            expansion("scifact", "query2doc, Qwen2.5-7B"),
        ),
    ),
    Claim(
        "Step-back helps",
        "Zheng et al., ICLR 2024",
        (*every(corpus, "Step-back"), *every(local, "Step-back")),
        "The paper measured answers, not rankings, with a model that wrote the broader question.",
    ),
    Claim(
        "A follow-up must be rewritten",
        "Elgohary et al., CANARD, EMNLP 2019; Vakulenko et al., WSDM 2021",
        (
            recorded(
                "mtrag_govt, hybrid: the benchmark's rewrites of the last turn",
                "rewrite",
                "mtrag_govt, hybrid, the benchmark's rewrites",
            ),
            recorded(
                "mtrag_govt, lexical: the benchmark's rewrites of the last turn",
                "rewrite",
                "mtrag_govt, BM25, the benchmark's rewrites",
            ),
        ),
    ),
    Claim(
        "Or put the whole conversation into the query",
        "often done",
        tuple(corpus("mtrag_govt", "Joined turns", leg) for leg in ("dense", "lexical", "hybrid")),
    ),
    Claim(
        "Rewriting a query makes it better",
        "Ma et al., EMNLP 2023",
        (*every(corpus, "Rewrite"), *every(local, "Rewrite")),
        "The paper trained the rewriter on what the reader answers. Without an LLM a rewrite mends spelling and "
        "spells out abbreviations.",
    ),
    Claim(
        "Reciprocal rank fusion is robust: every further list adds",
        "Cormack, Clarke and Büttcher, SIGIR 2009",
        (
            hops(f"{OTHER_HALF} / hotpotqa_train100", "3 bridge queries, RRF", "three bridge lists by RRF", NDCG),
            hops(f"{OTHER_HALF} / musique_train100", "3 bridge queries, RRF", "three bridge lists by RRF", NDCG),
        ),
        "RRF assumes lists that answer one question. Lists of other questions push the first one's documents down: "
        "the same lists in turns are the next claim.",
    ),
    Claim(
        "Lists of other questions are better read in turns",
        "round robin with the original's first three kept; our own choice",
        (
            hops(
                f"{OTHER_HALF} / hotpotqa_train100", "3 bridge queries, round robin", "the same lists in turns", NDCG
            ),
            hops(
                f"{OTHER_HALF} / musique_train100", "3 bridge queries, round robin", "the same lists in turns", NDCG
            ),
        ),
        "Chosen on this half of the queries; what the other half says stands under hops.",
    ),
    Claim(
        "RM3 is a strong baseline",
        "Lavrenko and Croft, SIGIR 2001; Abdul-Jaleel et al., TREC 2004",
        (
            *every(expansion, "RM3, the paper's share of .5", "BM25"),
            *every(expansion, "RM3", "BM25"),
        ),
        "Its share was chosen on long news articles; on short documents less of it is better.",
    ),
    Claim(
        "Keywords of a model, added to the query, help",
        "Jagerman et al., 2023; GenQR",
        (
            expansion("scifact", "keywords, GPT-4.1 (GenQR, five lists)", "BM25"),
            expansion("scifact", "keywords, GPT-4.1 (GenQR, five lists)"),
            *every(expansion, "keywords: feedback terms"),
        ),
        "Feedback terms are written with no LLM.",
    ),
    Claim(
        "Expansion that reads the corpus first is safer",
        "Lei et al., CSQE, EACL 2024; Shen et al., LameR, 2023",
        (
            *every(expansion, "grounded: key sentences by shared words", "BM25"),
            *every(expansion, "grounded: key sentences by shared words"),
        ),
        "The sentences are chosen by shared words, with no LLM.",
    ),
)
