"""One comparison as a page of its own: no script, no font, no picture is fetched; it reads the same in ten years."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from ir_core.export.comparison import Comparison
from ir_core.schema import Call, Hit, Query, SearchResult

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c2326, #e8eceb); --quiet: light-dark(#515c61, #a9b3b6);
  --paper: light-dark(#ffffff, #14191b); --line: light-dark(#d5dadc, #374045); --mark: light-dark(#0f5a66, #8fd6c8); }
body { margin: 2rem auto; max-width: 90rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0 0 .25rem; }
.query, .text { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
.quiet { color: var(--quiet); font-size: .875rem; } .gold { color: var(--mark); font-weight: 700; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem .3rem 0; text-align: start; }
th, td { vertical-align: top; }
td.n { font-variant-numeric: tabular-nums; text-align: end; }
.cards { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); }
.card { border-top: 3px solid var(--mark); padding-top: .5rem; min-width: 0; }
ol, ul { padding-inline-start: 1.5rem; } li { margin: .35rem 0; } details { margin-top: .25rem; }
"""


def to_html(comparison: Comparison) -> str:
    """UTF-8 HTML. All text from outside is escaped; documents stand with the whole surface that was found."""
    title = f"{comparison.query[:80]} – Query Prism"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head><body>"
        f'<h1>One query, every transform</h1><p class="query" dir="auto">{_text(comparison.query)}</p>'
        f"{_facts(comparison)}<h2>Ranks</h2>{_ranks(comparison)}<h2>Side by side</h2>"
        f'<div class="cards">{"".join(_cards(comparison))}</div><h2>Who wrote, and what it took</h2>'
        f"{_calls(comparison)}</body></html>"
    )


def _facts(comparison: Comparison) -> str:
    config = comparison.config
    said = [
        f"corpus {config['corpus']}", f"strategy {config['strategy']['name']}", f"embedder {config['embedder']}",
        f"{config['mode']} retrieval", f"k = {config['k']}", f"writer {config['writer']}",
        f"index {config['index']}", f"made {comparison.made}", f"release {comparison.version}",
    ]  # fmt: skip
    turns = [f"{turn.get('role', '')}: {turn.get('content', '')}" for turn in config.get("history") or ()]
    before = "".join(f"<li dir='auto'>{_text(turn)}</li>" for turn in turns)
    asked = f"<p class='quiet'>Said before:</p><ul class='quiet'>{before}</ul>" if turns else ""
    return f'<p class="quiet">{_text(" · ".join(said))}</p>{asked}'


def _ranks(comparison: Comparison) -> str:
    """Every document that any transform put among its first k; a dash where one did not."""
    hits: dict[str, Hit] = {}
    for result in comparison.results:
        for hit in result.fused.hits:
            hits.setdefault(hit.artifact_id, hit)
    columns = "".join(
        f"<th scope='col'>{number}. {_text(result.formulation.title)}</th>"
        for number, result in enumerate(comparison.results, start=1)
    )
    rows = "".join(
        f"<tr><th scope='row' dir='auto'>{_text(hit.title)}{_gold(comparison, name)}</th>"
        + "".join(f"<td class='n'>{_rank(result, name)}</td>" for result in comparison.results)
        + "</tr>"
        for name, hit in hits.items()
    )
    if not rows:
        return "<p>No transform found anything.</p>"
    return (
        f"<div class='scroll' tabindex='0'><table><tr><th scope='col'>document</th>{columns}</tr>{rows}</table></div>"
    )


def _rank(result: SearchResult, name: str) -> str:
    return next((str(hit.rank) for hit in result.fused.hits if hit.artifact_id == name), "–")


def _gold(comparison: Comparison, name: str) -> str:
    grade = comparison.grades.get(name, 0)
    return f" <span class='gold'>★ judged relevant ({grade})</span>" if grade > 0 else ""


def _cards(comparison: Comparison) -> list[str]:
    return [_card(comparison, number, result) for number, result in enumerate(comparison.results, start=1)]


def _card(comparison: Comparison, number: int, result: SearchResult) -> str:
    made = result.formulation
    notes = [made.fallback_reason and f"Fell back to the original query: {made.fallback_reason}"]
    notes += [made.skip_reason and f"Not searched: {made.skip_reason}", *made.notes, *made.origins]
    said = "".join(f"<p class='quiet' dir='auto'>{_text(note)}</p>" for note in notes if note)
    queries = "".join(map(_query, made.queries))
    hits = "".join(
        f"<li value='{hit.rank}'><span dir='auto'>{_text(hit.title)}</span>{_gold(comparison, hit.artifact_id)} "
        f"<span class='quiet'>{_text(hit.surface_id)}, score {hit.score:.6f}</span><details><summary class='quiet'>"
        f"passage</summary><p class='text' dir='auto'>{_text(hit.text)}</p></details></li>"
        for hit in result.fused.hits
    )
    return (
        f"<section class='card'><h3>{number}. {_text(made.title)}</h3>"
        f"<p class='quiet'>{result.trace.latency_s * 1000:,.0f} ms</p>{said}<ul>{queries}</ul>"
        f"{f'<ol>{hits}</ol>' if hits else '<p>Nothing was found.</p>'}</section>"
    )


def _query(query: Query) -> str:
    weight = f", weight {query.weight:g}" if query.weight != 1 else ""
    return (
        f"<li><span class='text' dir='auto'>{_text(query.text)}</span> "
        f"<span class='quiet'>{_text(query.role.replace('_', ' '))}, {' and '.join(query.legs)}{weight}</span></li>"
    )


def _calls(comparison: Comparison) -> str:
    rows = [
        f"<tr><th scope='row'>{_text(result.formulation.title)}</th>{_cells(call)}</tr>"
        for result in comparison.results
        for call in result.formulation.calls
    ]
    if not rows:
        return "<p>Nobody was asked for text.</p>"
    names = ("transform", "task", "model", "prompt", "seconds", "tokens in", "tokens out", "dollars", "said")
    head = "".join(f"<th scope='col'>{name}</th>" for name in names)
    return f"<div class='scroll' tabindex='0'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _cells(call: Call) -> str:
    """Unknown stays unknown."""
    prompt = " ".join(part for part in (call.prompt_id, call.prompt_version) if part)
    numbers: Sequence[object] = (f"{call.seconds:.3f}", call.tokens_in, call.tokens_out, call.cost_usd)
    said = call.error or "\n".join(call.texts) or call.raw
    figures = "".join(f"<td class='n'>{'unknown' if value is None else _text(value)}</td>" for value in numbers)
    told = "".join(f"<td>{_text(value)}</td>" for value in (call.task, call.recorded or call.model, prompt))
    return f"{told}{figures}<td class='text' dir='auto'>{_text(said)}</td>"


def _text(value: object) -> str:
    plain = str(value).encode("utf-8", "replace").decode("utf-8")
    return html.escape(_CONTROL.sub("\ufffd", plain))
