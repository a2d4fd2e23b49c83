"""A question on the terminal, and its answer: typed here, or given in another front end while it stands here."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable

from aria_desktop.commands.elsewhere import Elsewhere
from aria_desktop.commands.story import question
from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.core.events import TranscriptOffered
from aria_desktop.core.visible import visible_line

_YES = ("y", "yes")
_NO = ("n", "no")


def ask_on_terminal(request: ApprovalRequest, settled: Elsewhere) -> tuple[bool, str] | None:
    """(allowed, "you"); None when it was settled elsewhere.

    Yes only for a whole "y" or "yes"; an empty line, end of input and everything else mean no. What was typed
    before the question stood there answers nothing.
    """
    _forget_what_was_typed()
    print(question(request), file=sys.stderr)
    print(f"{request.allow_label}? [y/N] ", end="", file=sys.stderr, flush=True)
    typed = _line(lambda: settled.outcome(request) is not None, settled)
    if typed is not None:
        return typed.strip().lower() in _YES, "you"
    _forget_what_was_typed()
    print(f"\n{_told(settled.outcome(request))}", file=sys.stderr, flush=True)
    return None


def _told(outcome: str | None) -> str:
    return f"Answered in the window: {outcome}." if outcome else "The question is no longer open."


def correct_on_terminal(offered: TranscriptOffered, settled: Elsewhere) -> str | None:
    """The words as they are to be carried out; empty: drop them. None when it was settled elsewhere.

    An empty line takes them as they are, "n" or "no" drops them, anything else is what was really said. At the end of
    input they are dropped.
    """
    _forget_what_was_typed()
    unsure = f" (not sure: {visible_line(', '.join(offered.unsure))})" if offered.unsure else ""
    print(f'heard: "{visible_line(offered.text)}"{unsure}', file=sys.stderr)
    print("Enter takes it, n drops it, or type what you said: ", end="", file=sys.stderr, flush=True)
    typed = _line(lambda: settled.settled_words(offered.turn_id) is not None, settled)
    if typed is None:
        _forget_what_was_typed()
        print("\nSettled in the window.", file=sys.stderr, flush=True)
        return None
    if not typed.endswith("\n") or typed.strip().lower() in _NO:
        return ""
    return typed.strip() or offered.text


def _line(is_settled: Callable[[], bool], settled: Elsewhere) -> str | None:
    """What was typed up to the line's end, or to the end of input; None when the question was settled first."""
    if sys.platform == "win32":  # its terminals can't be selected on
        return sys.stdin.readline()
    terminal = sys.stdin.fileno()
    typed = b""
    while not is_settled():
        ready, _, _ = select.select([terminal, settled], [], [])
        if terminal in ready:
            piece = os.read(terminal, 1024)
            typed += piece
            if not piece or typed.endswith(b"\n"):
                return typed.decode("utf-8", "replace")
    return None


def _forget_what_was_typed() -> None:
    if sys.platform != "win32":
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
