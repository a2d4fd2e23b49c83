"""What the small overlay says while another window is in front: the state, the words, and what Escape does. Pure.

It comes up when the microphone opens, when ARIA speaks and when a question waits, and then stays until nothing goes
on any more. Thinking alone does not bring it up: a typed command needs no overlay. Nothing can be allowed in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.core import events
from aria_desktop.core.events import Activity
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.talk import Ring, talk
from aria_desktop.gui.state.translation import mark, tr

LONGEST = 96
"""Characters: about two lines."""
_COMES_UP = frozenset({Activity.SPEAKING, Activity.CONFIRMING})
_ESCAPE = {Ring.LISTENING: mark("forgets it"), Ring.THINKING: mark("stops"), Ring.SPEAKING: mark("quiet")}


@dataclass(frozen=True, slots=True)
class Overlay:
    ring: Ring
    state: str
    clock: str
    """How long the microphone is open; empty otherwise."""
    words: str
    note: str
    """Below the words; empty when they may have two lines."""
    escape: str
    """What Escape does; empty when it does nothing here."""
    question: bool
    """It waits for an answer, which is given in the window."""


class OverlayBoard:
    def __init__(self) -> None:
        self._activity = Activity.IDLE
        self._opened_at: float | None = None
        self._up = False
        self._words = ""
        self._question = ""

    @property
    def up(self) -> bool:
        """Whether something goes on that the overlay is for."""
        return self._up

    def apply(self, event: events.Event, now: float) -> bool:
        """True when something else is to be shown. `now`: seconds of a clock that never goes back."""
        match event:
            case events.ActivityChanged(activity=activity):
                self._activity = activity
                self._up = self._opened_at is not None or (
                    activity is not Activity.IDLE and (self._up or activity in _COMES_UP)
                )
            case events.ListeningStarted():
                self._opened_at, self._up, self._words = now, True, ""
            case events.ListeningEnded(reason=reason):
                self._opened_at = None
                if reason == "dropped" or self._activity is Activity.IDLE:
                    self._up = False
            case events.WordsSoFar(text=text) if self._opened_at is not None:
                self._words = text
            case events.Heard(text=text) | events.AnswerGiven(text=text):
                self._words = text
            case events.TurnStarted(words=words) if words:
                self._words = words
            case events.ApprovalRequested(granted="", request=request):
                self._question = request.question
            case events.TranscriptOffered(text=text):
                self._question = text
            case _:
                return False
        return True

    def shown(self, now: float) -> Overlay:
        state = talk(self._activity, self._opened_at is not None, None)
        listening, waiting = state.ring is Ring.LISTENING, state.ring is Ring.WAITING
        return Overlay(
            ring=state.ring,
            state=state.state,
            clock=figures.position(now - self._opened_at) if self._opened_at is not None else "",
            words=clipped(one_line(self._question if waiting else self._words), from_end=listening),
            note=tr("Nothing happens until you answer there.") if waiting else "",
            escape=tr(_ESCAPE[state.ring]) if state.ring in _ESCAPE else "",
            question=waiting,
        )


def clipped(text: str, *, from_end: bool) -> str:
    """What is being said grows at its end, so that end is kept; of other texts the beginning is."""
    if len(text) <= LONGEST:
        return text
    if from_end:
        return "…" + text[-LONGEST:].partition(" ")[2]
    return text[:LONGEST].rpartition(" ")[0] + "…"
