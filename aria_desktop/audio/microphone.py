"""The microphone as an AudioSource: 16 kHz mono, whatever the device delivers.

PortAudio's thread only copies into a ring; converting and waiting happen on the thread that iterates. PortAudio has
no word for an unplugged device: its callback just stops coming. So the reader keeps time, and a stream that ended by
itself or has been quiet for `PATIENCE_S` is a missing microphone. So is one over which the computer slept: what was
said before and after that is not one sentence.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from aria_desktop.audio.devices import (
    Device,
    Direction,
    chosen,
    close_in_time,
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

SLEPT_S = 5.0
"""The wall clock ran on by so much more than the steady one: the computer slept, or the clock was set."""

POLL_S = 0.01
"""How often the reader looks into the ring."""

_SAMPLES: tuple[Literal["int16", "float32"], ...] = ("int16", "float32")
_RATE_OR_CHANNELS_REFUSED = (-9997, -9998, -9994)
"""paInvalidSampleRate, paInvalidChannelCount, paSampleFormatNotSupported: another format may do."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A way to open a device."""

    format: AudioFormat
    sample: Literal["int16", "float32"] = "int16"
    """What the device delivers; the ring holds the same."""

    @property
    def frame_bytes(self) -> int:
        return self.format.frame_bytes * (1 if self.sample == "int16" else 2)


def formats_to_try(device: Device, channel: int = 0) -> list[Wanted]:
    """Best first: no conversion, then the device's own rate; one channel before two; whole numbers before fractions.
    Pure.

    Args:
        channel: that is to be heard, from 1; then so many are wanted, or all there are. 0: any.
    """
    rates = list(dict.fromkeys([SPEECH.rate, device.rate]))
    counts = [channel, device.channels] if channel else [1, min(2, device.channels)]
    formats = [AudioFormat(rate, count) for rate in rates for count in dict.fromkeys(counts)]
    return [Wanted(format_, sample) for sample in _SAMPLES for format_ in formats]


class Microphone:
    """Open from construction to `close`. One thread iterates; `close` may come from any."""

    def __init__(self, name: str = "", channel: int = 0) -> None:
        """`name` is a device's name, empty for the default one; `channel` counts from 1, 0 mixes them.

        Raises MicrophoneMissing.
        """
        self._library = portaudio(Direction.IN)
        self._device = chosen(microphones(), name, Direction.IN)
        if channel > self._device.channels:
            text = f"The microphone {self.name} has {self._device.channels} channels, and no number {channel}."
            raise missing(Direction.IN, text, "Choose another one in the settings (microphone.channel).")
        self._closed = threading.Event()
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._lost = 0
        self._stream, self._wanted = self._opened(channel)
        one_of_several = channel - 1 if channel and self._wanted.format.channels > 1 else None
        self._resampler = Resampler(self._wanted.format, SPEECH, one_of_several)

    @property
    def lost(self) -> int:
        """Stretches of sound lost: by the device, or because nobody took them out of the ring in time."""
        return self._lost

    @property
    def name(self) -> str:
        return self._device.name

    def __iter__(self) -> Iterator[AudioChunk]:
        try:
            for pcm in self._arriving():
                converted = self._resampler.push(_whole_numbers(pcm) if self._wanted.sample == "float32" else pcm)
                if converted:
                    yield AudioChunk(SPEECH, converted)
        finally:
            self.close()

    def close(self) -> None:
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
        close_in_time(lambda: self._stream.close(ignore_errors=True))

    def _arriving(self) -> Iterator[bytes]:
        last, patience = time.monotonic(), FIRST_PATIENCE_S
        asleep = time.time() - time.monotonic()
        while not self._closed.is_set():
            if abs(time.time() - time.monotonic() - asleep) > SLEPT_S:
                text = f"The computer slept while the microphone {self.name} was open, or its clock was set."
                raise missing(Direction.IN, text, "Say it again.")
            pcm = self._ring.take(self._ring.filled // self._wanted.frame_bytes * self._wanted.frame_bytes)
            if pcm:
                last, patience = time.monotonic(), PATIENCE_S
                yield pcm
                continue
            if self._ended.is_set() and not self._closed.is_set():
                raise missing(Direction.IN, f"The microphone {self.name} is gone.")
            if time.monotonic() - last > patience:
                raise missing(Direction.IN, f"The microphone {self.name} delivers nothing any more.")
            self._closed.wait(POLL_S)

    def _opened(self, channel: int) -> tuple[Any, Wanted]:
        fault = Exception("no format was tried")
        for wanted in formats_to_try(self._device, channel):
            self._ring = Ring(wanted.format.frames_in(RING_S) * wanted.frame_bytes)
            try:
                with opening(Direction.IN):
                    return self._started(wanted), wanted
            except self._library.PortAudioError as error:
                fault = error
                if len(error.args) < 2 or error.args[1] not in _RATE_OR_CHANNELS_REFUSED:
                    break
        raise missing(Direction.IN, f"The microphone {self.name} can't be opened: {reason(fault)}.") from fault

    def _started(self, wanted: Wanted) -> Any:
        stream = self._library.RawInputStream(
            samplerate=wanted.format.rate,
            channels=wanted.format.channels,
            dtype=wanted.sample,
            device=self._device.index,
            blocksize=wanted.format.frames_in(BLOCK_S),
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
            self._lost += 1


def _whole_numbers(pcm: bytes) -> bytes:
    """Fractions of full scale as 16-bit numbers; what is no number is silence. Pure."""
    import numpy as np

    samples = np.nan_to_num(np.frombuffer(pcm, dtype="<f4"), nan=0.0, posinf=1.0, neginf=-1.0)
    converted: bytes = (np.clip(samples, -1.0, 1.0) * 32767).round().astype("<i2").tobytes()
    return converted
