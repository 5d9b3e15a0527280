"""A task as one request to the small model, and how its reply is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ir_core.schema import Task
from ir_core.writers.local._fewshot import TASKS, FewShot, load
from ir_core.writers.local._reading import read
from ir_core.writers.reply_store import reply_key

MAX_LISTED = 4
"""A model this small repeats itself in a longer list."""
MAX_QUERY_BYTES = 600
"""What of a query fits beside the examples in any script: a token is a byte at least."""
STEADY: dict[str, dict[str, float]] = {
    "passage": {"repeat_penalty": 1.1},
    "query": {
        "frequency_penalty": 0.3, "repeat_last_n": 24, "dry_multiplier": 0.8, "dry_base": 1.75,
        "dry_allowed_length": 3, "dry_penalty_last_n": 64,
    },
}  # fmt: skip
"""Against going round in circles. On a query the usual repeat penalty would also forbid the words that were asked
with, and the reply drifts away."""


@dataclass(frozen=True)
class Request:
    """``sample`` counts the passages of one task that are sampled apart."""

    task: Task
    prompt: FewShot
    sample: int

    @property
    def n(self) -> int:
        return min(max(self.task.n, 1), MAX_LISTED)

    @property
    def text(self) -> str:
        """What the model goes on with."""
        return self.prompt.prompt(self.task.query.encode(errors="replace")[:MAX_QUERY_BYTES].decode(errors="ignore"))

    @property
    def place(self) -> int:
        """Where the model keeps this task's examples."""
        return sorted(TASKS).index(self.task.name)

    @property
    def options(self) -> dict[str, Any]:
        """Of llama.cpp's completion request; the temperature is 0 unless the task says another."""
        grammar = self.prompt.grammar(self.n)
        return {
            **STEADY["passage" if self.prompt.reply == "passage" else "query"],
            **({"grammar": grammar} if grammar else {}),
            "max_tokens": self.prompt.max_tokens,
            "temperature": self.task.temperature or 0.0,
            "seed": self.task.seed + self.sample,
            "stop": ["\n\n" if self.prompt.is_list else "\n"],
        }

    def key(self, model: Path) -> str:
        """Of the kept reply. The model is its file's name and size."""
        asked = {"role": "prompt", "content": self.text}
        how = {"role": "options", "content": json.dumps(self.options, sort_keys=True)}
        seed, temperature = self.options["seed"], self.options["temperature"]
        size = model.stat().st_size
        return reply_key(f"{model.name} {size}", None, [asked, how], temperature, seed, self.sample)

    def read(self, reply: str, tokens: int | None) -> list[str]:
        """The usable texts; one that took all its ``tokens`` was cut."""
        ended = tokens is None or tokens < self.prompt.max_tokens
        return read(self.prompt, reply, query=self.task.query, n=self.n, ended=ended)

    def unusable(self, reply: str) -> str:
        said = " ".join(reply.split())
        return (
            f"what it wrote cannot be used ({said[:80]}{'…' if len(said) > 80 else ''})"
            if said
            else "it wrote nothing"
        )


def requests_for(task: Task) -> Iterator[Request]:
    """One, but for several passages as many."""
    prompt = load()[task.name]
    yield from (Request(task, prompt, sample) for sample in range(task.n if prompt.reply == "passage" else 1))
