"""One tiny request that says whether a model answers, and how fast."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from ir_core.errors import WriterError, WriterTimeout
from ir_core.schema import Call
from ir_core.writers import _litellm
from ir_core.writers._llm_call import ask
from ir_core.writers._llm_errors import RequestFailed

if TYPE_CHECKING:
    from ir_core.writers.llm import LlmWriter

DEADLINE_S = 15.0
_MESSAGES = [{"role": "user", "content": "Reply with the word ready."}]


def probe(writer: LlmWriter, *, deadline_s: float = DEADLINE_S, cancel: threading.Event | None = None) -> Call:
    """Asks the writer's model for one word: one request, no retries, nothing kept.

    :returns: the call, with its seconds, first token, tokens and cost.
    :raises WriterTimeout: when there was no turn, or no whole reply, within ``deadline_s`` seconds.
    :raises WriterError: for any other failure, and an empty reply.
    :raises Cancelled: when ``cancel`` is set.
    """
    _litellm.load()
    cancel = cancel or threading.Event()
    try:
        with writer.slots.one(cancel, patience=deadline_s) as queued:
            started = time.perf_counter()
            answer = ask(
                writer.endpoint, _MESSAGES, temperature=0.0, seed=0, seconds=deadline_s, deadline_s=deadline_s,
                cancel=cancel,
            )  # fmt: skip
            seconds = time.perf_counter() - started
    except RequestFailed as failure:
        kind, message = (WriterTimeout if failure.timeout else WriterError), str(failure)
    except TimeoutError:
        kind, message = WriterTimeout, f"no request had its turn within {deadline_s:g} s; try again."
    else:
        if answer.text.strip():
            return Call(
                "probe", writer.name, raw=answer.text, texts=(answer.text.strip(),), tokens_in=answer.tokens_in,
                tokens_out=answer.tokens_out, cost_usd=answer.cost_usd, first_token_s=answer.first_token_s,
                started=started, seconds=seconds, queued=queued,
            )  # fmt: skip
        kind, message = WriterError, "the reply was empty; try again, or choose another model."
    # Outside the handlers, so that no client's exception hangs on to the one that is shown.
    raise kind(f"{writer.name}: {message}")
