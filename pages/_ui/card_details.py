"""The part of a card that opens: what each writer was asked and really said, and what was sent to each leg."""

from __future__ import annotations

from ir_core.schema import AUTHORED, LEGS, NO_LLM, ORIGINS, Call, Query, SearchResult
from pages._ui import numbers, safe
from pages._ui.card_badges import is_edited
from pages._ui.cards import short_id

MOST = 20_000
"""Characters shown of a reply; it scrolls in its place."""
TERMS = 12
WHO = {AUTHORED: ORIGINS["authored"], NO_LLM: NO_LLM}
"""Those who write without being asked anything."""
LEG_NAMES = {"dense": "dense", "lexical": "words"}


def details(result: SearchResult) -> str:
    """Closed at first, so that it moves nothing; the original's has only what was sent."""
    made = result.formulation
    alike: dict[tuple[object, ...], list[Call]] = {}
    for call in made.calls:
        alike.setdefault(_outcome(call), []).append(call)
    calls = "".join(map(_tries, alike.values()))
    return (
        f'<details class="qp-said"><summary>{"What was said and sent" if made.calls else "What was sent"}</summary>'
        f'<div class="qp-said-all" role="group" aria-label="What was said and sent" tabindex="0">{calls}'
        f"{_sent(result)}</div></details>"
    )


def _outcome(call: Call) -> tuple[object, ...]:
    """Failures that say the same are told once; any other call is its own."""
    own = 0 if call.error and not call.texts and not call.cached else id(call)
    took = call.tokens_in, call.tokens_out, call.cost_usd
    return own, call.task, call.model, call.prompt_id, call.prompt_version, call.error, call.raw, *took


def _tries(calls: list[Call]) -> str:
    """One request, and how often it ended in the same way: what was asked of whom, what it took, the reply as it
    came, and what was read from it."""
    call = calls[0]
    if call.model in WHO and not call.recorded:  # no reply is behind it, and its texts are those that were sent
        return f'<div class="qp-said-call">{_head(call)}{_error(call)}</div>'
    prompt = f"prompt {call.prompt_id}" if call.prompt_id else ""
    if prompt and call.prompt_version:
        prompt += f", version {call.prompt_version}"
    lines = "".join(safe.block(line, "qp-call-line", "p") for line in (prompt, *_figures(calls)) if line)
    return f'<div class="qp-said-call">{_head(call)}{lines}{_error(call)}{_reply(call)}</div>'


def _head(call: Call) -> str:
    who = safe.text(WHO.get(call.model, call.model) or "a model nobody named")
    took = f", {numbers.seconds(call.seconds)}" if call.model == NO_LLM and not call.recorded else ""
    mark = ' <span class="qp-badge">edited prompt</span>' if is_edited(call) else ""
    return f'<p class="qp-call"><b>{safe.text(call.task.replace("_", " "))}</b>: <bdi>{who}</bdi>{took}{mark}</p>'


def _error(call: Call) -> str:
    return safe.block(call.error, "qp-why", "p") if call.error else ""


def _reply(call: Call) -> str:
    if not call.raw:
        return _read(call) if call.texts else "" if call.error else '<p class="qp-call-line">It said nothing.</p>'
    more = f"\n… {len(call.raw) - MOST:,} more characters" if len(call.raw) > MOST else ""
    # Where no word of a reply came, the record quotes the server: its error, or a page.
    wordless = call.error and call.first_token_s is None and not call.recorded
    return (
        f'<p class="qp-said-head">{"What the server sent" if wordless else "Its reply, as it came"}</p>'
        '<pre class="qp-raw" dir="auto" role="group" aria-label="Reply" tabindex="0">'
        f"{safe.text(call.raw[:MOST] + more)}</pre>{'' if wordless else _read(call)}"
    )


def _read(call: Call) -> str:
    head = '<p class="qp-said-head">What was read from it</p>'
    if not call.texts:
        return head + '<p class="qp-call-line">Nothing that could be used.</p>'
    items = "".join(f'<li dir="auto">{safe.text(text)}</li>' for text in call.texts)
    return f'{head}<ol class="qp-read">{items}</ol>'


def _figures(calls: list[Call]) -> list[str]:
    """Of the first time where the text was kept from then: nothing was asked now."""
    call = calls[0]
    if len(calls) > 1:
        head = [f"{len(calls)} tries, all alike: {', '.join(numbers.seconds(one.seconds) for one in calls)}"]
    elif call.cached:
        head = [call.recorded or "from the cache", f"first {numbers.seconds(call.first_s)}"]
    else:
        head = [numbers.seconds(call.seconds)]
    if call.first_token_s is not None:
        head.append(f"first token after {numbers.seconds(call.first_token_s)}")
    if call.queued >= 0.000_5:
        head.append(f"{numbers.seconds(call.queued)} queued")
    tokens = f"tokens: {numbers.count(call.tokens_in)} in, {numbers.count(call.tokens_out)} out"
    return [", ".join(head), f"{tokens} · cost: {numbers.dollars(call.cost_usd)}"]


def _sent(result: SearchResult) -> str:
    made = result.formulation
    searched = {(ranking.query_id, ranking.leg) for ranking in result.rankings}
    if not searched:
        return '<p class="qp-said-head">Nothing was sent to a leg</p>'
    legs = [leg for leg in LEGS if any(leg == used for _, used in searched)]
    queries = (*made.queries, *result.derived)
    totals = {leg: sum(query.weight for query in queries if (query.id, leg) in searched) for leg in legs}
    items = []
    for query in queries:
        to: dict[str, list[str]] = {}  # legs by what is said of them
        for leg in legs:
            if (query.id, leg) in searched:
                share = query.weight / totals[leg] if totals[leg] else 0.0
                to.setdefault(f"weight {share:.2g}", []).append(LEG_NAMES[leg])
            elif leg in query.legs and made.combine.get(leg) == "centroid":
                to.setdefault(f"{query.weight:g} of the mean vector", []).append(LEG_NAMES[leg])
        said = "; ".join(f"{' and '.join(names)}, {how}" for how, names in to.items()) or "not searched in this mode"
        head = f'<p class="qp-call-line"><b>{safe.text(short_id(query.id))}</b>: {safe.text(said)}</p>'
        items.append(f"<li>{head}{_text(query)}</li>")
    return f'<p class="qp-said-head">What was sent to each leg</p><ol class="qp-sent">{"".join(items)}</ol>'


def _text(query: Query) -> str:
    parts = [safe.block(query.text, "qp-sent-text", "p")]
    if query.surface_ids:
        parts.append(
            safe.block(
                f"dense: the mean of {numbers.count(len(query.surface_ids), 'stored vector')}", "qp-call-line", "p"
            )
        )
    if query.term_weights is not None:
        bag = sorted(query.term_weights.items(), key=lambda item: -item[1])
        said = ", ".join(f"{term} {weight:.2g}" for term, weight in bag[:TERMS])
        more = f" and {len(bag) - TERMS} more" if len(bag) > TERMS else ""
        parts.append(safe.block(f"words: {said}{more}", "qp-call-line", "p"))
    return "".join(parts)
