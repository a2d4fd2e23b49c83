"""What the model is shown: first what never changes, then what was said before, then this turn.

The order is what makes a turn quick: an engine evaluates only what differs from the prompt before, so system text,
tools and examples come first and are the same to the last character for as long as the program runs. All
text that the user did not say (file names, contents, results) is marked as data. What is shown is bounded: if
it does not fit, the oldest turns go first, then earlier results of this turn, never the system part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.heard_part import as_heard
from aria_desktop.assistant.reply import Calls, Reply, parse, written
from aria_desktop.core.chat import Message, Outcome, Role
from aria_desktop.core.errors import AriaError, ModelFault
from aria_desktop.core.records import TurnRecord
from aria_desktop.tools.prompts import PromptFiles, as_data
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import Tool

TURNS_SHOWN = 6
WORDS_SHOWN = 2_000
"""Characters of what the user says; more is no spoken command."""
EARLIER_CHARACTERS = 600
"""Of each side of an earlier turn."""
CUT_RESULT_CHARACTERS = 300
"""What is left of an earlier result of this turn when room is short."""

STABLE_SHARE = 0.6
"""Of the room for prompts, that system text and examples may take."""
_STABLE_BYTES_PER_TOKEN = 3.3
"""Of our own text: 3.5 in Qwen's vocabulary, as measured."""
_RESULT_SHARE = 0.7
"""Of the room beside the fixed part, that one result may take."""
_LEAST_RESULT_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Step:
    """A reply of this turn and what came of it."""

    raw: str
    """The reply as the model writes it, so that its tokens need not be evaluated again; empty when there is none."""
    feedback: str
    """What the model is told about it."""


def estimated_tokens(text: str, bytes_per_token: float = 3.0) -> int:
    """On the safe side for English, code and most European languages; 4 for the role marks."""
    return round(len(text.encode("utf-8", "replace")) / bytes_per_token) + 4


class PromptBuilder:
    """Built once; then values in, messages out."""

    def __init__(
        self,
        prompts: PromptFiles,
        examples: Sequence[Mapping[str, Any]],
        registry: Registry,
        stable_tokens: int,
        without: frozenset[Ablation] = frozenset(),
    ) -> None:
        """`stable_tokens`: room for the part that never changes. The last examples are left out where it is small."""
        self._prompts = prompts
        cards = "\n".join(_card(tool) for tool in registry)
        rules = [] if Ablation.RULES in without else [prompts.filled("rules")]
        system = "\n\n".join([prompts.filled("system", tools=cards), *rules])
        shown = [list(self._shown(e, registry)) for e in examples if Ablation.EXAMPLES not in without]
        first = Message(Role.SYSTEM, system)
        self._stable = (first, *_as_many_as_fit(shown, stable_tokens - _stable_tokens([first])))
        self._stable_tokens = _stable_tokens(self._stable)

    def stable_messages(self) -> tuple[Message, ...]:
        """What every prompt begins with."""
        return self._stable

    def result_characters(self, budget: int) -> int:
        """How long one result may be, so that it fits beside what the user says into `budget` tokens."""
        return max(_LEAST_RESULT_CHARACTERS, round((budget - self._stable_tokens) * _RESULT_SHARE * 3))

    def messages(
        self,
        words: str,
        names: Sequence[str],
        history: Sequence[TurnRecord],
        steps: Sequence[Step],
        budget: int,
        level: str = "",
        facts: Sequence[str] = (),
    ) -> tuple[Message, ...]:
        """The whole prompt, in at most `budget` tokens as far as that can be estimated.

        Args:
            facts: what the user told to remember and these words may be about.
            level: whom answers are written for; one without a text of its own changes nothing.
        """
        told = [turn for turn in history if turn.answer][-TURNS_SHOWN:]
        for earlier, step_cut in _ever_shorter(len(told), len(steps)):
            shown = [(turn.words, as_heard(turn)) for turn in told[len(told) - earlier :]]
            fresh = (self._asked(words, names, shown, level, facts), *_steps(steps, step_cut))
            if self._stable_tokens + sum(estimated_tokens(message.text) for message in fresh) <= budget:
                break
        return (*self._stable, *fresh)

    def result(self, tool: str, outcome: Outcome, text: str) -> str:
        """How a call's end is told to the model."""
        return self._prompts.filled("result", tool=tool, outcome=outcome.value, text=as_data(text))

    def results(self, ended: Sequence[str], then: str) -> str:
        """How the ends of all calls of a reply, from `result`, are told together."""
        left = [self._prompts.filled("left_to_do", then=then)] if then else []
        return "\n".join([*ended, *left])

    def misunderstood(self, reason: str) -> str:
        return self._prompts.filled("misunderstood", reason=reason)

    def no_more_tools(self) -> str:
        return self._prompts.filled("no_more_tools")

    def _asked(
        self,
        words: str,
        names: Sequence[str],
        earlier: Sequence[Sequence[str]],
        level: str = "",
        facts: Sequence[str] = (),
    ) -> Message:
        """`earlier`: pairs of what the user said and what was answered."""
        text = self._prompts.filled("turn_files", files=as_data(", ".join(names)) if names else "none")
        if facts:
            text += "\n" + self._prompts.filled("turn_facts", facts=as_data("\n".join(facts)))
        if earlier:
            told = "\n".join(
                f"User: {said[:EARLIER_CHARACTERS]}\nYou: {answer[:EARLIER_CHARACTERS]}" for said, answer in earlier
            )
            text += "\n" + self._prompts.filled("turn_earlier", earlier=as_data(told))
        if reader := self._prompts.texts.get(f"level_{level}"):
            text += "\n" + reader
        return Message(Role.USER, text + "\n" + self._prompts.filled("turn_words", words=words[:WORDS_SHOWN]))

    def _shown(self, example: Mapping[str, Any], registry: Registry) -> Iterator[Message]:
        yield self._asked(example["say"], example["files"], example.get("earlier", ()))
        results = iter(example["results"])
        for reply in example["replies"]:
            raw = written(reply)
            yield Message(Role.ASSISTANT, raw)
            match _legal(raw, registry):
                case Calls(calls, then):
                    told = [self.result(c.tool, Outcome.DONE, r) for c, r in zip(calls, results, strict=False)]
                    if told:
                        yield Message(Role.TOOL, self.results(told, then))


