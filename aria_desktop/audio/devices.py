"""Which microphones and loudspeakers there are, and the one lock around the library that knows them.

PortAudio keeps the list it made when it was started. It is started anew for a listing, so that a device plugged in
since then is found, but only while no stream is open: that would end it. Opening and closing are not safe side by
side either, so everything that changes PortAudio's state holds `PORTAUDIO`.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from aria_desktop.core.errors import AriaError, MicrophoneMissing, SpeakerMissing

PORTAUDIO = threading.Lock()
STUCK_S = 2.0
"""No call of PortAudio for a device that works takes so long."""

LISTEN_HINT = (
    "Plug in a microphone, or choose another one in the settings (microphone.device); `aria doctor` lists them."
)
SPEAK_HINT = (
    "Plug in a loudspeaker, or turn the voice off in the settings (voice.speak_replies); the text is there anyway."
)
LIBRARY_HINT = "Install PortAudio (on Debian and Ubuntu: sudo apt install libportaudio2)."


class Direction(StrEnum):
    """The values are the keys of PortAudio's own records."""

    IN = "input"
    OUT = "output"


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    """As the system gives it."""
    index: int
    """PortAudio's number; changes when devices come and go."""
    rate: int
    """Frames per second it works with by itself."""
    channels: int
    is_default: bool


def microphones() -> list[Device]:
    """All of them, the default first; empty when there is none. Raises MicrophoneMissing without PortAudio."""
    return _listed(Direction.IN)


def speakers() -> list[Device]:
    """All of them, the default first; empty when there is none. Raises SpeakerMissing without PortAudio."""
    return _listed(Direction.OUT)


def missing(direction: Direction, text: str, hint: str = "") -> AriaError:
    """The error for trouble with a device of this direction."""
    if direction is Direction.IN:
        return MicrophoneMissing(text, hint or LISTEN_HINT)
    return SpeakerMissing(text, hint or SPEAK_HINT)


def chosen(devices: Sequence[Device], name: str, direction: Direction) -> Device:
    """The device called `name`, or the default one when it is empty. Pure.

    Raises MicrophoneMissing or SpeakerMissing, naming what there is instead.
    """
    kind = "microphone" if direction is Direction.IN else "loudspeaker"
    if not devices:
        raise missing(direction, f"There is no {kind}.")
    if not name:
        return devices[0]
    for device in devices:
        if device.name == name:
            return device
    there = ", ".join(device.name for device in devices)
    raise missing(direction, f"There is no {kind} called {name}. There is: {there}.")


def portaudio(direction: Direction) -> Any:
    """The library, imported on use. Raises MicrophoneMissing or SpeakerMissing when it isn't installed."""
    try:
        import sounddevice
    except OSError as error:
        raise missing(direction, f"The sound library can't be loaded: {error}.", LIBRARY_HINT) from error
    _hush_alsa()
    return sounddevice


@functools.cache
def _hush_alsa() -> None:
    """ALSA prints every device it can't find and every underrun to standard error, which belongs to the user.

    What matters of it reaches us as an error anyway. The handler is never freed: the library keeps its address.
    """
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libasound.so.2").snd_lib_error_set_handler(_say_nothing)


_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p)
_say_nothing = _HANDLER(lambda *_words: None)


def reason(error: Exception) -> str:
    """Why PortAudio refused, in the system's words where it passes them on, else in its own. Pure."""
    match error.args:
        case (_, _, (_, _, str(host_words))) if host_words:
            return host_words
        case (str(words), *_):
            return words.split(": ", 1)[-1]
    return type(error).__name__


@contextmanager
def _native_chatter_hushed() -> Iterator[None]:
    """PortAudio and what lies under it print source lines to standard error when a device is missing; the error
    that is raised tells the user the same in words. Held for some milliseconds only, as it hushes the whole process."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
            stack.callback(os.close, kept)
            stack.callback(os.dup2, kept, 2)
            os.dup2(nowhere, 2)
            os.close(nowhere)
        yield


class _Streams:
    """How many are open; guarded by `PORTAUDIO`."""

    open = 0


@contextmanager
def _alone(direction: Direction) -> Iterator[None]:
    """Nobody else changes PortAudio's state. Raises MicrophoneMissing or SpeakerMissing when a device that went away
    keeps the library in a call that does not return."""
    if not PORTAUDIO.acquire(timeout=STUCK_S):
        raise missing(direction, "The sound system hangs in a call for a device that went away.", "Start ARIA again.")
    try:
        yield
    finally:
        PORTAUDIO.release()


@contextmanager
def opening(direction: Direction) -> Iterator[None]:
    """Around the making of a stream: counts it when that succeeds. Raises like `microphones` and `speakers`."""
    with _alone(direction), _native_chatter_hushed():
        yield
        _Streams.open += 1


def close_in_time(end: Callable[[], None]) -> None:
    """End a stream that was counted. Drivers may hang here when the device is gone: then the caller goes on after
    `STUCK_S`, and the stream counts as open until the driver returns."""

    def work() -> None:
        with PORTAUDIO:
            try:
                end()
            finally:
                _Streams.open -= 1

    thread = threading.Thread(target=work, name="closing a stream", daemon=True)
    thread.start()
    thread.join(STUCK_S)


def _listed(direction: Direction) -> list[Device]:
    library = portaudio(direction)
    with _alone(direction):
        if not _Streams.open:
            with _native_chatter_hushed():
                library._terminate()
                library._initialize()
        records = library.query_devices()
        default = library.default.device[direction is Direction.OUT]
    key = f"max_{direction}_channels"
    devices = [
        Device(r["name"], r["index"], round(r["default_samplerate"]), r[key], r["index"] == default)
        for r in records
        if r[key] > 0
    ]
    return sorted(devices, key=lambda device: not device.is_default)
