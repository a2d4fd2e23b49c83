"""What the desktop is told while nobody looks at the window. Never what was said, read or answered: desktops keep
their notifications, and show them on locked screens. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.core import events
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.gui.state.translation import tr


@dataclass(frozen=True, slots=True)
class Notice:
    title: str
    text: str
    urgent: bool
    """Something waits for the user."""


def notice(event: events.Event) -> Notice | None:
    match event:
        case events.ApprovalRequested(granted=""):
            text = tr("Nothing happens until you answer in the window.")
            return Notice(tr("ARIA asks before it changes something"), text, urgent=True)
        case events.TranscriptOffered():
            return Notice(tr("ARIA asks whether it heard you right"), tr("Nothing is done before you answer."), True)
        case events.TurnEnded(turn_id=turn_id, outcome=outcome) if turn_id:
            return _of_end(outcome)
        case _:
            return None


def _of_end(outcome: TurnOutcome) -> Notice | None:
    match outcome:
        case TurnOutcome.ANSWERED:
            return Notice(tr("ARIA is done"), tr("The answer is in the window."), urgent=False)
        case TurnOutcome.ASKED:
            return Notice(tr("ARIA asks you something"), tr("The question is in the window."), urgent=False)
        case TurnOutcome.FAILED:
            return Notice(tr("ARIA could not finish"), tr("The window says why."), urgent=False)
        case _:
            return None
