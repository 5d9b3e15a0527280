"""The comparison as a value, and everything that is made of it: files, Python, a frozen result."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import streamlit as st

from ir_core.config import version
from ir_core.export import Comparison, run_store, to_bundle, to_html, to_python, to_qrels, to_run, without_history
from ir_core.export.comparison import QUERY_ID
from ir_core.export.conversation import LEFT_OUT
from ir_core.export.whole import SUFFIX
from ir_core.schema import SearchResult
from pages._ui import export, numbers, resources, safe
from pages._ui.prompts_state import Wording
from pages.compare import wanted
from pages.compare.running import Asked
from pages.compare.setup import Ready


def comparison_of(ready: Ready, asked: Asked, results: Sequence[SearchResult], *, with_history: bool) -> Comparison:
    """As it leaves: what was said before the query is in it only where a person agreed."""
    named = next((q.id for q in resources.queries(ready.corpus) if q.text.strip() == asked.query.strip()), QUERY_ID)
    ago = timedelta(seconds=time.perf_counter() - results[0].formulation.started)
    made = Comparison(
        query=asked.query.strip(),
        config=config_of(ready, asked),
        results=tuple(results),
        made=(datetime.now(UTC) - ago).strftime("%Y-%m-%dT%H:%M:%SZ"),
        version=version(),
        grades=wanted.grades(ready, asked.query),
        query_id=named,
    )
    return made if with_history else without_history(made)


def config_of(ready: Ready, asked: Asked) -> dict[str, Any]:
    """All that reproduces the run, under the names that ``query-prism compare --json`` gives it."""
    made = ready.manifest
    return {
        "corpus": ready.corpus,
        "strategy": dict(made.strategy),
        "embedder": made.embedder,
        "reranker": None,
        "index": made.fingerprint,
        "tokeniser": made.tokeniser,
        "k1": made.k1,
        "b": made.b,
        "idf": made.idf,
        "filter_fields": list(made.filter_fields),
        **asdict(asked.settings),
        "transforms": [{"name": name, "settings": dict(settings)} for name, settings in asked.choices],
        "writer": asked.writer.name,
        **_wording(asked.writer.wording),
        "history": [dict(turn) for turn in asked.history],
    }


def _wording(used: Wording) -> dict[str, Any]:
    """What was changed of it: an export says how to ask the same again."""
    texts = {p.id: {"system": p.system, "user": p.user, "temperature": p.temperature} for p in used.edited}
    changed = {"prompts": texts, "query_language": used.query_language, "passage_language": used.passage_language}
    return {name: value for name, value in changed.items() if value}


def files(made: Comparison, name: str) -> None:
    """A button per kind of file; each is made when it is asked for."""
    kinds: list[tuple[str, str, str, Callable[[], bytes | str], str]] = [
        ("CSV", f"{name}.csv", "text/csv", partial(export.to_csv, made.results),
         "One line per hit. Cells that look like formulas are made text."),
        ("JSON", f"{name}.json", "application/json", partial(export.to_json, made.query, made.config, made.results),
         "Queries, hits with their contributions, calls, times and costs."),
        ("TREC runs", f"{name}-trec.zip", "application/zip", partial(_trec, made),
         "A run per transform and, where the query is judged, its qrels, for trec_eval and its kin."),
        ("HTML", f"{name}.html", "text/html", partial(to_html, made), "One page that needs nothing else."),
        ("Bundle", f"{name}{SUFFIX}", "application/gzip", partial(to_bundle, made),
         "The whole result, for another instance of Query Prism to open."),
        ("Python", f"{name.replace('-', '_')}.py", "text/x-python", partial(to_python, made),
         "A script that prints the same ranking; nobody is asked for text again."),
    ]  # fmt: skip
    with st.container(horizontal=True, key="files"):
        for label, file, mime, data, help in kinds:
            st.download_button(label, data, file, mime, key=f"file_{label}", on_click="ignore", help=help)


def _trec(made: Comparison) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for column, name in enumerate(made.names):
            archive.writestr(f"{name}.run", to_run(made, column))
        if made.grades:
            archive.writestr("judged.qrels", to_qrels(made))
    return out.getvalue()


def freeze(made: Comparison, base_url: str) -> None:
    """A button that keeps the result as it is, and then its link."""
    if st.button("Freeze this result", key="freeze", help="Keeps it here as it is; its link asks nobody again."):
        try:
            st.session_state["frozen_id"] = run_store().put(made)
            st.session_state["frozen_said"] = _opens(made)
        except OSError as error:
            safe.notice("error", f"Nothing could be kept: {error.strerror}. Free some space, or download the bundle.")
            return
    name = st.session_state["frozen_id"]
    if name:
        safe.draw(safe.block(st.session_state["frozen_said"], "qp-lead", "p"))
        st.code(f"{base_url.split('?', 1)[0].split('#', 1)[0]}?run={name}", language=None, wrap_lines=True)


def _opens(made: Comparison) -> str:
    """What whoever has the link reads."""
    said = (
        "The result frozen last opens with this link, whatever becomes of the corpus. Whoever has it reads the "
        "query, the passages and what was written"
    )
    if turns := made.config.get("history"):
        said += f", and the conversation before it ({numbers.count(len(turns), 'turn')})"
    elif turns := made.config.get(LEFT_OUT):
        said += f"; the conversation before it ({numbers.count(turns, 'turn')}) is not in it"
    return f"{said}."


def facts(config: Mapping[str, Any]) -> list[str]:
    """How it was asked, in words."""
    from pages._ui import naming

    return [
        f"corpus {config.get('corpus', '')}",
        naming.strategy(config["strategy"]) if config.get("strategy") else "",
        str(config.get("embedder", "")),
        f"{config.get('mode', '')}, k = {config.get('k', '')}",
        f"writer {config.get('writer', '')}",
    ]
