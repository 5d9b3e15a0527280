"""What every query transformer is, and what those that ask an LLM share."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from ir_core import prompts
from ir_core.api._formulating import formulated
from ir_core.api._provider import LlmProvider, writer_of
from ir_core.errors import BadInput, BadSetting
from ir_core.schema import Formulation, Turn
from ir_core.transforms import TRANSFORMS

log = logging.getLogger(__name__)


class BaseQueryTransformer(ABC):
    """Subclass it with a ``name`` and a ``transform``, and pass an instance as a QueryTransformer's strategy."""

    @property
    @abstractmethod
    def name(self) -> str: ...

    @abstractmethod
    def transform(self, query: str, conversation_history: Sequence[Turn] | None = None) -> str | list[str]:
        """The text or texts to search with.

        :param conversation_history: OpenAI-style turns ``{"role", "content"}``, oldest first.
        """


class LlmQueryTransformer(BaseQueryTransformer):
    """One of the core's transforms, with a writer of its own.

    :param llm_provider: see :mod:`ir_core.api`; None is the model named in ``QUERY_PRISM_MODEL``.
    :param prompt_key: which prompt of the bank is asked, by its task or one of the transform's aliases.
    :raises BadSetting: when no LLM is configured, or the prompt asks for something else than the class returns.
    :raises UnknownName: for a prompt there is not.
    """

    core: ClassVar[str]
    settings: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, llm_provider: LlmProvider | None, prompt_key: str, temperature: float) -> None:
        self.llm_provider = llm_provider
        self._writer = writer_of(llm_provider)
        self.prompt_key = prompt_key
        self.temperature = temperature
        self._prompt_task = prompt_key if prompt_key in prompts.tasks() else TRANSFORMS.get(prompt_key).name
        wanted, given = prompts.load(self.core).reply, prompts.load(self._prompt_task).reply
        if wanted != given:
            raise BadSetting(
                f"The prompt {prompt_key!r} asks for {given!r}, but {self.name} needs {wanted!r}. Leave it out."
            )

    def formulate(self, query: str, conversation_history: Sequence[Turn] | None = None) -> Formulation:
        """Everything about it: queries, calls with tokens and cost, and ``fallback_reason`` where it failed.

        :raises BadInput: for a history that is no list of turns.
        """
        made = formulated(
            self.core, query, turns_of(conversation_history), self._writer,
            prompt_task=self._prompt_task, temperature=self.temperature, **self.settings,
        )  # fmt: skip
        if made.fallback_reason:
            log.warning("%s returned the original query: %s", self.name, made.fallback_reason)
        return made


def turns_of(history: Sequence[Turn] | None) -> list[Turn]:
    """:raises BadInput: naming the turn that is none."""
    turns: list[Any] = list(history or ()) if isinstance(history, Iterable) else [history] if history else []
    for number, turn in enumerate(turns, start=1):
        said = [turn.get(name) for name in ("role", "content")] if isinstance(turn, Mapping) else [None]
        if not all(isinstance(text, str) for text in said):
            raise BadInput(
                f"Turn {number} of conversation_history is no turn. Give a list of {{role, content}}, both texts, "
                'such as [{"role": "user", "content": "How do I …?"}], or leave it out.'
            )
    return turns


class OneText(LlmQueryTransformer):
    def transform(self, query: str, conversation_history: Sequence[Turn] | None = None) -> str:
        """The text; the query itself when the LLM failed, "" for a blank query."""
        return self.formulate(query, conversation_history).queries[-1].text if query.strip() else ""


class SeveralTexts(LlmQueryTransformer):
    def transform(self, query: str, conversation_history: Sequence[Turn] | None = None) -> list[str]:
        """The texts; the query alone when the LLM failed, nothing for an empty one."""
        if not query.strip():
            return [query] if query else []
        return [one.text for one in self.formulate(query, conversation_history).queries]
