"""What a request will take, told before it is sent: characters are counted, a reply has its usual length."""

from __future__ import annotations

from types import SimpleNamespace

from ir_core.prompts import MAX_PASSAGE_CHARS, MAX_PASSAGES
from ir_core.schema import Foreseen
from ir_core.writers import _litellm
from ir_core.writers._llm_call import Endpoint
from ir_core.writers._llm_job import Job
from ir_core.writers._llm_prices import cost_of

PASSAGE_TOKENS = 150
"""About 100 words are asked for."""
QUERY_TOKENS = 20
READ_TOKENS = MAX_PASSAGES * MAX_PASSAGE_CHARS // 4
"""Of the passages that a task reads, which are not found yet."""
ENVELOPE_TOKENS = 12
"""What a provider adds around two messages."""


def foreseen(job: Job, endpoint: Endpoint) -> Foreseen:
    """The cost is None until litellm is there with its table, unless the user set a price: to import it takes
    seconds."""
    passage, n, calls = job.prompt.reply == "passage", job.task.n, calls_of(job)
    read = READ_TOKENS if "hits" in job.prompt.placeholders and not job.task.hits else 0
    tokens_in = calls * (ENVELOPE_TOKENS + read + sum(tokens_of(message["content"]) for message in job.messages))
    tokens_out = calls * PASSAGE_TOKENS if passage else QUERY_TOKENS * (n if job.prompt.reply == "queries" else 1)
    counted = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    litellm, cost = _litellm.loaded(), None
    if endpoint.price is not None:
        cost = cost_of(None, endpoint.model, SimpleNamespace(**counted), endpoint.price)
    elif litellm is not None:
        usage = litellm.Usage(**counted, total_tokens=tokens_in + tokens_out)
        cost = cost_of(litellm, endpoint.model, usage)
    return Foreseen(calls, tokens_in, tokens_out, cost)


def calls_of(job: Job) -> int:
    """Several passages are as many requests; all else is one."""
    return job.task.n if job.prompt.reply == "passage" else 1


def tokens_of(text: str) -> int:
    """Roughly: four characters of English are a token, two of Arabic or Chinese."""
    plain = sum(char.isascii() for char in text)
    return plain // 4 + (len(text) - plain) // 2
