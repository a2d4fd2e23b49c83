"""A recording that waits for the first word, on a real sound system: its microphone is pulled and put back."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from typing import TypeVar

from aria_desktop.app_audio import strict_detector
from aria_desktop.assistant.listener import Listener, Recording, Stop
from aria_desktop.assistant.segmenter import Rules
from aria_desktop.audio.microphone import Microphone
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.events import Event, LevelMeasured, ListeningDoubted, ListeningStarted
from tests.ears.virtual_sound import VirtualSound

WAIT_S = 20
Kind = TypeVar("Kind", bound=Event)


class Told:
    def __init__(self) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.put = self._events.put

    def wait_for(self, kind: type[Kind]) -> Kind:
        """The next event of that kind."""
        until = time.monotonic() + WAIT_S
        while not isinstance(event := self._events.get(timeout=max(0.0, until - time.monotonic())), kind):
            pass
        return event


def test_it_goes_on_by_itself_when_the_microphone_is_back(
    sound: VirtualSound, clip: Callable[[str], AudioChunk]
) -> None:
    told, done = Told(), queue.SimpleQueue[Recording]()
    rules = Rules(silence_s=0.8, cap_s=20, waits=True)
    listener = Listener(Microphone, strict_detector, rules, told.put, done.put)
    listener.start()
    told.wait_for(ListeningStarted)
    told.wait_for(LevelMeasured)
    sound.unplug_microphone()
    pulled = time.monotonic()
    assert told.wait_for(ListeningDoubted).reason
    assert time.monotonic() - pulled < 10
    sound.plug_microphone()
    told.wait_for(ListeningStarted)
    told.wait_for(LevelMeasured)
    said = clip("read/command_living_room_lamp_en.flac")
    sound.speak(said)
    recording = done.get(timeout=WAIT_S)
    listener.join()
    assert recording.stop is Stop.SILENCE
    assert recording.audio is not None
    assert 0.8 < recording.audio.seconds < said.seconds + 1.0
