"""A comparison's cards as HTML: figures always in the same place, the text as the hero, then the ranked hits."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ir_core.schema import Hit, Query, SearchResult
from pages._ui import numbers, safe, spent
from pages._ui.diff import added, new_words, word_diff
from pages._ui.moves import Move

QUOTED = frozenset({"hypothetical", "feedback", "expansion"})
"""Roles whose text is a passage or a bag of words, not a query."""
REPLACED = frozenset({"rewrite", "condensed", "translation"})
"""Roles of one query in the original's place, shown as what was changed in it."""
MOST_TERMS = 14
LEG_NAMES = {"dense": "dense leg", "lexical": "BM25"}
WRONG = "marked wrong"
"""The mark of a hit that a person said is no answer."""
Titles = Callable[[str], str]
"""The title of the document a surface id belongs to."""


def head(
    slot: int,
    title: str,
    *,
    result: SearchResult | None = None,
    badges: list[tuple[str, str]] | None = None,
    moved: list[tuple[str, str, int]] | None = None,
) -> str:
    """Number and title, what moved, the three figures, the badges. Without a result the figures are dashes."""
    counts = "".join(
        f'<span class="qp-move qp-{kind}">{safe.text(words)}&#8201;{number}</span>'
        for kind, words, number in moved or ()
    )
    figures = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in _figures(result))
    marks = "".join(_badge(kind, words) for kind, words in badges or ())
    return (
        f'<header class="qp-head"><div class="qp-top"><h3 class="qp-title"><span class="qp-no">{slot + 1}</span>'
        f'<span dir="auto" title="{safe.text(title)}">{safe.text(title)}</span></h3>'
        f'<span class="qp-moves">{counts}</span></div>'
        f'<dl class="qp-figures">{figures}</dl><p class="qp-badges">{marks}</p></header>'
    )


def _badge(kind: str, words: str) -> str:
    """A model goes by what comes after its provider; a name that is still too long is cut by the browser."""
    if kind == "model":
        return (
            f'<span class="qp-badge qp-b-model" title="{safe.text(words)}">{safe.text(words.split("/")[-1])}</span>'
        )
    return f'<span class="qp-badge qp-b-{kind}">{safe.text(words)}</span>'


def _figures(result: SearchResult | None) -> list[tuple[str, str]]:
    """Each figure of now, as HTML; below it that of the first time, where texts were taken from then."""
    if result is None:
        return [("time", "–"), ("cost", "–"), ("tokens", "–")]
    now, first = spent.now(result.formulation.calls), spent.first(result.formulation.calls)
    figures = [
        ("time", numbers.seconds(result.trace.latency_s), numbers.seconds(first.seconds) if first else ""),
        ("cost", numbers.dollars(now.cost_usd), numbers.dollars(first.cost_usd) if first else ""),
        ("tokens", numbers.count(now.tokens), numbers.count(first.tokens) if first else ""),
    ]
    return [
        (name, safe.text(value) + (f"<small>first {safe.text(then)}</small>" if then else ""))
        for name, value, then in figures
    ]


def body(result: SearchResult, title_of: Titles, *, counts: bool = True) -> str:
    """What was searched: a word diff for a rewrite, a list with hit counts, a quoted passage; then the notes.

    :param counts: False leaves out how many hits each query has."""
    made = result.formulation
    parts: list[str] = []
    new = [query for query in made.queries if query.id != made.original.id]
    if made.fallback_reason:
        what = "Fell back to the original query" if made.fell_back else "One step was left out"
        parts.append(safe.block(f"{what}: {made.fallback_reason}", "qp-why", "p"))
    if made.skip_reason:
        parts.append(safe.block(f"Not searched: {made.skip_reason}", "qp-why", "p"))
    quoted = [query for query in new if query.role in QUOTED]
    listed = [query for query in new if query not in quoted]
    if not new:
        parts.append(safe.block(made.original.text, "qp-query", "p"))
    elif len(listed) == 1 and listed[0].role in REPLACED:
        parts.append(f'<p class="qp-query" dir="auto">{word_diff(made.original.text, listed[0].text)}</p>')
    elif listed:
        shown = [query for query in made.queries if query not in quoted]
        parts.append(f'<ol class="qp-queries">{"".join(_listed(query, result, counts) for query in shown)}</ol>')
    parts.extend(_quoted(query, result, title_of) for query in quoted)
    if made.notes:
        parts.append(f'<p class="qp-note" dir="auto">{safe.prose(" · ".join(made.notes))}</p>')
    # It can be focused, since a long one scrolls in its place.
    return f'<div class="qp-body" role="group" aria-label="What was searched" tabindex="0">{"".join(parts)}</div>'


def _listed(query: Query, result: SearchResult, counts: bool) -> str:
    """One query and how many hits it had a part in. The original's text stands on the first card."""
    found = sum(any(part.query_id == query.id for part in hit.contributions) for hit in result.fused.hits)
    weight = "" if query.weight == 1 else f", weight {query.weight:g}"
    kept = query.id == result.formulation.original.id
    text = (
        ""
        if kept
        else f'<span class="qp-query" dir="auto">{_short(result.formulation.original.text, query.text)}</span> '
    )
    return (
        f'<li><span class="qp-qid">{safe.text(short_id(query.id))}</span><span>{text}'
        f'<span class="qp-count">{numbers.count(found, "hit") + weight if counts else weight[2:]}</span></span></li>'
    )


