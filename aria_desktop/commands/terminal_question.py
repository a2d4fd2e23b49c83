"""A question on the terminal, and its answer: typed here, or given in another front end while it stands here."""

from __future__ import annotations

import os
import select
import sys

from aria_desktop.commands.elsewhere import Elsewhere
from aria_desktop.commands.story import question
from aria_desktop.core.approval import ApprovalRequest

_YES = ("y", "yes")


def ask_on_terminal(request: ApprovalRequest, settled: Elsewhere) -> tuple[bool, str] | None:
    """(allowed, "you"); None when it was settled elsewhere.

    Yes only for a whole "y" or "yes"; an empty line, end of input and everything else mean no. What was typed
    before the question stood there answers nothing.
    """
    _forget_what_was_typed()
    print(question(request), file=sys.stderr)
    print(f"{request.allow_label}? [y/N] ", end="", file=sys.stderr, flush=True)
    typed = _line(request, settled)
    if typed is not None:
        return typed.strip().lower() in _YES, "you"
    _forget_what_was_typed()
    print(f"\n{_told(settled.outcome(request))}", file=sys.stderr, flush=True)
    return None


def _told(outcome: str | None) -> str:
    return f"Answered in the window: {outcome}." if outcome else "The question is no longer open."


def _line(request: ApprovalRequest, settled: Elsewhere) -> str | None:
    """What was typed up to the line's end, or to the end of input; None when the question was settled first."""
    if sys.platform == "win32":  # its terminals can't be selected on
        return sys.stdin.readline()
    terminal = sys.stdin.fileno()
    typed = b""
    while settled.outcome(request) is None:
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
