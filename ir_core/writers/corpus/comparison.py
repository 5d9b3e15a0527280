"""Comparison questions split into one question for each thing compared.

The structures are those of HotpotQA's comparison questions (Yang et al., EMNLP 2018); splitting them without a
model follows the comparison case of DecompRC (Min et al., ACL 2019).
"""

from __future__ import annotations

from collections.abc import Collection

import regex

from ir_core.writers.corpus import structures
from ir_core.writers.corpus.names import bare, best_pair, is_name, leading_name, title_key, trailing_name
from ir_core.writers.corpus.predicates import agreed, asked_of_each, shared_predicate, what_is

Pair = tuple[str, str]
MAX_WORDS = 4
"""Of a common noun phrase before "and": more is a clause."""


def comparison(query: str, titles: Collection[str]) -> list[str]:
    """One question each for the things compared, or an empty list for any other question.

    :param titles: keys (``names.title_key``) of the corpus' titles, which say where a name ends.
    """
    text = without_end(query)
    for split in (_plain, _in_common, _between, _alternatives, _both):
        found = split(text, titles)
        if len(found) > 1:
            return found
    return []


def without_end(query: str) -> str:
    """One line without the closing mark; the dot of an abbreviation (D.C.) stays."""
    text = regex.sub(r"\s+", " ", query).strip().rstrip("?؟! ")
    return regex.sub(r"(?<=\s[^\s.]+)\.$", "", text)


def _plain(text: str, titles: Collection[str]) -> list[str]:
    """Difference between A and B, compare A with B, how does A differ from B, A vs B, are A and B the same."""
    match = structures.DIFFERENCE.match(text) or structures.ALIKE.match(text)
    pair: Pair | None = None
    if match:
        pairs = (best_pair(match["pair"], word, titles) for word in ("and", "with", "to", "or"))
        pair = next(filter(None, pairs), None)
    else:
        match = structures.DIFFER.match(text) or structures.VERSUS.match(text)
        pair = (match["a"], match["b"]) if match else None
    if pair is None:
        return []
    first = structures.ASKING_OPENING.sub("", pair[0])
    return [what_is(side.strip(" ,")) for side in (first, pair[1])]


def _in_common(text: str, titles: Collection[str]) -> list[str]:
    match = structures.IN_COMMON.match(text)
    pair = best_pair(match["pair"], "and", titles) if match else None
    if match is None or pair is None:
        return []
    noun = match["noun"].strip()
    return [f"What {noun} {agreed('do', side)} {side} have?" if noun else what_is(side) for side in pair]


def _between(text: str, titles: Collection[str]) -> list[str]:
    match = structures.BETWEEN.match(text) or structures.WHICH_OF.match(text)
    if match is None:
        return []
    pair = best_pair(match["pair"], "and", titles) or best_pair(match["pair"], "or", titles)
    asked = match.groupdict()
    ask = asked.get("ask") or f"{asked['wh']} {asked['vp']}"
    return [asked_of_each(ask, bare(side)) for side in pair] if pair else []


def _alternatives(text: str, titles: Collection[str]) -> list[str]:
    """Which X is larger, A or B; which X, A or B, is larger; is A or B larger; did A or B come first."""
    match = structures.INSIDE.match(text)
    if match:
        ask, pair = f"{match['head']} {match['vp']}", best_pair(match["pair"], "or", titles)
    elif structures.ASKS_WHICH.match(text):
        ask, pair = _at_end(text, titles)
    else:
        ask, pair = _after_verb(text, titles)
    return [asked_of_each(ask, side.strip(" ,")) for side in pair] if pair else []


def _at_end(text: str, titles: Collection[str]) -> tuple[str, Pair | None]:
    match = structures.AFTER_MARK.match(text)
    if match:
        return match["ask"], best_pair(match["pair"], "or", titles)
    for found in regex.finditer(r" or ", text):
        before, right = text[: found.start()], text[found.end() :].strip()
        match = structures.AFTER_WORD.match(before)
        if match and (regex.match(r"(?:the|an?) ", match["left"], regex.I) or is_name(match["left"])):
            return match["ask"], (match["left"], right)
        start = trailing_name(before)
        if start is not None and is_name(right) and " " in before[:start].strip():
            return before[:start], (before[start:], right)
    return "", None


def _after_verb(text: str, titles: Collection[str]) -> tuple[str, Pair | None]:
    """Is A or B larger; did A or B win: both sides must be names."""
    match = structures.YES_NO.match(text)
    rest = match["rest"] if match else ""
    for found in regex.finditer(r",? or ", rest):
        left, after = rest[: found.start()], rest[found.end() :]
        end = leading_name(after)
        vp = after[end:].strip(" ,") if end else ""
        if match and vp and (is_name(left) or title_key(left) in titles):
            return f"which {match['aux']} {vp}", (left, after[:end])
    return "", None


def _both(text: str, titles: Collection[str]) -> list[str]:
    """Are A and B both P; do A and B have the same P; what P did both A and B have; A and B are both P."""
    match = structures.WH_THEN_PAIR.match(text)
    if match:
        pair, vp = _pair_then_rest(match["rest"], titles)
        return [f"{match['pre']} {agreed(match['aux'], side)} {side} {vp}".strip() + "?" for side in pair or ()]
    match = structures.YES_NO.match(text)
    if match:
        pair, vp = _pair_then_rest(match["rest"], titles)
        return [shared_predicate(match["aux"], bare(side), vp) for side in pair] if pair and vp else []
    match = structures.STATEMENT.match(text)
    pair = best_pair(match["pair"], "and", titles) if match else None
    return [shared_predicate(match["aux"], bare(side), match["vp"]) for side in pair] if match and pair else []


def _pair_then_rest(text: str, titles: Collection[str]) -> tuple[Pair | None, str]:
    """The two things of "A and B (both) P", and P; no pair where nothing says they are two of a kind."""
    text = regex.sub(r"^both\s+", "", text)
    match = structures.GROUPED.match(text) or structures.BOTH_AFTER_PAIR.match(text)
    if match:
        return best_pair(match["pair"], "and", titles), match["vp"]
    for found in regex.finditer(r",? and ", text):
        left, after = text[: found.start()].strip(" ,"), text[found.end() :]
        end = leading_name(after)
        if end is not None and is_name(bare(left)):
            return (left, after[:end].strip(" ,")), after[end:].strip(" ,")
        match = structures.SAME_AFTER_PAIR.match(after)
        if match and len(left.split()) <= MAX_WORDS:
            return (left, match["right"]), match["vp"]
    return None, ""
