"""What single events say about a step of a run, as names and values for people to read. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence

from aria_desktop.core import events
from aria_desktop.core.chat import ToolChoice
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.run_view import Bar, Choice
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import grouped, tr

_LONGEST_LINE = 90
SURE, CLOSE = 0.9, 0.15
"""From this probability on a choice is called sure; within this distance of the runner-up it is called close."""


def at_prompt(event: events.PromptSent) -> tuple[str, dict[str, str]]:
    """The prompt as text, and what is to be told beside it."""
    parts = [f"[{message.role.value}]\n{message.text}" for message in event.messages]
    if event.unchanging:
        count = figures.counted(event.unchanging, "message", "messages")
        parts.insert(
            0,
            tr("({messages} before this are the same in every prompt: instructions, tools, examples.)", messages=count),
        )
    facts = {tr("Step"): str(event.step)}
    if event.attempt > 1:
        facts[tr("Retry")] = tr("{number} of at most {most}", number=event.attempt - 1, most=event.attempts - 1)
    return "\n\n".join(parts), facts


def at_reply(event: events.ReplyReceived) -> dict[str, str]:
    facts = {
        tr("Prompt"): tr(
            "{count} tokens, {reused} reused", count=grouped(event.prompt_tokens), reused=grouped(event.reused_tokens)
        )
    }
    if event.seconds_to_first:
        facts[tr("First token after")] = f"{event.seconds_to_first:.2f}\N{NO-BREAK SPACE}s"
    facts[tr("Written")] = figures.counted(event.tokens, "token", "tokens")
    writing = event.seconds - event.seconds_to_first
    if event.tokens > 1 and writing > 0:
        facts[tr("Speed")] = tr("{count} tokens/s", count=f"{event.tokens / writing:.0f}")
    return facts


def at_call(event: events.CallEnded) -> dict[str, str]:
    arguments = json.dumps(dict(event.call.arguments), ensure_ascii=False, default=str)
    return {
        tr("Tool"): event.call.tool,
        tr("Arguments"): arguments,
        tr("Outcome"): event.result.outcome.value,
        tr("Result"): event.result.text,
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
        return tr("Nothing else was legal here, so {name} it was.", name=choice.name)
    told = {"percent": percent, "name": choice.name, "next": choice.runner_up, "next_percent": next_percent}
    if choice.probability - choice.runner_up_probability <= CLOSE:
        return tr("It was close: {percent} for {name}, {next_percent} for {next}.", **told)
    if choice.probability >= SURE:
        return tr("The model was sure: {percent} for {name}; the next was {next} with {next_percent}.", **told)
    return tr("The model leaned to it: {percent} for {name}; the next was {next} with {next_percent}.", **told)


def first_line(text: str) -> str:
    line = one_line(text.strip().split("\n", 1)[0])
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
