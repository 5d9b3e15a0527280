"""Models of a few kilobytes, made on the spot, for the code that loads real ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "query", "passage", ":", "cat", "bank", "river", "##s", "the"]
DIM = 16
LIMIT = 32


def tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
    from tokenizers.models import WordPiece
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(WordPiece({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    inner.normalizer = normalizers.BertNormalizer()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=inner, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_max_length=LIMIT,
    ).save_pretrained(folder)  # fmt: skip


def _config(**more):
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(WORDS), hidden_size=DIM, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=LIMIT, **more,
    )  # fmt: skip


def embedder(folder: Path, *, prompts: dict[str, str] | None = None, seed: int = 0, card: str = "") -> Path:
    """A sentence-transformers model with mean pooling and no normalisation, saved into ``folder``."""
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import BertModel

    torch.manual_seed(seed)
    plain = folder.with_name(folder.name + "-bert")
    BertModel(_config()).save_pretrained(plain)
    tokenizer(plain)
    model = SentenceTransformer(str(plain), local_files_only=True)
    if prompts:
        model.prompts = prompts
    model.save(str(folder), create_model_card=False)
    if card:
        (folder / "README.md").write_text(card, encoding="utf-8")
    return folder


def cross_encoder(folder: Path, *, outputs: int = 1) -> Path:
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(1)
    BertForSequenceClassification(_config(num_labels=outputs)).save_pretrained(folder)
    tokenizer(folder)
    return folder


def bilingual(folder: Path, together: Sequence[Collection[str]], *, prompts: dict[str, str] | None = None) -> Path:
    """A static embedder whose words have a part of their vectors in common where they stand together: a word of each
    language in a dictionary, all words of a text and its translation. Other words have none.

    Cross-language retrieval with no translation (Dumais et al. 1997), by random directions in place of the SVD.
    """
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, normalizers, pre_tokenizers
    from tokenizers.models import WordLevel

    dim = 16 * DIM
    random = np.random.default_rng(5)
    meanings: dict[str, list[Any]] = {}
    for group in together:
        direction = random.normal(size=dim)
        for word in sorted(group):
            meanings.setdefault(word.lower(), []).append(direction)
    # A word that stands everywhere means nothing.
    vectors = {"[UNK]": np.zeros(dim), **{word: random.normal(size=dim) / 4 for word in ("query", "passage")}}
    vectors |= {word: sum(found) / len(found) ** 2 for word, found in meanings.items()}
    inner = Tokenizer(WordLevel({word: number for number, word in enumerate(vectors)}, unk_token="[UNK]"))
    inner.normalizer = normalizers.Lowercase()
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    weights = np.stack(list(vectors.values())).astype(np.float32)
    model = SentenceTransformer(modules=[StaticEmbedding(inner, embedding_weights=weights)])
    model.prompts = prompts or {}
    model.save(str(folder), create_model_card=False)
    return folder
