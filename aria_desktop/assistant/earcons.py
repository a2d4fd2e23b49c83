"""Short sounds that tell what the microphone does, for eyes that look elsewhere.

Whoever wants to hear them subscribes `Earcons` to the session. A loudspeaker that fails costs the sound and nothing
else. The sound of a microphone that opens comes back through it, and a cheap detector takes any sound after silence
for speech: it is only for those who wear headphones and asked for it.
"""

from __future__ import annotations

import array
import logging
import math
import sys
import threading
from collections.abc import Callable, Sequence
from enum import Enum
from queue import SimpleQueue

from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import Event, ListeningEnded, ListeningStarted, TurnEnded
from aria_desktop.core.interfaces import Assistant, AudioSink

log = logging.getLogger(__name__)

FORMAT = AudioFormat(22_050)
NOTE_S = 0.05
EDGE_S = 0.015
"""Each note swells and fades for so long: no clicks."""
PEAK = 0.08
"""Of full scale."""

_TAKEN = ("released", "silence", "limit")
"""Reasons for the end of a recording that is used."""


class Earcon(Enum):
    """The notes, in hertz."""

    LISTENING = (659.3, 880.0)
    TAKEN = (880.0, 659.3)
    NOTHING = (330.0, 330.0)


def earcon_for(event: Event) -> Earcon | None:
    """Pure."""
    match event:
        case ListeningStarted():
            return Earcon.LISTENING
        case ListeningEnded(reason=reason) if reason in _TAKEN:
            return Earcon.TAKEN
        case TurnEnded(outcome=TurnOutcome.NOTHING_HEARD):
            return Earcon.NOTHING
        case _:
            return None


def sound_of(earcon: Earcon) -> AudioChunk:
    """Pure."""
    samples = array.array("h")
    for note in earcon.value:
        samples.extend(_note(note))
    if sys.byteorder == "big":
        samples.byteswap()
    return AudioChunk(FORMAT, samples.tobytes())


def _note(hertz: float) -> Sequence[int]:
    frames, edge = FORMAT.frames_in(NOTE_S), FORMAT.frames_in(EDGE_S)
    step = 2 * math.pi * hertz / FORMAT.rate
    return [
        round(32767 * PEAK * min(1.0, frame / edge, (frames - 1 - frame) / edge) * math.sin(step * frame))
        for frame in range(frames)
    ]


def play_earcons(assistant: Assistant, open_sink: Callable[[], AudioSink], which: str) -> Callable[[], None]:
    """`which`: "off", "end" (without the microphone that opens) or "all". Returns what ends it."""
    if which == "off":
        return lambda: None
    earcons = Earcons(open_sink, opening=which == "all")
    assistant.subscribe(earcons)
    return earcons.close


class Earcons:
    """Call it with events from any thread: it returns at once. `close` waits for the last sound."""

    def __init__(self, open_sink: Callable[[], AudioSink], *, opening: bool) -> None:
        """`opening`: whether a microphone that opens is heard too."""
        self._opening = opening
        self._open_sink = open_sink
        self._wanted: SimpleQueue[Earcon | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="earcons")
        self._thread.start()

    def __call__(self, event: Event) -> None:
        earcon = earcon_for(event)
        if earcon is not None and (self._opening or earcon is not Earcon.LISTENING):
            self._wanted.put(earcon)

    def close(self) -> None:
        self._wanted.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (earcon := self._wanted.get()) is not None:
            try:
                sink = self._open_sink()
                sink.play(sound_of(earcon))
                sink.finish()
            except AriaError as error:
                log.info("no earcon: %s", error)
            except Exception:
                log.exception("an earcon failed")
