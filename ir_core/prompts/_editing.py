"""A prompt changed by hand: refused where a query could not be asked with it, doubted where it looks like a slip."""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Sequence

from ir_core.errors import BadSetting
from ir_core.prompts._bank import KNOWN_PLACEHOLDERS, PLACEHOLDER, Prompt

MAX_CHARS = 8_000
"""Of each text: five times the longest in the bank, with room for a dozen examples."""
MAX_TEMPERATURE = 2.0
"""What OpenAI-style servers take."""

_NAMES = "|".join(KNOWN_PLACEHOLDERS)
_SLIP = re.compile(rf"\{{\{{?\s*(?:{_NAMES})\s*\}}?\}}|\$\(?(?:{_NAMES})\b\)?|\$\{{\s*(?:{_NAMES})\b(?!\}})\s*\}}?")


def edit(prompt: Prompt, *, system: str, user: str, temperature: float) -> Prompt:
    """The prompt with other texts and another temperature, marked ``edited``; what is no change is not marked.

    :param prompt: as the bank has it; everything else stays as it is there.
    :param temperature: 0 to 2.
    :raises BadSetting: for a placeholder that nothing fills or one that is missing, a blank user text, a text longer
        than ``MAX_CHARS``, or a temperature out of range. The message is one or two sentences and names the way out.
    """
    if (system, user, temperature) == (prompt.system, prompt.user, prompt.temperature):
        return prompt
    if not user.strip():
        raise BadSetting("The user text is empty. Write what the model is to do, with ${query} and ${history} in it.")
    for name, text in (("system", system), ("user", user)):
        if len(text) > MAX_CHARS:
            raise BadSetting(f"The {name} text has {len(text):,} characters. Cut it to {MAX_CHARS:,} or fewer.")
    if not 0 <= temperature <= MAX_TEMPERATURE:  # refuses NaN, too
        raise BadSetting(f"The temperature is {temperature:g}. Set it between 0 and {MAX_TEMPERATURE:g}.")
    used = tuple(dict.fromkeys(PLACEHOLDER.findall(f"{user}\n{system}")))
    known = [name for name in KNOWN_PLACEHOLDERS if name not in {"hits", "reference"} or name in prompt.placeholders]
    for name in used:
        if name not in known:  # a task that does not search first has no hits, one that rates nothing no answers
            raise BadSetting(f"Nothing fills ${{{name}}}. {_meant(name, known)}")
    for name in ("query", "history"):
        if name not in used:
            raise BadSetting(_missing(name, system + user))
    return dataclasses.replace(
        prompt, system=system, user=user, temperature=temperature, placeholders=used, edited=True
    )


def doubts(prompt: Prompt, original: Prompt) -> tuple[str, ...]:
    """What looks unintended in an edited prompt, a sentence each; it can be sent all the same."""
    text = f"{prompt.system}\n{prompt.user}"
    slips = dict.fromkeys(match.group().strip() for match in _SLIP.finditer(PLACEHOLDER.sub("", text)))
    found = [f"{slip} is sent as it stands: a placeholder is written ${{{_name(slip)}}}." for slip in slips]
    gone = [name for name in original.placeholders if name not in {*prompt.placeholders, *map(_name, slips)}]
    lost = [f"${{{name}}} is gone: the model is not told {_shortly(name)}." for name in gone]
    return (*found, *lost)


def _name(slip: str) -> str:
    return re.sub(r"\W", "", slip)


def _shortly(name: str) -> str:
    return KNOWN_PLACEHOLDERS[name].split(",")[0]


def _meant(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    if close:
        return f"Did you mean ${{{close[0]}}}?"
    return f"There are {', '.join(f'${{{mark}}}' for mark in known)}."


def _missing(name: str, text: str) -> str:
    mark = f"${{{name}}}"
    slip = next((found.group() for found in _SLIP.finditer(text) if _name(found.group()) == name), None)
    if slip:
        return f"There is no {mark}, only {slip}, which nothing fills. Write {mark}."
    return f"There is no {mark}: the model would not see {_shortly(name)}. Put it in."
