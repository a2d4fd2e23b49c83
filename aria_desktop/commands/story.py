"""A turn's events as lines for a terminal, and its questions in full."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.visible import spelled_out, visible, visible_line

_MARKS = {
    Outcome.DONE: "done",
    Outcome.REFUSED: "refused",
    Outcome.FAILED: "failed",
    Outcome.CANCELLED: "cancelled",
    Outcome.UNKNOWN: "may or may not have happened",
}


def question(request: ApprovalRequest) -> str:
    """All that is asked, as plain text: nothing is cut and nothing hides itself."""
    lines = [_line(request.question), f"  tool: {request.tool}", f"  you said: {_line(request.words)}"]
    lines += [f"  {label}: {_line(text)}" for label, text in told_beside(request)]
    lines += [f"  {_line(label)}: {_indented(value)}" for label, value in request.facts]
    if request.path:
        lines.append(f"  file: {_line(request.path)}")
    if request.before is not None:
        lines.append(f"  now:\n{_block(request.before)}")
    if request.after is not None:
        lines.append(f"  {_label_of_text(request)}:\n{_block(request.after)}")
    lines.append(f"  risk: {request.risk.level} - {_line(request.risk.text)}")
    return "\n".join(lines)


def told_beside(request: ApprovalRequest) -> list[tuple[str, str]]:
    """How well the words were heard, and whose text may be behind the wish, as (label, text)."""
    told = []
    if request.heard is not None:
        unsure = f"; not sure: {', '.join(request.heard.unsure)}" if request.heard.unsure else ""
        told.append(("heard with", f"{request.heard.confidence:.0%}{unsure}"))
    if request.untrusted:
        told.append(("may come from", ", ".join(request.untrusted)))
    return told


def _label_of_text(request: ApprovalRequest) -> str:
    if not request.path:
        return "word for word"
    return "content" if request.before is None else "then"


def _line(text: str) -> str:
    return spelled_out(visible_line(text))


def file_lines(path: Path) -> str:
    """A file's text as the block of a report; a file that is no text is only described."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"    can't be read: {error.strerror}"
    try:
        return _block(content.decode("utf-8").removesuffix("\n"))
    except UnicodeDecodeError:
        return f"    {len(content)} bytes, not text"


def _indented(value: str) -> str:
    shown = spelled_out(value)
    return shown if "\n" not in shown else "\n" + _block(value)


def _block(text: str) -> str:
    return "\n".join(f"    | {line}" for line in spelled_out(text).split("\n"))


class Story:
    """Prints what happens as it happens. Streams pieces of answers and drafts without waiting for lines' ends."""

    def __init__(self, out: TextIO | None = None, *, questions: bool = True) -> None:
        """`questions`: print the approval requests too (off when another part prints them to ask)."""
        self._out = out or sys.stdout
        self._questions = questions
        self._streaming = False
        self._answered = False
        self._unspoken = ""

    def show(self, event: events.Event) -> None:
        """Print an event; those without a line of their own are passed over."""
        match event:
            case events.EngineChanged(state=events.EngineState.READY):
                self._line(f"{event.role}: {event.model} ready, {event.detail}")
            case events.EngineChanged(state=events.EngineState.FAILED | events.EngineState.RESTARTING):
                self._line(f"{event.role}: {event.state}, {event.detail}")
            case events.ListeningStarted():
                self._line(f"listening on {event.device}")
            case events.Heard():
                self._line(f'heard: "{visible_line(event.text)}"')
            case events.AnswerPiece() | events.DraftPiece():
                self._stream(visible(event.text), is_answer=isinstance(event, events.AnswerPiece))
            case events.CallProposed():
                arguments = ", ".join(f"{name}={value!r}" for name, value in event.call.arguments.items())
                self._line(f"call: {event.call.tool}({visible_line(arguments)})")
            case events.ApprovalRequested() if self._questions:
                self._line(f"question: {question(event.request)}")
            case events.ApprovalDecided():
                self._line(f"answer: {'yes' if event.decision.allowed else 'no'}, by {event.decision.by}")
            case events.CallProgress():
                self._line(f"  {visible_line(event.text)}")
            case events.CallEnded():
                self._line(f"{event.call.tool}: {_MARKS[event.result.outcome]}. {visible_line(event.result.text)}")
            case events.AnswerGiven():
                self._answer(event.text)
            case events.AnswerUnspoken():
                self._unspoken = event.text
            case events.Problem():
                self._line(f"problem: {event.text} {event.hint}".rstrip())
            case events.TurnEnded():
                self._end(event)
            case _:
                pass

    def _answer(self, text: str) -> None:
        if self._answered:
            self._line("")
        else:
            self._line(f"ARIA: {visible(text)}")

    def _end(self, event: events.TurnEnded) -> None:
        self._close_stream()
        if self._unspoken:
            self._line(f"  {self._unspoken}")
        if event.outcome is TurnOutcome.FAILED:
            self._line(f"failed: {event.text}")
        elif event.outcome is TurnOutcome.NOTHING_HEARD:
            self._line(f"heard nothing: {event.text}")
        elif event.outcome is TurnOutcome.CANCELLED:
            self._line("stopped")
        if event.hint:
            self._line(f"  {event.hint}")

    def _stream(self, text: str, *, is_answer: bool) -> None:
        if not self._streaming:
            self._out.write("ARIA: " if is_answer else "draft:\n")
        self._streaming = True
        self._answered = self._answered or is_answer
        self._out.write(text)
        self._out.flush()

    def _close_stream(self) -> None:
        if self._streaming:
            self._out.write("\n")
        self._streaming = False

    def _line(self, text: str) -> None:
        self._close_stream()
        if text:
            # Errors name what they are about, which may have any name; what is spelled out already stays as it is.
            self._out.write(visible(text) + "\n")
            self._out.flush()


def times(ended: events.TurnEnded) -> str:
    """The turn's times on one line, in the order in which they passed."""
    order = ("listen", "recognise", "think", "approve", "act", "speak", "first_audio", "total")
    return ", ".join(f"{name} {ended.timings[name]:.2f} s" for name in order if name in ended.timings)
