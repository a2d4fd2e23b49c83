"""The talk key and hands-free listening, as parts of the session's state: for its thread only.

Hands-free, the microphone opens whenever nothing else goes on: ARIA does not listen to itself.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.talk_key import TalkKey, TalkMode
from aria_desktop.core import requests
from aria_desktop.core.events import TalkAct
from aria_desktop.core.requests import ListenMode, MoveTalkKey, Request


class Talking:
    def __init__(self, preferences: Callable[[], Preferences], carry_out: Callable[[Request], None]) -> None:
        """`carry_out`: what a move comes to, as if a front end had asked for it."""
        self._preferences = preferences
        self._key = TalkKey(preferences().talk_mode)
        self._carry_out = carry_out
        self.hands_free = False

    def move(self, request: MoveTalkKey, *, listening: bool) -> TalkAct:
        self._go_by_the_mode()
        act = self._key.act(request.move, request.held_s, open_=listening, hands_free=self.hands_free)
        self.hands_free = (self.hands_free or act is TalkAct.HANDS_FREE) and act is not TalkAct.HANDS_OFF
        match act:
            case TalkAct.LISTEN:
                self._listen(request.request_id, ListenMode.HOLD)
            case TalkAct.SEND:
                self._carry_out(requests.StopListening())
            case TalkAct.DROP | TalkAct.HANDS_OFF:
                self._carry_out(requests.DropRecording())
            case TalkAct.STOP_TURN:
                self._carry_out(requests.CancelTurn())
            case TalkAct.HANDS_FREE | TalkAct.NOTHING:
                pass
        return act

    def nothing_goes_on(self) -> None:
        """The microphone is closed, no turn runs or waits, and nothing is said."""
        self._go_by_the_mode()
        if self.hands_free:
            self._listen(f"hands-free-{uuid.uuid4().hex[:8]}", ListenMode.HANDS_FREE)

    def _go_by_the_mode(self) -> None:
        """Whoever chooses another one has ended hands-free listening."""
        self._key.mode = self._preferences().talk_mode
        self.hands_free = self.hands_free and self._key.mode is TalkMode.HANDS_FREE

    def _listen(self, request_id: str, mode: ListenMode) -> None:
        self._carry_out(requests.StartListening(request_id, mode, speak=self._preferences().speak))
