"""One transform of one query, run over a small index that is really searched."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp

from ir_core.build import build
from ir_core.compare import formulate
from ir_core.embedders import open_embedder
from ir_core.protocols import Writer
from ir_core.retrieval import Engine, SearchSettings
from ir_core.schema import Artifact, Formulation, Turn
from ir_core.strategies import STRATEGY_REGISTRY
from ir_core.transforms import TRANSFORMS
from tests.scripted import ScriptedWriter

QUERY = "forgot my password"
HISTORY = ({"role": "user", "content": "hello"}, {"role": "assistant", "content": "Hello. What is it about?"})
ASKED = {"translate": "نسيت كلمة السر الخاصة بي"}
TALK = {"condense": HISTORY}
"""Query and conversation in which a transform has something to do."""
TEXTS = {
    "reset": "To reset a forgotten password open Settings, choose Security and press Reset. A link arrives by mail.",
    "account": "An account is locked after five wrong passwords. The owner of the workspace unlocks it.",
    "owner": "Ada Marsh is the owner of the workspace. She may invite guests and remove members.",
    "share": "Share a file with guests through a link. The link ends after thirty days.",
    "bin": "Deleted files stay in the bin for thirty days and can be restored from there.",
    "quota": "Each workspace has ten gigabytes. Files in the bin count towards the quota.",
}


@lru_cache(maxsize=1)
def engine() -> Engine:
    embedder = open_embedder("hashing")
    documents = [Artifact(name, text, {"title": name}) for name, text in TEXTS.items()]
    home = Path(mkdtemp(prefix="transforming"))
    return Engine(build("six", documents, STRATEGY_REGISTRY["WholeText"](), embedder, home=home), embedder)


def run(
    name: str,
    writer: Writer | None = None,
    query: str | None = None,
    history: Sequence[Turn] | None = None,
    *,
    cancel: threading.Event | None = None,
    **settings: object,
) -> Formulation:
    transform = TRANSFORMS.make(name, settings)
    query = ASKED.get(name, QUERY) if query is None else query
    history = TALK.get(name, ()) if history is None else history
    return formulate(
        engine(), transform, query, history, writer or ScriptedWriter(), SearchSettings(k=3), cancel=cancel
    )
