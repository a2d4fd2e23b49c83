"""One reply of the model: asked for, streamed where it speaks to the user, and read strictly.

A reply that can't be used goes back to the model with the reason, twice at most. Nothing is carried out here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aria_desktop.assistant.answer_stream import AnswerStream
from aria_desktop.assistant.answers import fault, may_not_stand, tells_something, to_be_kept
from aria_desktop.assistant.claims import SentenceGate
from aria_desktop.assistant.closing import facts
from aria_desktop.assistant.prompt import PromptBuilder, Step
from aria_desktop.assistant.reply import Answer, Call, Calls, Reply, parse
from aria_desktop.assistant.so_far import Events, TurnSoFar
from aria_desktop.assistant.stand_ins import as_shown
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, ToolChoice
from aria_desktop.core.errors import EngineFailed, ReplyInvalid
from aria_desktop.core.events import PromptSent, ReplyReceived, StepStarted
from aria_desktop.core.interfaces import FactStore, Generation, GenerationEnd, LanguageModel
from aria_desktop.tools.memory import remember
from aria_desktop.tools.recalling import matching
from aria_desktop.tools.registry import Registry

RETRIES = 2
"""After a reply that can't be used."""
SPARE_TOKENS = 64
"""Kept free in the context for role marks and for what the estimate gets wrong."""
FACTS_SHOWN = 5
"""Of what is remembered, that the model sees without asking for it."""
CUT_RAW_CHARACTERS = 400
"""Of a reply that could not be used, as it is shown to the model again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A reply that can be used."""

    reply: Reply
    raw: str
    choices: tuple[ToolChoice, ...]
    """One for each call; empty when the engine does not tell."""


@dataclass(frozen=True, slots=True)
class Asker:
    language: LanguageModel
    registry: Registry
    builder: PromptBuilder
    context_tokens: int
    """Prompt and reply together, as long as the engine does not say it itself."""
    reply_tokens: int
    temperature: float
    facts: FactStore
    retries: int = RETRIES
    grammar: bool = True
    """Whether replies are decoded under the schema."""

    def reply(
        self, turn: TurnSoFar, step: int, schema: Mapping[str, object], cancel: CancelToken
    ) -> Events[Asked | None]:
        """The model's next reply; None when it can't be used after all retries."""
        yield StepStarted(turn.id, step)
        failed: list[Step] = []
        for _ in range(1 + self.retries):
            raw, end = yield from self._generated(turn, step, schema, failed, cancel)
            try:
                return Asked(self._understood(turn, raw, end.complete, again=bool(failed)), raw, end.tool_choices)
            except ReplyInvalid as error:
                failed.append(Step(raw[:CUT_RAW_CHARACTERS], self.builder.misunderstood(error.text)))
        return None

    def _understood(self, turn: TurnSoFar, raw: str, complete: bool, *, again: bool) -> Reply:
        if not complete:
            raise ReplyInvalid("It was too long and was cut off. Be much shorter.")
        reply = parse(raw, self.registry)
        if isinstance(reply, Answer) and self.retries and (fact := to_be_kept(reply.text, turn)):
            return Calls((Call(remember.name, {"fact": fact}),), "")
        if isinstance(reply, Answer) and not reply.text and not facts(turn.calls):
            raise ReplyInvalid("The answer is empty.")
        if isinstance(reply, Answer) and (reason := fault(reply.text, turn, again=again)):
            turn.owes_answer = turn.owes_answer or tells_something(reply.text)
            raise ReplyInvalid(reason)
        return reply

    def _generated(
        self, turn: TurnSoFar, step: int, schema: Mapping[str, object], failed: Sequence[Step], cancel: CancelToken
    ) -> Events[tuple[str, GenerationEnd]]:
        """One generation: its whole text, and how it ended."""
        generation = Generation(
            self._messages(turn, failed),
            reply_schema=schema if self.grammar else None,
            max_tokens=self.reply_tokens,
            temperature=self.temperature,
            stable_messages=len(self.builder.stable_messages()),
        )
        sent, unchanging = generation.messages, generation.stable_messages
        yield PromptSent(turn.id, step, len(failed) + 1, 1 + self.retries, sent[unchanging:], unchanging)
        raw, answer = "", AnswerStream()
        gate = SentenceGate(lambda sentence: may_not_stand(sentence, turn, again=bool(failed)))
        for piece in self.language.complete(generation, cancel):
            if isinstance(piece, str):
                raw += piece
                yield from turn.say(gate.feed(answer.feed(piece)))
            else:
                counts = (piece.prompt_tokens, piece.reused_tokens, piece.tokens, piece.seconds)
                yield ReplyReceived(turn.id, step, raw, *counts, piece.tool_choices, piece.seconds_to_first)
                return raw, piece
        raise EngineFailed("The language model stopped without an end.", "Ask again.")

    @property
    def budget(self) -> int:
        """Tokens of a prompt."""
        return (self.language.context_tokens or self.context_tokens) - self.reply_tokens - SPARE_TOKENS

    def _messages(self, turn: TurnSoFar, failed: Sequence[Step]) -> tuple[Message, ...]:
        task = turn.task
        steps = [*turn.steps, *failed]
        facts = [fact.text for fact in matching(task.words, self.facts.facts())[:FACTS_SHOWN]]
        names = as_shown(turn.names.shown)
        return self.builder.messages(task.words, names, task.history, steps, self.budget, task.level, facts)
