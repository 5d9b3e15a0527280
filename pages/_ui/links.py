"""A comparison as a link: stable ids of everything that was chosen, never a key, and the history only when asked for.

Reading never raises: what a link names and is not here any more becomes a sentence, and the rest is kept. Ids, not
labels, so that a link survives a renamed label; ``VERSION`` changes only when the meaning of a field does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from ir_core import config
from ir_core.errors import BadInput, BadSetting, UnknownName
from ir_core.library import Scene
from ir_core.params import params_of, values_of
from ir_core.schema import MODE_LEGS
from ir_core.transforms import TRANSFORMS
from ir_core.writers import FREE_WRITER

VERSION = "1"
OWN_SERVER = "own"
GONE = "The link names something that no longer exists:"
Params = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Link:
    """None is "not said": the page's own default then holds. ``index`` is the fingerprint of the build it was made
    with, ``strategy`` that build's strategy; ``own_server`` says that the writer was asked at a base URL, which
    is never in a link."""

    corpus: str | None = None
    query: str = ""
    mode: str | None = None
    k: int | None = None
    transforms: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    writer: str | None = None
    own_server: bool = False
    strategy: str | None = None
    index: str | None = None
    filter: Mapping[str, Any] | None = None
    kinds: tuple[str, ...] | None = None
    expected: str | None = None
    history: tuple[Mapping[str, str], ...] = ()
    scene: str | None = None

    @property
    def writer_is_paid(self) -> bool:
        """True for any writer but the corpus: opening the link must not spend anything."""
        return self.writer not in {None, FREE_WRITER}


@dataclass
class Read:
    link: Link
    problems: list[str] = field(default_factory=list)


def to_params(link: Link) -> dict[str, str | list[str]]:
    """The link's fields as query parameters, the unsaid ones left out."""
    found: dict[str, str | list[str]] = {"v": VERSION}
    plain = {
        "corpus": link.corpus,
        "q": link.query,
        "mode": link.mode,
        "k": link.k,
        "writer": link.writer,
        "at": OWN_SERVER if link.own_server else None,
        "strategy": link.strategy,
        "index": link.index,
        "expect": link.expected,
        "scene": link.scene,
        "kinds": ",".join(link.kinds) if link.kinds else None,
        "filter": compact(link.filter) if link.filter else None,
        "history": compact([dict(turn) for turn in link.history]) if link.history else None,
    }
    found.update({name: str(value) for name, value in plain.items() if value not in (None, "")})
    if link.transforms:
        known = [(name, TRANSFORMS.get(name) if name in TRANSFORMS else None) for name, _ in link.transforms]
        found["t"] = [named(*one, settings) for one, (_, settings) in zip(known, link.transforms, strict=True)]
    return found


def of_scene(scene: Scene) -> Link:
    """Everything that the scene asks; the writer only where it names one."""
    return Link(
        corpus=scene.corpus,
        query=scene.query,
        mode=scene.mode,
        k=scene.k,
        transforms=scene.transforms,
        writer=scene.writer,
        expected=scene.looked_for,
        history=scene.history,
        scene=scene.id,
    )


def url(base: str, link: Link) -> str:
    here = base.split("?", 1)[0].split("#", 1)[0]
    if here and "/" not in here.partition("://")[2]:
        here += "/"  # the first page's address ends with the host
    return f"{here}?{urlencode(to_params(link), doseq=True)}"


def read(params: Params, corpora: Iterable[str]) -> Read:
    """:param corpora: names of the corpora there are."""
    result = Read(Link())
    known = list(corpora)
    one = {name: values[-1] for name, values in params.items() if values}
    version = one.get("v", VERSION)
    if version != VERSION:
        result.problems.append(f"This link is of version {version[:8]!r}; this release reads version {VERSION}.")
    corpus = one.get("corpus")
    if corpus is not None and corpus not in known:
        result.problems.append(f"{GONE} {UnknownName('corpus', corpus, known)}")
        corpus = None
    mode = one.get("mode")
    if mode is not None and mode not in MODE_LEGS:
        result.problems.append(f"{UnknownName('retrieval mode', mode, MODE_LEGS)} The default is used.")
        mode = None
    result.link = Link(
        corpus=corpus,
        query=one.get("q", "")[: 5 * config.MAX_QUERY_CHARS],
        mode=mode,
        k=_k(one.get("k"), result.problems),
        transforms=_transforms(params.get("t", ()), result.problems),
        writer=one.get("writer"),
        own_server=one.get("at") == OWN_SERVER,
        strategy=one.get("strategy"),
        index=one.get("index"),
        filter=_mapping(one.get("filter"), result.problems),
        kinds=tuple(kind for kind in one.get("kinds", "").split(",") if kind) or None,
        expected=one.get("expect"),
        history=_history(one.get("history"), result.problems),
        scene=one.get("scene"),
    )
    return result


def compact(value: Any) -> str:
    """JSON in one line, always the same for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def named(name: str, component: type | None, settings: Mapping[str, Any]) -> str:
    """A component with those of its settings that are not the default, so that a better default reaches old links
    too: ``multi_query:{"n":5}``."""
    defaults = {setting.name: setting.default for setting in params_of(component)} if component else {}
    changed = {key: value for key, value in settings.items() if defaults.get(key) != value}
    return f"{name}:{compact(changed)}" if changed else name


def _transforms(texts: Sequence[str], problems: list[str]) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    found: list[tuple[str, Mapping[str, Any]]] = []
    for text in texts:
        name, _, written = text.partition(":")
        try:
            settings = json.loads(written) if written else {}
            made = TRANSFORMS.make(name, settings if isinstance(settings, dict) else {})
        except BadSetting as error:
            problems.append(f"A setting of {name!r} in the link cannot be used, so its defaults are: {error}")
            found.append((name, {}))
        except BadInput as error:
            problems.append(f"{GONE} {error}")
        except ValueError:
            problems.append(f"The settings of {name[:40]!r} in the link cannot be read; its defaults are used.")
            found.append((name, {}))
        else:
            found.append((made.name, values_of(made)))
    by_name = dict(found)
    first = [("identity", by_name.pop("identity"))] if "identity" in by_name else []  # stands there, named or not
    room = config.MAX_TRANSFORMS - 1
    if len(by_name) > room:
        problems.append(f"The link has {len(by_name)} transforms; beside the original there is room for {room}.")
    return (*first, *list(by_name.items())[:room])


def _k(text: str | None, problems: list[str]) -> int | None:
    if text is None:
        return None
    if text.isascii() and text.isdigit() and 1 <= int(text) <= config.MAX_K:
        return int(text)
    problems.append(f"k = {text[:20]!r} in the link is not a number from 1 to {config.MAX_K}; the default is used.")
    return None


def _mapping(text: str | None, problems: list[str]) -> Mapping[str, Any] | None:
    if not text:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    problems.append("The filter in the link cannot be read as JSON; nothing is filtered.")
    return None


def _history(text: str | None, problems: list[str]) -> tuple[Mapping[str, str], ...]:
    if not text:
        return ()
    try:
        turns = json.loads(text)
        return tuple({"role": str(turn["role"]), "content": str(turn["content"])} for turn in turns)
    except (ValueError, TypeError, KeyError):
        problems.append("The history in the link cannot be read; the query stands alone.")
        return ()
