"""What the ring, the state line and the Escape key mean right now."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from aria_desktop.core.events import Activity, EngineState
from aria_desktop.gui.state.translation import mark, tr

TAP = 0.3
"""Seconds: a shorter press of the ring holds no word, and says so instead of being sent."""


class Ring(StrEnum):
    READY = "ready"
    LISTENING = "listening"
    """The only state with a filled disc: the microphone is open."""
    THINKING = "thinking"
    WAITING = "waiting"
    SPEAKING = "speaking"
    OFF = "off"


class Press(StrEnum):
    """What a press of the ring does."""

    LISTEN = "listen"
    SEND = "send"
    STOP_TURN = "stop_turn"
    SHOW_QUESTION = "show_question"
    SILENCE = "silence"
    EXPLAIN = "explain"


class Escape(StrEnum):
    """What the Escape key does."""

    SILENCE = "silence"
    DROP_RECORDING = "drop_recording"
    STOP_TURN = "stop_turn"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Cap:
    """A key, drawn as a key."""

    text: str


@dataclass(frozen=True, slots=True)
class Talk:
    ring: Ring
    press: Press
    state: str
    hint: tuple[str | Cap, ...]
    action: str
    """What a press does, in words, for tool tips and screen readers."""


_READY = Talk(
    Ring.READY,
    Press.LISTEN,
    mark("Ready"),
    (mark("Hold"), Cap("Ctrl"), Cap(mark("Space")), mark("and speak")),
    mark("Hold to talk"),
)
_TALK = {
    Ring.LISTENING: Talk(
        Ring.LISTENING,
        Press.SEND,
        mark("Listening"),
        (mark("Let go when done ·"), Cap("Esc"), mark("forgets it")),
        mark("End and send"),
    ),
    Ring.THINKING: Talk(
        Ring.THINKING, Press.STOP_TURN, mark("Thinking"), (Cap("Esc"), mark("stops this turn")), mark("Stop this turn")
    ),
    Ring.WAITING: Talk(
        Ring.WAITING,
        Press.SHOW_QUESTION,
        mark("Waiting for you"),
        (mark("Nothing happens until you answer"),),
        mark("Show the question"),
    ),
    Ring.SPEAKING: Talk(
        Ring.SPEAKING, Press.SILENCE, mark("Speaking"), (Cap("Esc"), mark("silences it")), mark("Silence")
    ),
    Ring.OFF: Talk(Ring.OFF, Press.EXPLAIN, mark("Hearing is off"), (mark("Typing still works"),), mark("Say why")),
    Ring.READY: _READY,
}
_RINGS = {
    Activity.IDLE: Ring.READY,
    Activity.LISTENING: Ring.LISTENING,
    Activity.THINKING: Ring.THINKING,
    Activity.CONFIRMING: Ring.WAITING,
    Activity.SPEAKING: Ring.SPEAKING,
}


def talk(activity: Activity, microphone_open: bool, hearing: EngineState | None) -> Talk:
    """`hearing`: the state of the speech engine; None while nothing is known of it.

    An open microphone is shown as such whatever else goes on, and never without being open.
    """
    if microphone_open:
        return _told(_TALK[Ring.LISTENING])
    if activity is Activity.LISTENING:
        return _told(_READY)
    if activity is Activity.IDLE and hearing is EngineState.FAILED:
        return _told(_TALK[Ring.OFF])
    return _told(_TALK[_RINGS[activity]])


def _told(state: Talk) -> Talk:
    """In the language of the window."""
    hint = tuple(Cap(tr(part.text)) if isinstance(part, Cap) else tr(part) for part in state.hint)
    return replace(state, state=tr(state.state), hint=hint, action=tr(state.action))


def escape(activity: Activity, microphone_open: bool) -> Escape:
    """Silence first, then the recording, then the turn."""
    if activity is Activity.SPEAKING:
        return Escape.SILENCE
    if microphone_open:
        return Escape.DROP_RECORDING
    if activity in (Activity.THINKING, Activity.CONFIRMING):
        return Escape.STOP_TURN
    return Escape.NOTHING
