"""One comparison as a page of its own: no script, no font, no picture is fetched; it reads the same in ten years."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.export._html import document
from ir_core.export._html import text as _text
from ir_core.export.comparison import Comparison
from ir_core.export.conversation import left_out_words
from ir_core.schema import Call, Hit, Query, SearchResult


def to_html(comparison: Comparison) -> str:
    """UTF-8 HTML. All text from outside is escaped; documents stand with the whole surface that was found."""
    title = f"{comparison.query[:80]} – Query Prism"
    return document(
        title,
        f'<h1>One query, every transform</h1><p class="query" dir="auto">{_text(comparison.query)}</p>'
        f"{_facts(comparison)}<h2>Ranks</h2>{_ranks(comparison)}<h2>Side by side</h2>"
        f'<div class="cards">{"".join(_cards(comparison))}</div><h2>Who wrote, and what it took</h2>'
        f"{_calls(comparison)}",
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
    if missing := left_out_words(config):
        asked += f"<p class='quiet'>{_text(missing)}</p>"
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
    what = "Fell back to the original query" if made.fell_back else "One step was left out"
    notes = [made.fallback_reason and f"{what}: {made.fallback_reason}"]
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
