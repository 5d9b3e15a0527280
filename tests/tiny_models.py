"""Models of a few kilobytes, made on the spot, for the code that loads real ones."""

from __future__ import annotations

from pathlib import Path

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
