"""Models known by name: what their authors put before queries and texts, and which languages they read.

For models that do not say it themselves; prompts in a model's own configuration win. Left out, a prefix makes results
worse, as the models' cards warn, and nothing would show it.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

_ENGLISH = frozenset({"en"})
_CODES = (
    "ar bg ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id it ja ka ko ku lt lv mk mn mr ms my nb nl pl pt "
    "ro ru sk sl sq sr sv th tr uk ur vi zh"
)
_FIFTY = frozenset(_CODES.split())
_BGE_ENGLISH = "Represent this sentence for searching relevant passages: "
_BGE_CHINESE = "为这个句子生成表示以用于检索相关文章："
_E5_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "


@dataclass(frozen=True, slots=True)
class KnownModel:
    """``query`` and ``document`` are put before texts as they are. ``languages`` (ISO 639-1) is None for one that
    reads about a hundred. ``about`` says its size and licence, for one who is to download it."""

    name: str
    query: str = ""
    document: str = ""
    languages: frozenset[str] | None = None
    about: str = ""


KNOWN = (
    # Wang et al. 2024, "Multilingual E5 Text Embeddings"; the first one is what pages suggest: the smallest by far.
    KnownModel("intfloat/multilingual-e5-small", "query: ", "passage: ", about="about 100 languages, 0.5 GB, MIT"),
    KnownModel("intfloat/multilingual-e5-base", "query: ", "passage: ", about="about 100 languages, 1.1 GB, MIT"),
    KnownModel("intfloat/multilingual-e5-large", "query: ", "passage: ", about="about 100 languages, 2.2 GB, MIT"),
    KnownModel("intfloat/multilingual-e5-large-instruct", _E5_INSTRUCT, about="about 100 languages, 1.1 GB, MIT"),
    # Chen et al. 2024, "M3-Embedding": trained without a prefix.
    KnownModel("BAAI/bge-m3", about="about 100 languages, 8,192 tokens, 2.3 GB, MIT"),
    # Reimers and Gurevych 2020, "Making Monolingual Sentence Embeddings Multilingual"; Feng et al. 2022 (LaBSE).
    KnownModel("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", languages=_FIFTY, about="50 languages"),
    KnownModel("sentence-transformers/paraphrase-multilingual-mpnet-base-v2", languages=_FIFTY, about="50 languages"),
    KnownModel("sentence-transformers/LaBSE", about="109 languages"),
    # Wang et al. 2022, "Text Embeddings by Weakly-Supervised Contrastive Pre-training".
    *(KnownModel(f"intfloat/e5-{size}", "query: ", "passage: ", _ENGLISH) for size in ("small", "base", "large")),
    *(KnownModel(f"intfloat/e5-{size}-v2", "query: ", "passage: ", _ENGLISH) for size in ("small", "base", "large")),
    # Xiao et al. 2023, "C-Pack": the instruction goes before queries only.
    *(KnownModel(f"BAAI/bge-{size}-en-v1.5", _BGE_ENGLISH, "", _ENGLISH) for size in ("small", "base", "large")),
    *(
        KnownModel(f"BAAI/bge-{size}-zh-v1.5", _BGE_CHINESE, "", frozenset({"zh"}))
        for size in ("small", "base", "large")
    ),
)
MULTILINGUAL = KNOWN[0]
"""What to suggest where a corpus is in languages that the chosen embedder does not read."""


def known_model(*names: str) -> KnownModel | None:
    """What is known of a model by its name on the hub, its folder's name, or its place in the hub's own cache."""
    for name in names:
        parts = regex.split(r"[/\\]", name.rstrip("/\\").lower())
        cached = [part.rpartition("--")[2] for part in parts if part.startswith("models--")]
        for model in KNOWN:
            if model.name.rpartition("/")[2].lower() in (parts[-1], *cached):
                return model
    return None