def _short(original: str, variant: str) -> str:
    """Only what comes after the query, where a variant is the query and more."""
    more = added(original, variant)
    return (
        f'<span class="qp-again" title="the query, and">+</span> {safe.text(more)}'
        if more
        else new_words(original, variant)
    )


def _quoted(query: Query, result: SearchResult, title_of: Titles) -> str:
    if query.surface_ids:
        sources = dict.fromkeys(title_of(surface) for surface in query.surface_ids)
        caption = "Feedback from the corpus: " + "; ".join(f"<bdi>{safe.text(title)}</bdi>" for title in sources)
    elif query.role == "expansion":
        caption = f"Added in {' and '.join(LEG_NAMES[leg] for leg in query.legs)}"
    else:
        caption = "Hypothetical, not from the corpus"
    bag = _bag(query.term_weights) if query.role == "expansion" and query.term_weights else ""
    # The text of a bare bag is its words over again.
    said = (
        "" if bag and query.legs == ("lexical",) else f'<blockquote dir="auto">{safe.text(query.text)}</blockquote>'
    )
    return f'<figure class="qp-quote"><figcaption>{caption}</figcaption>{said}{bag}</figure>'


def _bag(terms: Mapping[str, float]) -> str:
    """The heaviest words of a bag, each with its weight; the rest is counted."""
    first = sorted(terms.items(), key=lambda item: -item[1])[:MOST_TERMS]
    words = "".join(
        f'<li><bdi>{safe.text(word)}</bdi> <span class="qp-count">{weight:.2g}</span></li>' for word, weight in first
    )
    more = f'<li class="qp-count">and {len(terms) - MOST_TERMS} more</li>' if len(terms) > MOST_TERMS else ""
    return f'<ul class="qp-bag" aria-label="Words for BM25, with weights">{words}{more}</ul>'


def short_id(query_id: str) -> str:
    """``variant-2`` as words; a mean of vectors is called what it is."""
    return "mean vector" if query_id == "centroid" else query_id.replace("_", " ").replace("-", " ")


def hit_row(hit: Hit, move: Move | None, mark: str | None) -> str:
    """One hit: rank, title, move; below it the kind, who found it, and a line of its text."""
    moved = ""
    if move:
        moved = (
            f'<span class="qp-move qp-{move.kind}"><span aria-hidden="true">{move.shape}</span> '
            f"{safe.text(move.word if move.kind != 'same' else 'same')}</span>"
        )
    wrong = bool(mark) and mark == WRONG
    css = "qp-wanted qp-unwanted" if wrong else "qp-wanted"
    wanted = f'<span class="{css}">{safe.text(mark)}</span> ' if mark else ""
    return (
        f'<div class="qp-hit{" qp-hit-wanted" if mark and not wrong else ""}"><span class="qp-rank">{hit.rank}</span>'
        f'<span class="qp-hittitle" dir="auto">{wanted}{safe.text(hit.title)}</span>{moved}'
        f'<span class="qp-meta"><span class="qp-kind">{safe.text(hit.kind)}</span> {safe.text(found_by(hit))}</span>'
        f'<span class="qp-snippet" dir="auto">{safe.text(_snippet(hit))}</span></div>'
    )


def _snippet(hit: Hit) -> str:
    """The beginning of the surface, without the title that stands above it."""
    line = " ".join(hit.text.split())
    return (line.removeprefix(hit.title).lstrip(" .:–-") or line)[:200]


def found_by(hit: Hit, most: int = 2) -> str:
    """Which queries found it, in which leg and at which rank there, the largest share first."""
    by_query: dict[str, list[str]] = {}
    shares: dict[str, float] = {}
    for part in sorted(hit.contributions, key=lambda part: -part.share):
        leg = "words" if part.leg == "lexical" else part.leg
        by_query.setdefault(part.query_id, []).append(f"{leg} {part.rank}")
        shares[part.query_id] = shares.get(part.query_id, 0.0) + part.share
    order = sorted(by_query, key=lambda name: -shares[name])
    said = [f"{short_id(name)} ({', '.join(by_query[name])})" for name in order[:most]]
    return " · ".join(said) + (f" · +{len(order) - most}" if len(order) > most else "")


def gone_row(lost: list[Hit]) -> str:
    if not lost:
        return ""
    titles = "; ".join(f"<bdi>{safe.text(hit.title)}</bdi> (was {hit.rank})" for hit in lost)
    return f'<p class="qp-gone"><span class="qp-move qp-gone">✕ gone</span> {titles}</p>'


def empty_hits(*, filtered: bool, mode: str) -> str:
    """Why a card has no hits."""
    if filtered:
        why = "Nothing was found: no surface passes the filter, or none of those that do matches. Loosen the filter."
    elif mode == "lexical":
        why = (
            "Nothing was found: no surface holds a word of this query. Try dense or hybrid retrieval, or other words."
        )
    else:
        why = "Nothing was found in this corpus for this query."
    return safe.block(why, "qp-why", "p")


def waiting(slot: int, title: str, doing: str) -> str:
    return head(slot, title) + safe.block(doing, "qp-doing", "p")


def failed(slot: int, title: str, sentence: str) -> str:
    return head(slot, title, badges=[("warn", "failed")]) + safe.block(sentence, "qp-why", "p")
