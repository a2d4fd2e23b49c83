"""Single lines of a turn's story in words: a call and how far it came, who decided, how the turn ended."""

from __future__ import annotations

from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import Mark, Note, Step, Tone
from aria_desktop.gui.state.verbs import call_object, verbs

_REASON_LENGTH = 60
"""Characters of a failure's text that fit the right end of a step."""

MARKS = {
    Outcome.DONE: Mark.DONE,
    Outcome.REFUSED: Mark.REFUSED,
    Outcome.FAILED: Mark.FAILED,
    Outcome.CANCELLED: Mark.STOPPED,
    Outcome.UNKNOWN: Mark.UNKNOWN,
}
"""How the end of a call is marked."""


def decision_step(allowed: bool, by: str, figure: str) -> Step:
    """Who answered the question, and how."""
    if by == "you":
        verb = tr("You allowed this once") if allowed else tr("You said no")
    else:
        verb = tr("Allowed by {name}", name=one_line(by)) if allowed else tr("Refused by {name}", name=one_line(by))
    return Step(Mark.ALLOWED if allowed else Mark.REFUSED, verb, figure=figure)


def ending_note(outcome: TurnOutcome, text: str, hint: str) -> Note | None:
    """None when the answer says it all."""
    match outcome:
        case TurnOutcome.FAILED:
            return Note(Tone.LOSS, text or tr("This did not work."), hint)
        case TurnOutcome.CANCELLED:
            return Note(Tone.QUIET, text or tr("Stopped."), hint)
        case TurnOutcome.NOTHING_HEARD:
            return Note(Tone.DOUBT, text or tr("Nothing was heard."), hint)
        case TurnOutcome.ANSWERED | TurnOutcome.ASKED | TurnOutcome.REFUSED:
            return None


def call_step(call: ToolCall, mark: Mark, figure: str) -> Step:
    """The line of a call, its verb matching how far it came."""
    known, target = verbs(call.tool), call_object(call)
    match mark:
        case Mark.DONE | Mark.ALLOWED:
            return Step(mark, known.done, target, figure)
        case Mark.QUEUED | Mark.ACTIVE:
            return Step(mark, known.running, target, figure)
        case Mark.WAITING:
            return Step(mark, tr("Waiting for your answer"), target, figure)
        case Mark.REFUSED:
            return Step(mark, f"{known.badge}: {tr('refused')}", target, figure)
        case Mark.FAILED:
            return Step(mark, f"{known.badge}: {tr('failed')}", target, figure)
        case Mark.STOPPED:
            return Step(mark, f"{known.badge}: {tr('stopped')}", target, figure)
        case Mark.UNKNOWN:
            return Step(mark, f"{known.badge}: {tr('may or may not have happened')}", target, figure)


def reason(text: str) -> str:
    """The start of what a tool said about its failure, on one line."""
    line = one_line(text.strip().split("\n", 1)[0])
    return line if len(line) <= _REASON_LENGTH else line[: _REASON_LENGTH - 1] + "…"
