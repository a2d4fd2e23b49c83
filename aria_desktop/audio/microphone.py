"""The microphone as an AudioSource: 16 kHz mono, whatever the device delivers.

PortAudio's thread only copies into a ring; converting and waiting happen on the thread that iterates. PortAudio has
no word for an unplugged device: its callback just stops coming. So the reader keeps time, and a stream that ended by
itself or has been quiet for `PATIENCE_S` is a missing microphone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

from aria_desktop.audio.devices import (
    Device,
    Direction,
    chosen,
    closing,
    microphones,
    missing,
    opening,
    portaudio,
    reason,
)
from aria_desktop.audio.resampling import Resampler
from aria_desktop.audio.ring import Ring
from aria_desktop.core.audio import SPEECH, AudioChunk, AudioFormat

RING_S = 10.0
"""So long may the reader be busy with something else before sound is lost."""

PATIENCE_S = 1.5
"""Silence of a microphone is zeros, not nothing: after so long without a callback the device is gone."""

FIRST_PATIENCE_S = 4.0
"""A sound server that was asleep takes a few seconds until the first callback."""

BLOCK_S = 0.02
"""Of sound in one callback."""

POLL_S = 0.01
"""How often the reader looks into the ring."""

_RATE_OR_CHANNELS_REFUSED = (-9997, -9998, -9994)
"""paInvalidSampleRate, paInvalidChannelCount, paSampleFormatNotSupported: another format may do."""


def formats_to_try(device: Device) -> list[AudioFormat]:
    """Best first: no conversion, then the device's own rate; one channel before two. Pure."""
    rates = list(dict.fromkeys([SPEECH.rate, device.rate]))
    channels = list(dict.fromkeys([1, min(2, device.channels)]))
    return [AudioFormat(rate, count) for rate in rates for count in channels]


class Microphone:
    """Open from construction to `close`. One thread iterates; `close` may come from any."""

    def __init__(self, name: str = "") -> None:
        """`name` is a device's name, empty for the default one. Raises MicrophoneMissing."""
        self._library = portaudio(Direction.IN)
        self._device = chosen(microphones(), name, Direction.IN)
        self._closed = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self.lost = 0
        """Stretches of sound lost: by the device, or because nobody took them out of the ring in time."""
        self._stream, self._format = self._opened()
        self._resampler = Resampler(self._format, SPEECH)

    @property
    def name(self) -> str:
        return self._device.name

    def __iter__(self) -> Iterator[AudioChunk]:
        try:
            for pcm in self._arriving():
                converted = self._resampler.push(pcm)
                if converted:
                    yield AudioChunk(SPEECH, converted)
        finally:
            self.close()

    def close(self) -> None:
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
        with closing():
            self._stream.close(ignore_errors=True)

    def _arriving(self) -> Iterator[bytes]:
        last, patience = time.monotonic(), FIRST_PATIENCE_S
        while not self._closed.is_set():
            pcm = self._ring.take()
            if pcm:
                last, patience = time.monotonic(), PATIENCE_S
                yield pcm
                continue
            if self._ended.is_set() and not self._closed.is_set():
                raise missing(Direction.IN, f"The microphone {self.name} is gone.")
            if time.monotonic() - last > patience:
                raise missing(Direction.IN, f"The microphone {self.name} delivers nothing any more.")
            self._closed.wait(POLL_S)

    def _opened(self) -> tuple[Any, AudioFormat]:
        fault = Exception("no format was tried")
        for format_ in formats_to_try(self._device):
            self._ring = Ring(format_.frames_in(RING_S) * format_.frame_bytes)
            try:
                with opening():
                    return self._started(format_), format_
            except self._library.PortAudioError as error:
                fault = error
                if len(error.args) < 2 or error.args[1] not in _RATE_OR_CHANNELS_REFUSED:
                    break
        raise missing(Direction.IN, f"The microphone {self.name} can't be opened: {reason(fault)}.") from fault

    def _started(self, format_: AudioFormat) -> Any:
        stream = self._library.RawInputStream(
            samplerate=format_.rate,
            channels=format_.channels,
            dtype="int16",
            device=self._device.index,
            blocksize=format_.frames_in(BLOCK_S),
            latency="low",
            callback=self._arrived,
            finished_callback=self._ended.set,
        )
        try:
            stream.start()
        except BaseException:
            stream.close(ignore_errors=True)
            raise
        return stream

    def _arrived(self, data: Any, _frames: int, _time: Any, status: Any) -> None:
        """On PortAudio's thread."""
        if not self._ring.put(memoryview(data)) or status.input_overflow:
            self.lost += 1
