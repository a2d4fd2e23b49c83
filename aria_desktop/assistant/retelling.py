"""An answer told again for another reader: simpler, or in more depth. Free text, streamed like any answer.

Only what was asked and answered goes to the model, as data; no tool is offered and nothing can be called.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aria_desktop.assistant.said_alone import Alone
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.tools.prompts import PromptFiles, as_data

_PROMPTS = {Alone.SIMPLER: "retell_simpler", Alone.DEEPER: "retell_deeper"}
_WORDS_SHOWN = 600
_ANSWER_SHOWN = 4_000
"""Characters; what is longer was hardly heard to its end."""


@dataclass(frozen=True, slots=True)
class Retelling:
    language: LanguageModel
    prompts: PromptFiles
    max_tokens: int
    temperature: float = 0.0

    def __call__(self, how: Alone, words: str, answer: str, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        """The answer once more, piece by piece, and then the generation's end.

        Raises Cancelled and what the engine raises.

        Args:
            how: SIMPLER or DEEPER.
            words: what was asked.
        """
        asked = self.prompts.filled(
            _PROMPTS[how], words=as_data(words[:_WORDS_SHOWN]), answer=as_data(answer[:_ANSWER_SHOWN])
        )
        messages = (Message(Role.SYSTEM, self.prompts.filled("retell_system")), Message(Role.USER, asked))
        return self.language.complete(Generation(messages, None, self.max_tokens, self.temperature), cancel)
