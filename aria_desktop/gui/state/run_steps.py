"""What single events say about a step of a run, as names and values for people to read. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aria_desktop.core import events
from aria_desktop.core.chat import ToolChoice
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.run_view import Bar, Choice
from aria_desktop.gui.state.shown import one_line

_LONGEST_LINE = 90
SURE, CLOSE = 0.9, 0.15
"""From this probability on a choice is called sure; within this distance of the runner-up it is called close."""


def at_prompt(event: events.PromptSent) -> tuple[str, dict[str, str]]:
    """The prompt as text, and what is to be told beside it."""
    parts = [f"[{message.role.value}]\n{message.text}" for message in event.messages]
    if event.unchanging:
        count = figures.counted(event.unchanging, "message", "messages")
        parts.insert(0, f"({count} before this are the same in every prompt: instructions, tools, examples.)")
    facts = {"Step": str(event.step)}
    if event.attempt > 1:
        facts["Retry"] = f"{event.attempt - 1} of at most {event.attempts - 1}"
    return "\n\n".join(parts), facts


def at_reply(event: events.ReplyReceived) -> dict[str, str]:
    facts = {"Prompt": f"{event.prompt_tokens:,} tokens, {event.reused_tokens:,} reused"}
    if event.seconds_to_first:
        facts["First token after"] = f"{event.seconds_to_first:.2f}\N{NO-BREAK SPACE}s"
    facts["Written"] = figures.counted(event.tokens, "token", "tokens")
    writing = event.seconds - event.seconds_to_first
    if event.tokens > 1 and writing > 0:
        facts["Speed"] = f"{event.tokens / writing:.0f} tokens/s"
    return facts


def at_call(event: events.CallEnded) -> dict[str, str]:
    arguments = json.dumps(dict(event.call.arguments), ensure_ascii=False, default=str)
    return {
        "Tool": event.call.tool,
        "Arguments": arguments,
        "Outcome": event.result.outcome.value,
        "Result": event.result.text,
    }


def choices_of(choices: Sequence[ToolChoice]) -> tuple[Choice, ...]:
    return tuple(_choice(choice) for choice in choices)


def _choice(choice: ToolChoice) -> Choice:
    runner_up = Bar(choice.runner_up, choice.runner_up_probability) if choice.runner_up else None
    return Choice(Bar(choice.name, choice.probability), runner_up, _why(choice))


def _why(choice: ToolChoice) -> str:
    """The model is never asked for reasons, which it would make up: this says how clearly it chose."""
    percent, next_percent = f"{choice.probability:.0%}", f"{choice.runner_up_probability:.0%}"
    if not choice.runner_up:
        return f"Nothing else was legal here, so {choice.name} it was."
    if choice.probability - choice.runner_up_probability <= CLOSE:
        return f"It was close: {percent} for {choice.name}, {next_percent} for {choice.runner_up}."
    sure = "The model was sure" if choice.probability >= SURE else "The model leaned to it"
    return f"{sure}: {percent} for {choice.name}; the next was {choice.runner_up} with {next_percent}."


def first_line(text: str) -> str:
    line = one_line(text.strip().split("\n", 1)[0])
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
