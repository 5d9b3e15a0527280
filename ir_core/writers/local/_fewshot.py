"""Prompts for a small model: worked examples, and the start of an answer that the model goes on with.

They are ``prompts/local/<task>.yaml``. What is the same for every query comes first, so that llama.cpp reads it once
and keeps its state (prompt-prefix cache).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from ir_core.writers._llm_job import STAYS_WHOLE
from ir_core.writers._reply_echo import lines_of, plain

TASKS = frozenset({"rewrite", "multi_query", "hyde", "decompose", "step_back"})


@dataclass(frozen=True, slots=True)
class FewShot:
    """One prompt. ``examples`` are (query, texts); ``max_tokens`` bounds a reply whatever the model makes of it."""

    id: str
    version: str
    task: str
    reply: str
    max_tokens: int
    max_chars: int
    lead: str
    asks: str
    answers: str
    examples: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def is_list(self) -> bool:
        return self.reply == "queries"

    @property
    def shared(self) -> str:
        """What every prompt of this task begins with."""
        examples = (self._shown(asked, texts) for asked, texts in self.examples)
        return "\n\n".join([self.lead, *examples, f"{self.asks}:"])

    def prompt(self, query: str) -> str:
        """The text the model goes on with; a list begins with its first number."""
        return self.shared + self._shown(query, ()).removeprefix(f"{self.asks}:")

    def _shown(self, query: str, texts: tuple[str, ...]) -> str:
        head = f"{self.asks}: {' '.join(query.split())}\n{self.answers}:"
        if self.is_list:
            return "\n".join([head, *(f"{i}. {text}" for i, text in enumerate(texts, start=1))]) + (
                "" if texts else "\n1."
            )
        return f"{head} {texts[0]}" if texts else head

    def grammar(self, n: int) -> str | None:
        """GBNF that makes a list of 1 (decompose) or ``n`` lines of it, after the first number; None for one text."""
        if not self.is_list:
            return None
        rest = [f'"\\n{i}." line' for i in range(2, n + 1)]
        if self.task in STAYS_WHOLE:
            more = ""
            for item in reversed(rest):
                more = f"({item}{' ' + more if more else ''})?"
        else:
            more = " ".join(rest)
        return f'root ::= line {more} "\\n"\nline ::= " " [^\\n]{{3,{self.max_chars}}}\n'

    @property
    def given(self) -> frozenset[str]:
        """The prompt's own lines and sentences, which are no reply."""
        texts = [text for asked, texts in self.examples for text in (asked, *texts)]
        return lines_of(self.lead, *texts)

    def echoes(self, text: str) -> bool:
        """Whether a passage repeats a sentence of an example."""
        return bool(self.given & lines_of(text)) or plain(text) in self.given


@lru_cache(maxsize=1)
def load() -> dict[str, FewShot]:
    """Every prompt, by task."""
    import yaml

    found = {}
    for task in sorted(TASKS):
        data: dict[str, Any] = yaml.safe_load(
            files("ir_core.prompts").joinpath("local", f"{task}.yaml").read_text("utf-8")
        )
        examples = tuple((item["query"], tuple(item["texts"])) for item in data.pop("examples"))
        found[task] = FewShot(task=task, examples=examples, **{**data, "version": str(data["version"])})
    return found
