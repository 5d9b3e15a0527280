"""An evaluation as a page of its own: figures, evidence, categories and every query; no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ir_core.evaluation import Column, Evaluation, Evidence, Summary, parse
from ir_core.evaluation.evidence import WORDS
from ir_core.evaluation.judge_words import told
from ir_core.evaluation.shown import shown
from ir_core.evaluation.shown import shown_difference as difference
from ir_core.evaluation.slices import by_category, outcomes
from ir_core.export._html import document, text

UNKNOWN = "unknown"
HOW = (
    "Significant: paired randomisation test, corrected over the transforms by Holm, at 5 %. Intervals: paired "
    "bootstrap at the corrected level. Queries that share a conversation or a document count as one witness."
)


def to_report(title: str, facts: Sequence[str], found: Mapping[str, Evaluation], meanings: Mapping[str, str]) -> str:
    """UTF-8 HTML; all text from outside is escaped.

    :param facts: what was measured, how and when; one line each.
    :param found: by retrieval mode; of several parts by the part's name and the mode.
    :param meanings: what each family of measures says, by its name.
    """
    said = "".join(f"<li dir='auto'>{text(fact)}</li>" for fact in facts)
    measures = next(iter(found.values())).measures if found else ()
    told = "".join(
        f"<li><b>{text(parse(name).label)}</b>: {text(meanings.get(parse(name).family, ''))}</li>"
        for name in measures
    )
    parts = "".join(_mode(mode, one) for mode, one in found.items())
    return document(
        f"{title[:80]} – Query Prism",
        f"<h1 dir='auto'>Evaluation: {text(title)}</h1><ul class='quiet'>{said}</ul>{parts}"
        f"<h2>What the measures say</h2><ul>{told}</ul><p>{text(HOW)}</p>",
    )


def _mode(mode: str, found: Evaluation) -> str:
    if not found.n:
        return f"<h2>{text(mode)}</h2><p>No query is through all transforms.</p>"
    first, label = found.measures[0], parse(found.measures[0]).label
    slices = by_category(found, first)
    categories = _table(
        ["transform", *(f"{one.name} ({one.n})" for one in slices)],
        [
            [_name(slot, column), *(shown(first, one.means[slot]) for one in slices)]
            for slot, column in _columns(found)
        ],
    )
    return (
        f"<h2 dir='auto'>{text(mode[:1].upper() + mode[1:])} retrieval, {found.n} queries</h2>"
        f"{_board(found)}{_judged(found)}"
        f"<h3>{text(label)} by category</h3>{categories}<h3>{text(label)} by query</h3>{_queries(found)}"
        f"{_left_out(found)}"
    )


def _board(found: Evaluation) -> str:
    first, *others = found.measures
    head = [
        "transform", parse(first).label, "to the original", "evidence", "won / tied / lost", "fell back", "n",
        "cost per query", "seconds: mean", "p50", "p95", *(parse(name).label for name in others), "unjudged",
    ]  # fmt: skip
    rows = []
    for (slot, column), proof in zip(_columns(found), found.evidence(), strict=True):
        one = found.summary(column, compared=[first])
        rows.append(
            [_name(slot, column), shown(first, one.means[first]), *_compared(one, proof, first), *_rest(one, others)]
        )
    return _table(head, rows)


def _compared(one: Summary, proof: Evidence | None, first: str) -> list[str]:
    if proof is None:
        return ["baseline", "", ""]
    wins = one.difference[first]
    low = "" if proof.low is None else f" [{difference(first, proof.low)}, {difference(first, proof.high)}]"
    p = "too few queries for a test" if proof.p_holm is None else f"{WORDS[proof.verdict]}, p = {proof.p_holm:.2g}"
    return [f"{difference(first, proof.mean)}{low}", p, f"{wins.wins} / {wins.ties} / {wins.losses}"]


def _rest(one: Summary, others: Sequence[str]) -> list[str]:
    seconds = [one.latency_s, one.p50_s, one.p95_s]
    return [
        UNKNOWN if one.fallback_rate is None else f"{one.fallback_rate:.0%}",
        f"{one.n}" + (f" ({one.skipped} skipped)" if one.skipped else ""),
        UNKNOWN if one.cost_usd is None else f"${one.cost_usd:.6g}",
        *("not measured" if value is None else f"{value:.3f}" for value in seconds),
        *(shown(name, one.means[name]) for name in others),
        UNKNOWN if one.unjudged is None else f"{one.unjudged:.0%}",
    ]


def _judged(found: Evaluation) -> str:
    return f"<p>{text(' '.join(told(found.judging)))}</p>" if found.judging else ""


def _queries(found: Evaluation) -> str:
    """Scores of every query under every transform."""
    first = found.measures[0]
    values = [
        {one.row.query_id: one.value for one in outcomes(found, slot, first)} for slot in range(len(found.columns))
    ]
    rows = [
        [row.query_id, row.text, row.category or "", *(_score(first, column.get(row.query_id)) for column in values)]
        for row in found.columns[0].rows
    ]
    return _table(["id", "query", "category", *(_name(slot, one) for slot, one in _columns(found))], rows)


def _left_out(found: Evaluation) -> str:
    missing = ", ".join(found.missing_gold[:50])
    said = [f"{one.query_id}: {one.reason}" for one in found.excluded]
    said += [f"Judged relevant, but not in the index: {missing}"] if missing else []
    return f"<h3>Not measured</h3><ul>{''.join(f'<li>{text(one)}</li>' for one in said)}</ul>" if said else ""


def _columns(found: Evaluation) -> list[tuple[int, Column]]:
    return list(enumerate(found.columns))


def _name(slot: int, column: Column) -> str:
    return f"{slot + 1}. {column.titles[0] if column.titles else column.label}"


def _score(measure: str, value: float | None) -> str:
    return "–" if value is None else shown(measure, value)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    names = "".join(f"<th scope='col'>{text(name)}</th>" for name in head)
    lines = "".join(
        f"<tr><th scope='row' dir='auto'>{text(row[0])}</th>"
        + "".join(f"<td dir='auto'>{text(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<div class='scroll' tabindex='0'><table><tr>{names}</tr>{lines}</table></div>"
