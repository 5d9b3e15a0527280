"""A small corpus to search, and functions that stand for an LLM."""

from __future__ import annotations

import json
from pathlib import Path

from ir_core.build import build
from ir_core.embedders import open_embedder
from ir_core.retrieval import Engine
from ir_core.schema import Artifact
from ir_core.strategies import WholeText

TEXTS = {
    "password": "Reset a forgotten password from the sign-in page; a link arrives by mail.",
    "session": "Sign out other devices when somebody else uses your account.",
    "invoice": "The billing address on an invoice is changed by an owner.",
    "guests": "Sharing a folder with guests needs no licence.",
    "upload": "The upload limit of the sync client is ten gigabytes.",
}


def tiny_engine(home: Path) -> Engine:
    embedder = open_embedder("hashing")
    artifacts = [Artifact(name, text, {"title": name.title()}) for name, text in TEXTS.items()]
    return Engine(build("tiny", artifacts, WholeText(), embedder, home=home), embedder)


class Reranker:
    """Longer texts are better; remembers which query it judged by."""

    name = "longest"

    def __init__(self) -> None:
        self.queries: list[str] = []

    def scores(self, query: str, texts: list[str]) -> list[float]:
        self.queries.append(query)
        return [float(len(text)) for text in texts]


class Model:
    """Gives ``reply`` to every prompt, a list as JSON; an exception is raised. ``prompts`` are those it was given."""

    __name__ = "model"

    def __init__(self, reply: object) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> object:
        self.prompts.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        return json.dumps(self.reply) if isinstance(self.reply, list) else self.reply
