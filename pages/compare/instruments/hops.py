"""Sequential decomposition, hop by hop: what was asked, what it found, what was taken into the next, why it ended."""

from __future__ import annotations

from collections.abc import Sequence

from ir_core.analysis.hops import Asked as AskedOfHop
from ir_core.analysis.hops import Chain, Found, Hop, chain_of
from ir_core.schema import SearchResult
from pages._ui import cards, safe
from pages._ui.diff import word_diff
from pages.compare.running import Asked
from pages.compare.setup import Ready

LABEL = "Hops"
ORDER = 55
NONE = (
    "No result here has hops. Choose “Sequential decomposition” among the transforms, and ask something that takes "
    "two documents to answer."
)


def show(ready: Ready, asked: Asked, results: Sequence[SearchResult]) -> None:
    chains = [(number, chain) for number, one in enumerate(results, start=1) if (chain := chain_of(one))]
    if not chains:
        safe.notice("info", NONE)
        return
    for number, chain in chains:
        safe.heading(f"{number}. {chain.title}", 3)
        safe.draw(_lead(chain) + _hops(chain) + _end(chain))
        if chain.hops:
            safe.table(_rows(chain), hide_index=True, alt=f"The hops of {safe.sound(chain.title)}, one row per query")


def _lead(chain: Chain) -> str:
    if not chain.hops:
        said = "The question was left whole, so nothing was searched in turn."
    elif chain.is_bridge:
        said = (
            "The question itself is the first hop. From each of its first documents a sentence is taken, and the "
            "question's words that the document does not hold (underlined) are asked with it."
        )
    else:
        said = "Each hop is searched for itself; the answer found in its documents is filled into a later one."
    return safe.block(said, "qp-lead", "p")


def _hops(chain: Chain) -> str:
    if not chain.hops:
        return ""
    taken = {into: found.text for hop in chain.hops for found in hop.found for into in found.into}
    return f'<ol class="qp-hops">{"".join(_hop(hop, taken) for hop in chain.hops)}</ol>'


def _hop(hop: Hop, taken: dict[str, str]) -> str:
    asked = "".join(_asked(one, taken) for one in hop.asked)
    return f'<li><p class="qp-hop-no">Hop {hop.number}</p><div>{asked}{"".join(map(_found, hop.found))}</div></li>'


def _asked(one: AskedOfHop, taken: dict[str, str]) -> str:
    text, start = one.query.text, taken.get(one.query.id, "")
    if one.planned:
        words = word_diff(one.planned, text)
    elif one.query.role == "bridge" and start and text.startswith(start):
        words = f"{safe.text(start)} <ins>{safe.text(text[len(start) :].strip())}</ins>"
    else:
        words = safe.text(text)
    hits = "".join(
        f'<li><span class="qp-rank">{hit.rank}</span> <bdi>{safe.text(hit.title)}</bdi></li>' for hit in one.hits
    )
    found = f'<ol class="qp-hop-hits">{hits}</ol>' if hits else safe.block("It found no document.", "qp-note", "p")
    return f'<p class="qp-query" dir="auto">{words}</p>{found}'


def _found(found: Found) -> str:
    goes = ", ".join(cards.short_id(into) for into in found.into)
    where = f"taken into {safe.text(goes)}" if goes else "not used by a later hop"
    named = "From" if found.passage == found.text else f"<bdi>{safe.text(found.text)}</bdi>, from"
    caption = f"{named} <bdi>{safe.text(found.title)}</bdi>, {where}"
    return (
        f'<figure class="qp-quote"><figcaption>{caption}</figcaption>'
        f'<blockquote dir="auto">{_marked(found)}</blockquote></figure>'
    )


def _marked(found: Found) -> str:
    """The passage, the answer in it marked where its letters are the same."""
    at = found.passage.casefold().find(found.text.casefold())
    end = at + len(found.text)
    if at < 0 or found.passage == found.text or found.passage[at:end].casefold() != found.text.casefold():
        return safe.text(found.passage)
    before, answer, after = found.passage[:at], found.passage[at:end], found.passage[end:]
    return f"{safe.text(before)}<strong>{safe.text(answer)}</strong>{safe.text(after)}"


def _end(chain: Chain) -> str:
    """Why it ended early, and what was then never asked."""
    said = f'<p class="qp-why" dir="auto">{safe.prose(chain.stopped)}</p>' if chain.stopped else ""
    if not chain.unasked:
        return said
    items = "".join(f'<li class="qp-query" dir="auto">{safe.text(text)}</li>' for text in chain.unasked)
    return f'{said}<p class="qp-note">Planned, and not searched:</p><ul class="qp-hop-rest">{items}</ul>'


def _rows(chain: Chain) -> list[dict[str, object]]:
    """One per query; a column that is blank throughout is left out."""
    rows: list[dict[str, object]] = [
        {
            "hop": hop.number,
            "query": one.query.text,
            "planned as": one.planned or "",
            "first documents": ", ".join(hit.title for hit in one.hits),
            "taken from it": "; ".join(f"{found.text} ({found.title})" for found in hop.found),
        }
        for hop in chain.hops
        for one in hop.asked
    ]
    return [{name: value for name, value in row.items() if any(other[name] for other in rows)} for row in rows]
