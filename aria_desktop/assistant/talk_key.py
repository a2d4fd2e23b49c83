"""What a move of the talk key means. Pure but for the press that is under way: no clock, no device.

A press that sent what was said is over with it: its release means nothing, however long the key stayed down.
"""

from __future__ import annotations

from enum import StrEnum

from aria_desktop.core.events import TalkAct
from aria_desktop.core.requests import KeyMove

TAP_S = 0.3
"""A shorter press is a tap. Nobody holds a key for a word in less."""


class TalkMode(StrEnum):
    """The values are those of the setting `talk_key.mode`."""

    AUTO = "auto"
    HOLD = "hold"
    TOGGLE = "toggle"
    HANDS_FREE = "hands_free"


class TalkKey:
    """For one thread."""

    def __init__(self, mode: TalkMode) -> None:
        self.mode = mode
        """May change between two presses."""
        self._opened = False
        """The press under way opened the microphone."""

    def act(self, move: KeyMove, held_s: float, *, open_: bool, hands_free: bool) -> TalkAct:
        """
        Args:
            held_s: of a release, how long the key was down.
            open_: whether the microphone is open.
            hands_free: whether it opens by itself.
        """
        match move:
            case KeyMove.PRESS:
                return self._press(open_, hands_free)
            case KeyMove.RELEASE:
                return self._release(open_, held_s)
            case KeyMove.TOGGLE if self.mode is TalkMode.HANDS_FREE:
                return TalkAct.HANDS_OFF if hands_free else TalkAct.HANDS_FREE
            case KeyMove.TOGGLE:
                return TalkAct.SEND if open_ else TalkAct.LISTEN
            case KeyMove.START:
                return TalkAct.NOTHING if open_ else TalkAct.LISTEN
            case KeyMove.STOP:
                return TalkAct.SEND if open_ else TalkAct.NOTHING
            case KeyMove.CANCEL:
                return self._cancel(open_, hands_free)

    def _press(self, open_: bool, hands_free: bool) -> TalkAct:
        if self.mode is TalkMode.HANDS_FREE:
            return TalkAct.HANDS_OFF if hands_free else TalkAct.HANDS_FREE
        self._opened = not open_
        if not open_:
            return TalkAct.LISTEN
        return TalkAct.NOTHING if self.mode is TalkMode.HOLD else TalkAct.SEND

    def _release(self, open_: bool, held_s: float) -> TalkAct:
        opened, self._opened = self._opened, False
        if not (opened and open_) or self.mode is TalkMode.TOGGLE:
            return TalkAct.NOTHING
        if held_s >= TAP_S:
            return TalkAct.SEND
        return TalkAct.DROP if self.mode is TalkMode.HOLD else TalkAct.NOTHING

    def _cancel(self, open_: bool, hands_free: bool) -> TalkAct:
        self._opened = False
        if hands_free:
            return TalkAct.HANDS_OFF
        return TalkAct.DROP if open_ else TalkAct.STOP_TURN
