"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ir_core import config
from ir_core.errors import BadFilter, BadInput, BadSetting

if TYPE_CHECKING:
    from ir_core.writers.llm import Price

F = TypeVar("F", bound=Callable[..., Any])
FILTER_EXAMPLE = '{"year": {"$gte": 2020}}'


def _set_option(more: str) -> Callable[[F], F]:
    told = f"A setting; may be repeated. Of the strategy: chunk_size=800. Of the index: index.k1=0.9.{more}"
    return click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help=told)


def _index_options(more: str = "", *, several: bool = False) -> tuple[Callable[[F], F], ...]:
    """:param several: for a command that takes several strategies, and can do without a corpus."""
    again = " May be repeated, also as NAME:key=value,key=value." if several else ""
    return (
        click.option(
            "--corpus", required=not several, metavar="NAME|PATH",
            help="A corpus by name (see: query-prism corpora), or a file, folder, zip or BEIR folder by its path.",
        ),
        click.option(
            "--strategy", metavar="NAME", multiple=several,
            help="Indexing strategy, such as Chunked. Default, here and below: what the corpus' index was last built "
            f"with by index or by the page, else the corpus' own.{again}",
        ),
        _set_option(more),
        click.option("--embedder", metavar="NAME", help="Embedder by name or folder. At first: all-MiniLM-L6-v2."),
        click.option("--k1", type=float, help=f"BM25's k1. At first: {config.BM25_K1}."),
        click.option("--b", type=float, help=f"BM25's b. At first: {config.BM25_B}."),
        click.option("--text-column", metavar="NAME", help="The column of a table with the text, where unclear."),
    )  # fmt: skip


INDEX_OPTIONS = _index_options()
INDEX_OPTIONS_WITH_TRANSFORMS = _index_options(" Of a transform: multi_query.n=5.")
SEVERAL_INDEX_OPTIONS = _index_options(" Of a transform: multi_query.n=5.", several=True)
SEARCH_OPTIONS = (
    click.option("--mode", metavar="MODE", help="dense, lexical or hybrid. Default: what suits corpus and query."),
    click.option("--k", type=int, default=config.DEFAULT_K, show_default=True, help="Places in every list."),
    click.option("--depth", type=int, help="How deep each list is read before fusion. Default: max(50, 5 k)."),
    click.option("--filter", "filter_text", metavar="JSON", help=f"Only artifacts that match: {FILTER_EXAMPLE}"),
    click.option("--surfaces", metavar="A,B", help="Only surfaces of these kinds."),
    click.option("--dense-weight", type=float, default=1.0, show_default=True, help="Weight of the dense leg."),
    click.option("--lexical-weight", type=float, default=1.0, show_default=True, help="Weight of the lexical leg."),
    click.option("--reranker", metavar="NAME", help="A cross-encoder that orders the first places. Default: none."),
)
WRITER_OPTIONS = (
    click.option(
        "--writer", default="corpus", show_default=True, metavar="corpus|recorded:FILE|local|local:PATH|MODEL",
        help="Who writes the texts: corpus (no LLM); recorded:FILE, what a writer wrote earlier, or "
        "recorded:TASK:FILE for a plain file of texts for one task, such as recorded:hyde:passages.jsonl; local, a "
        "small model on this machine, or local:PATH for another GGUF file; or a litellm model string, its key taken "
        "from the environment.",
    ),
    click.option("--base-url", metavar="URL", help="A gateway that speaks the model's protocol."),
    click.option(
        "--price", metavar="IN,OUT",
        help="Of the model, in dollars per million tokens read and written; --max-usd needs it where no table has "
        "the model's price.",
    ),
    click.option("--no-cache", is_flag=True, help="Ask a model anew, though its reply to the same may be kept."),
)  # fmt: skip
RECORD_OPTION = click.option(
    "--record", metavar="FILE",
    help="Append what the writer writes to FILE. Replay it, with no key, by --writer recorded:FILE.",
)  # fmt: skip
CAP_OPTIONS = (
    click.option("--max-calls", type=click.IntRange(min=0), help="Stop asking an LLM after so many requests."),
    click.option("--max-usd", type=click.FloatRange(min=0), help="Stop asking an LLM before it costs more dollars."),
    click.option(
        "--deadline", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
        help="Of each reply of an LLM, with all its tries. Default: 30.",
    ),
)  # fmt: skip
TRANSFORMS_OPTION = click.option(
    "--transforms",
    metavar="A,B",
    help="Names, joined by commas; query-prism transforms lists them. The original is always there, and each is one "
    "column however often it is named.",
)
HISTORY_OPTION = click.option(
    "--history", "history_file", metavar="FILE",
    help="Earlier turns: a JSON list of {role, content}.",
)  # fmt: skip


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Puts several options on one command, in the order given."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def names(option: str, text: str | None) -> list[str]:
    """Names joined by commas; none where the option was not given.

    :raises BadSetting: when it was given and names nothing, which is not to mean "all".
    """
    found = [part.strip() for part in (text or "").split(",") if part.strip()]
    if text is not None and not found:
        raise BadSetting(f"{option} {text!r} names nothing. Leave {option} out, or give names joined by commas: a,b.")
    return found


