"""From files, or a public name, to queries and judgements that can be kept or measured with."""

from __future__ import annotations

from ir_core.errors import BadSource
from ir_core.library._corpus import Corpus
from ir_core.library.queries import JudgedQuery, Qrels, read_qrels, read_queries
from ir_core.library.sets.kept import add_query_set
from ir_core.library.sets.types import QuerySet
from ir_core.loaders import Judgements, judged
from ir_core.loaders.judged.files import Named

Read = tuple[list[JudgedQuery], Qrels]


def read_set(seen: judged.Seen, qrels: Named | None = None, columns: judged.Columns | None = None) -> Read:
    """Queries and judgements of a file that was looked at (``loaders.judged.look``), checked; nothing is kept.

    :raises NeedsColumn: when nothing says which column holds the query.
    :raises BadSource: for no query at all, a line that is none, or one of two that contradict each other.
    """
    return _checked(judged.read(seen, qrels, columns), seen.name)


def imported_set(
    corpus: Corpus | str,
    title: str,
    seen: judged.Seen,
    qrels: Named | None = None,
    columns: judged.Columns | None = None,
) -> QuerySet:
    """Keeps what :func:`read_set` gives. Errors as there, and as ``add_query_set``."""
    queries, grades = read_set(seen, qrels, columns)
    source = f"{seen.name} ({seen.what})" + (f" and {qrels[0]}" if qrels else "")
    return add_query_set(corpus, title.strip() or seen.name, queries, grades, kind="imported", source=source)


def public_set(corpus: Corpus | str, name: str, title: str = "") -> QuerySet:
    """Keeps the queries and judgements of a public set by its name in ``ir_datasets``; its documents are not fetched.

    :raises MissingPackage: naming the install line. :raises UnknownName, BadSource, BadInput: as the parts.
    """
    queries, grades = _checked(judged.read_public(name), name)
    return add_query_set(corpus, title.strip() or name, queries, grades, kind="public", source=f"ir_datasets {name}")


def _checked(found: Judgements, name: str) -> Read:
    queries = read_queries(found.queries or b"")
    if not queries:
        raise BadSource(f"{name} holds no query, so the set would be empty. Choose a file with queries in it.")
    return queries, read_qrels(found.qrels) if found.qrels else {}
