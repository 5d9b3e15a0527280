"""What is tried on a disk that is full, and on one that cannot be written: ``python -m tests.fire_disk FULL``, in a
mount namespace of its own, prints what was said of each, as JSON. ``FULL`` is a home in which everything is."""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ir_core import config, library, session
from ir_core.errors import QueryPrismError
from ir_core.jobs import JobStore, Runner
from ir_core.library import save_scene
from ir_core.retrieval import SearchSettings, search
from ir_core.router import published, save_label, save_table
from ir_core.schema import ORIGINAL, Formulation, Query
from tests import evaluation_jobs, fire_home

BIG = b"word " * 400_000
CHUNKED = {"name": "Chunked", "params": {"chunk_size": 300, "overlap": 30}}


def searched() -> str:
    engine = session.open_engine(session.prepare(fire_home.SAMPLE, embedder="hashing"), make_current=False)
    words = Query(ORIGINAL, "shared folder")
    return f"{len(search(engine, Formulation('identity', '', words, (words,)), SearchSettings()).fused.hits)} hits"


def tried() -> Mapping[str, Callable[[], Any]]:
    [job] = JobStore().jobs()
    return {
        "search": searched,
        "build": lambda: session.prepare(fire_home.SAMPLE, strategy=CHUNKED, embedder="hashing").build(),
        "upload": lambda: library.add_upload("More", [("more.txt", BIG)]),
        "run": lambda: Runner().start(job, evaluation_jobs.work()),
        "record": lambda: fire_home.record(config.home() / "recordings" / "brought" / "0123" / "one.jsonl", 400),
        "scene": lambda: save_scene(fire_home.SCENE),
        "table": lambda: save_table(published()["ours"], "another"),
        "label": lambda: save_label(fire_home.SAMPLE, "another", "broad"),
    }


def said_of(act: Callable[[], Any]) -> str:
    """The error, what was logged, and what it gave where that is a sentence."""
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)
    try:
        given = act()
        return f"{given if isinstance(given, str) else ''}\n{log.getvalue()}".strip()
    except (QueryPrismError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        logging.getLogger().removeHandler(handler)


def held() -> dict[str, str]:
    """What every store answers, or the sentence why it does not."""
    fire_home.close()
    found = {}
    for name, store in fire_home.STORES.items():
        try:
            found[name] = repr(store.read())
        except QueryPrismError as error:
            found[name] = str(error)
    return found


def fill_up(home: Path) -> None:
    with (home / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


def main(full: str) -> dict[str, Any]:
    home = config.home()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(home)], check=True)
    shutil.copytree(full, home, dirs_exist_ok=True)
    before = held()
    fill_up(home)
    told = {"full": {name: said_of(act) for name, act in tried().items()}}
    after = {"full": held()}
    (home / "ballast").unlink()
    seen = Path(full + "-seen")  # the same files at another place, where they cannot be written
    seen.mkdir()
    subprocess.run(["mount", "--bind", str(home), str(seen)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(seen)], check=True)
    os.environ["QUERY_PRISM_HOME"] = str(seen)
    told["read-only"] = {name: said_of(act) for name, act in tried().items()}
    after["read-only"] = held()
    os.environ["QUERY_PRISM_HOME"] = str(home)
    told["mended"] = {name: said_of(act) for name, act in tried().items() if name in {"scene", "label", "build"}}
    changed = {where: [name for name in before if found[name] != before[name]] for where, found in after.items()}
    return {"told": told, "changed": changed}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
