"""Which calls of a reply go on to a decision, and which are held back and why. Pure.

The model chooses the tools. Code only holds back what can't be meant: changes beside a question, and what was
done before with the same result. Policy and the user decide about all the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aria_desktop.assistant.reply import Call, Calls
from aria_desktop.assistant.so_far import TurnSoFar
from aria_desktop.tools.conversation import ask_user

BESIDE_A_QUESTION = "The same reply asks the user a question, so it changes nothing."
DONE_BEFORE = "It was called with the same arguments before, and nothing has changed since."


@dataclass(frozen=True, slots=True)
class Withheld:
    call: Call
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    calls: tuple[Call, ...]
    """To be carried out, in this order."""
    withheld: tuple[Withheld, ...]


def plan(reply: Calls, turn: TurnSoFar) -> Plan:
    kept, withheld = list(reply.calls), list[Withheld]()
    questions = [call for call in kept if call.tool == ask_user.name]
    if questions:
        withheld += [Withheld(call, BESIDE_A_QUESTION) for call in kept if call is not questions[0]]
        kept = questions[:1]
    repeated = list(_repeated(kept, turn))
    withheld += [Withheld(call, DONE_BEFORE) for call in repeated]
    return Plan(tuple(call for call in kept if not any(call is again for again in repeated)), tuple(withheld))


def _repeated(calls: list[Call], turn: TurnSoFar) -> Iterator[Call]:
    for index, call in enumerate(calls):
        if call in calls[:index] or turn.repeats(call):
            yield call