def _stable_tokens(messages: Iterable[Message]) -> int:
    return sum(estimated_tokens(message.text, _STABLE_BYTES_PER_TOKEN) for message in messages)


def _as_many_as_fit(examples: Sequence[Sequence[Message]], tokens: int) -> Iterator[Message]:
    for example in examples:
        tokens -= _stable_tokens(example)
        if tokens < 0:
            return
        yield from example


def _legal(raw: str, registry: Registry) -> Reply:
    """Raises AriaError for an example that would teach an illegal reply."""
    try:
        return parse(raw, registry)
    except ModelFault as error:
        raise AriaError(f"The prompts hold an example that is no legal reply: {error}", raw) from error


def read_examples(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """examples.json of `folder`: a list of {"files", "say", "replies", "results"}; "earlier" holds pairs of what was
    said and answered before."""
    try:
        found = json.loads((folder / "examples.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise AriaError(f"The examples in {folder} can't be read: {error}.", "Install ARIA again.") from error
    return tuple(found)


def _card(tool: Tool) -> str:
    arguments = ", ".join(p.name if p.required else f"{p.name}?" for p in tool.parameters)
    described = " ".join(f"{p.name}: {p.text}" for p in tool.parameters)
    return f"- {tool.name}({arguments}): {tool.text} {described}"


def _steps(steps: Sequence[Step], cut: int) -> Iterator[Message]:
    """The first `cut` results are shortened."""
    for index, step in enumerate(steps):
        if step.raw:
            yield Message(Role.ASSISTANT, step.raw)
        short = index < cut and len(step.feedback) > CUT_RESULT_CHARACTERS
        yield Message(Role.TOOL, step.feedback[:CUT_RESULT_CHARACTERS] + "…" if short else step.feedback)


def _ever_shorter(turns: int, steps: int) -> Iterator[tuple[int, int]]:
    """(earlier turns shown, results cut), from everything to as little as makes sense."""
    for earlier in range(turns, -1, -1):
        yield earlier, 0
    for cut in range(1, steps + 1):
        yield 0, cut
