"""Errors nobody expected: a short sentence with a reference id for the screen, the rest for the log, keys removed."""

from __future__ import annotations

import logging
import re
import secrets
import traceback

from ir_core.errors import QueryPrismError
from ir_core.secrets import redacted
from pages._ui import keys

log = logging.getLogger("query_prism")
_KEY = re.compile(r"(sk-|key[\"'=:\s]{1,4}|bearer\s+|api[-_]?key\W{1,3})[\w\-.]{6,}", re.IGNORECASE)


def without_keys(text: str) -> str:
    return _KEY.sub(lambda match: match.group(1) + "[removed]", text)


def told(error: BaseException) -> QueryPrismError:
    """What to show: an error of ours as it is, any other as its sentence. Keep it, or it is logged again."""
    return error if isinstance(error, QueryPrismError) else QueryPrismError(report(error))


def report(error: BaseException) -> str:
    """Log the error under a new reference id, and give the sentence to show."""
    reference = secrets.token_hex(4)
    written = "".join(traceback.format_exception(error))
    log.error("reference %s\n%s", reference, keys.KEPT.hidden_in(redacted(without_keys(written))))
    return f"Something went wrong here that was not expected (reference {reference}; the log has the rest)."
