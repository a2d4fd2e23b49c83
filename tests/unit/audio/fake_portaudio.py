"""PortAudio with faults on order: a device that refuses formats, stops calling back, overflows or never existed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

INVALID_RATE = ("Error opening: Invalid sample rate", -9997)
INVALID_CHANNELS = ("Error opening: Invalid number of channels", -9998)
INVALID_SAMPLES = ("Error opening: Sample format not supported", -9994)
BUSY = ("Error opening: Device unavailable", -9985)


class PortAudioError(Exception):
    pass


class CallbackStop(Exception):
    pass


@dataclass
class FakePortAudio:
    """Stands for the module `sounddevice`."""

    rates: tuple[int, ...] = (16_000,)
    channels: tuple[int, ...] = (1,)
    device_rate: int = 48_000
    device_channels: int = 2
    samples: tuple[str, ...] = ("int16", "float32")
    devices: int = 1
    first_index: int = 0
    """Indices change when devices come and go."""
    hangs: threading.Event | None = None
    """While it is not set, the closing of a stream does not return."""
    refuses: tuple[object, ...] = ()
    """When set, every opening fails with this."""
    streams: list[FakeStream] = field(default_factory=list)
    initialized: int = 0

    PortAudioError = PortAudioError
    CallbackStop = CallbackStop

    @property
    def default(self) -> Any:
        return SimpleNamespace(device=(self.first_index, self.first_index))

    def query_devices(self) -> list[dict[str, Any]]:
        return [
            {
                "name": f"Fake {index}",
                "index": self.first_index + index,
                "default_samplerate": float(self.device_rate),
                "max_input_channels": self.device_channels,
                "max_output_channels": self.device_channels,
            }
            for index in range(self.devices)
        ]

    def _terminate(self) -> None:
        assert not any(stream.open for stream in self.streams), "PortAudio was ended under an open stream"
        self.initialized -= 1

    def _initialize(self) -> None:
        self.initialized += 1

    def RawInputStream(self, **options: Any) -> FakeStream:  # noqa: N802
        return self._opened(options)

    def RawOutputStream(self, **options: Any) -> FakeStream:  # noqa: N802
        return self._opened(options)

    def _opened(self, options: dict[str, Any]) -> FakeStream:
        if self.refuses:
            raise PortAudioError(*self.refuses)
        if options["samplerate"] not in self.rates:
            raise PortAudioError(*INVALID_RATE)
        if options["channels"] not in self.channels:
            raise PortAudioError(*INVALID_CHANNELS)
        if options["dtype"] not in self.samples:
            raise PortAudioError(*INVALID_SAMPLES)
        stream = FakeStream(options, self.hangs)
        self.streams.append(stream)
        return stream


class FakeStream:
    """The test plays PortAudio's thread by calling `deliver`, `want` and `end`."""

    def __init__(self, options: dict[str, Any], hangs: threading.Event | None = None) -> None:
        self._hangs = hangs
        self.device: int = options["device"]
        self.rate: int = options["samplerate"]
        self.channels: int = options["channels"]
        self._callback: Callable[..., None] = options["callback"]
        self._finished: Callable[[], None] = options["finished_callback"]
        self.open = True

    def start(self) -> None:
        pass

    def abort(self, ignore_errors: bool = True) -> None:
        del ignore_errors

    def close(self, ignore_errors: bool = True) -> None:
        del ignore_errors
        assert self.open, "closed twice"
        if self._hangs is not None:
            self._hangs.wait()
        self.open = False
        self._finished()

    def deliver(self, pcm: bytes, *, overflow: bool = False) -> None:
        """The microphone recorded `pcm`."""
        frames = len(pcm) // 2 // self.channels
        self._callback(bytearray(pcm), frames, None, SimpleNamespace(input_overflow=overflow))

    def want(self, frames: int, delay_s: float = 0.02) -> bytes:
        """The loudspeaker needs samples; what it gets."""
        out = bytearray(b"\xff" * frames * 2 * self.channels)
        when = SimpleNamespace(outputBufferDacTime=10.0 + delay_s, currentTime=10.0)
        try:
            self._callback(out, frames, when, None)
        except CallbackStop:
            self._finished()
        return bytes(out)

    def end(self) -> None:
        """The device went away and PortAudio noticed."""
        self._finished()