def read_pairs(pairs: Iterable[str]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """``key=value`` texts: plain keys, and by what stands before the dot.

    :raises BadSetting: for a text that is no pair.
    """
    plain: dict[str, str] = {}
    owned: dict[str, dict[str, str]] = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        owner, dot, name = key.strip().rpartition(".")
        if not sign or not name:
            raise BadSetting(f"--set {pair!r} is not key=value. Write for example --set multi_query.n=5.")
        if dot:
            owned.setdefault(owner.strip(), {})[name] = value.strip()
        else:
            plain[name] = value.strip()
    return plain, owned


def read_price(text: str | None) -> Price | None:
    """``IN,OUT`` in dollars per million tokens.

    :raises BadSetting: for anything but two numbers, or one below 0.
    """
    if text is None:
        return None
    from ir_core.writers.llm import Price

    try:
        read, written = map(float, text.split(","))
    except ValueError:
        raise BadSetting(
            f"--price {text!r} is not IN,OUT. Give two numbers, dollars per million tokens read and written, such as "
            "0.4,1.6."
        ) from None
    return Price(read, written)


def read_filter(text: str | None) -> Mapping[str, Any] | None:
    """:raises BadFilter: when it is not a JSON object."""
    if not text or not text.strip():
        return None
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadFilter(f"--filter is not JSON ({error}). Write for example --filter '{FILTER_EXAMPLE}'.") from None
    except RecursionError:
        raise BadFilter(f"--filter is nested too deep. Write it flatter, for example '{FILTER_EXAMPLE}'.") from None
    if not isinstance(found, dict):
        raise BadFilter(
            f"--filter is {text.strip()[:60]!r}, not a JSON object. Write for example '{FILTER_EXAMPLE}'."
        )
    return found


def read_history(path: str | None) -> tuple[dict[str, str], ...]:
    """:raises BadInput: when the file cannot be read, or is not a list of turns."""
    if path is None:
        return ()
    wanted = 'Expected a JSON list such as [{"role": "user", "content": "How do I …?"}].'
    try:
        turns = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"--history {path!r} cannot be read: {error.strerror}. {wanted}") from None
    except ValueError as error:
        raise BadInput(f"--history {path!r} is not JSON ({error}). {wanted}") from None
    except RecursionError:
        raise BadInput(f"--history {path!r} is nested too deep. {wanted}") from None
    if not isinstance(turns, list):
        raise BadInput(f"--history {path!r} holds a {type(turns).__name__}. {wanted}")
    return tuple(_turn(turn, number, path, wanted) for number, turn in enumerate(turns, start=1))


def _turn(turn: Any, number: int, path: str, wanted: str) -> dict[str, str]:
    said = (turn.get("content") or turn.get("text")) if isinstance(turn, dict) else None
    if not isinstance(said, str) or not isinstance(turn.get("role"), str):
        raise BadInput(f"Turn {number} of --history {path!r} has no role or no content. {wanted}")
    return {"role": turn["role"], "content": said}


def write_file(option: str, path: str, data: bytes) -> None:
    """:raises BadInput: when it cannot be written."""
    with _refusing(option, path):
        Path(path).write_bytes(data)


def check_file(option: str, path: str) -> None:
    """Whether it could be written, before anything that takes long; what is there stays as it is.

    :raises BadInput: when it cannot.
    """
    with _refusing(option, path):
        is_new = not Path(path).exists()
        Path(path).open("ab").close()
        if is_new:
            Path(path).unlink()


@contextmanager
def _refusing(option: str, path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInput(f"{option} {path!r} cannot be written: {error.strerror}. Name another file.") from None
