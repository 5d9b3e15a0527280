"""One reply for a model's writer: from the store, else asked for and put there."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ir_core.protocols import RunContext
from ir_core.schema import Call
from ir_core.writers.reply_store import Kept, ReplyStore


def kept_or_asked(
    replies: ReplyStore,
    key: str,
    context: RunContext,
    patience_s: float,
    *,
    blank: Call,
    read: Callable[[Kept], list[str]],
    ask: Callable[[float], Call],
) -> list[str]:
    """The texts of one reply, asked for once, however many want the same at this moment.

    A kept reply is recorded as a ``Call`` with ``cached`` set and 0 seconds, with the tokens, the cost and, as
    ``first_s``, the seconds of the first time: nothing was spent again. One that cannot be read is asked for.

    :param patience_s: how long the same request under way is waited for.
    :param blank: the call without its reply: task, model and prompt.
    :param ask: makes and records the call, given the seconds it has waited; raises where there is nothing usable.
    :raises Cancelled: while waiting, when the run is cancelled; besides, whatever ``ask`` raises.
    """

    def asked(waited: float) -> list[str]:
        call = ask(waited)
        replies.put(
            key, Kept(call.raw, call.tokens_in, call.tokens_out, call.cost_usd, call.seconds, call.first_token_s)
        )
        return list(call.texts)

    context.check()
    if (before := context.known()) is not None:
        return list(before.texts)
    if not context.use_cache:
        return asked(0.0)
    with replies.flight(key, context.cancel, patience_s) as waited:
        kept = replies.get(key)
        texts = read(kept) if kept else []
        if not kept or not texts:
            return asked(waited)
    call = replace(
        blank, raw=kept.text, texts=tuple(texts), tokens_in=kept.tokens_in, tokens_out=kept.tokens_out,
        cost_usd=kept.cost_usd, first_token_s=kept.first_token_s, started=time.perf_counter(), seconds=0.0,
        queued=waited, cached=True, first_s=kept.seconds, date=kept.date,
    )  # fmt: skip
    context.record(call)
    return texts
