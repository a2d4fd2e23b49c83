"""The loudspeaker as an AudioSink: gap-free, silent at once when told, and it knows what was really heard.

The voice's thread puts samples into a ring, PortAudio's thread takes them out; neither waits for a lock. A ring of
`LEAD_S` is the head start that the next clause has to be ready in. What was heard is what PortAudio took, less what
still lay between it and the ear when it was silenced.

A device that goes away in the middle of a reply is replaced by the one that is there now, and what was not heard yet
goes on there. The silence is a cut: a fade would have to wait for `BUFFER_S` of sound that can't be taken back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any, NoReturn

from aria_desktop.audio.devices import (
    Device,
    Direction,
    chosen,
    close_in_time,
    missing,
    opening,
    portaudio,
    reason,
    speakers,
)
from aria_desktop.audio.gain import scaled
from aria_desktop.audio.resampling import Resampler
from aria_desktop.audio.ring import Ring
from aria_desktop.core.audio import AudioChunk, AudioFormat, joined
from aria_desktop.core.errors import SpeakerMissing

LEAD_S = 1.5
PATIENCE_S = 2.0
"""After so long without a callback the device is gone."""

BUFFER_S = 0.1
"""In the device: long enough for a busy machine. It delays nothing: its first filling is sound already, and
`stop_now` throws it away."""

MARGIN_S = 0.03
"""Of silence after the last sample, beyond what is still on its way: on ALSA, PortAudio drops what is in the buffer
when a stream ends."""

POLL_S = 0.01
MOST_DELAY_S = 2.0
"""A device that states more than this between program and ear states nonsense."""


class Speaker:
    """One thread plays and finishes; `stop_now` may come from any. The device is open only while speech is played."""

    def __init__(self, name: str = "", gain: float = 1.0) -> None:
        """`name` is a device's name, empty for the default one; `gain`, 0 to 1, is what samples are multiplied by.
        Raises SpeakerMissing."""
        self._gain = gain
        self._wanted_name = name
        self._library = portaudio(Direction.OUT)
        self._device = chosen(speakers(), name, Direction.OUT)
        self._lock = threading.Lock()
        self._playing: _Playing | None = None
        self._stopped = False
        self._given: list[AudioChunk] = []
        """Of the playing stream, from the last moment on that was surely heard."""
        self._heard_before = 0.0
        """Seconds of this reply, on devices that went away."""

    @property
    def name(self) -> str:
        return self._device.name

    def play(self, chunk: AudioChunk) -> None:
        """After `stop_now` nothing more is heard until `finish` has ended that reply. Raises SpeakerMissing."""
        with self._lock:
            if self._stopped:
                return
            if self._playing is None:
                self._playing = _Playing(self._library, self._device, chunk.format)
            playing = self._playing
        quieter = AudioChunk(chunk.format, scaled(chunk.pcm, self._gain))
        self._given.append(quieter)
        try:
            playing.put(quieter)
        except SpeakerMissing as gone:
            self._go_on_elsewhere(playing, gone)
        self._forget_heard()

    def finish(self) -> float:
        try:
            while playing := self._playing:
                try:
                    return self._heard_before + playing.drain()
                except SpeakerMissing as gone:
                    self._go_on_elsewhere(playing, gone)
            return 0.0
        finally:
            with self._lock:
                self._playing = None
                self._stopped = False
            self._given, self._heard_before = [], 0.0

    def stop_now(self) -> float:
        with self._lock:
            self._stopped = True
            playing, self._playing = self._playing, None
        return self._heard_before + playing.stop() if playing else 0.0

    def _go_on_elsewhere(self, gone: _Playing, error: SpeakerMissing) -> None:
        """Raises `error` when there is nothing else to play on, or that takes nothing either."""
        while gone.took_something:
            rest = _after(self._given, gone.heard - gone.forgotten)
            with self._lock:
                if self._stopped:
                    return None
                self._heard_before += gone.heard
                try:
                    playing = self._playing = _Playing(self._library, self._there_now(), gone.source)
                except SpeakerMissing:
                    raise error from None
            self._given = [rest]
            try:
                return playing.put(rest)
            except SpeakerMissing:
                gone = playing
        raise error

    def _there_now(self) -> Device:
        """The device that was chosen if it is back, else the system's own choice."""
        devices = speakers()
        named = [device for device in devices if device.name == self._wanted_name]
        self._device = named[0] if named else chosen(devices, "", Direction.OUT)
        return self._device

    def _forget_heard(self) -> None:
        """Memory is bounded, however long a reply is."""
        playing = self._playing
        while playing and len(self._given) > 1 and playing.forgotten + self._given[0].seconds < playing.heard:
            playing.forgotten += self._given.pop(0).seconds


class _Playing:
    """One open stream, for one reply."""

    def __init__(self, library: Any, device: Device, source: AudioFormat) -> None:
        self._library = library
        self._name = device.name
        self.source = source
        self.forgotten = 0.0
        """Seconds of what it was given that nobody needs any more; kept by the speaker."""
        self._ended = threading.Event()
        self._last_one = False
        self._taken = 0
        self._silence = 0
        self._delay_s = 0.0
        self._called = time.monotonic()
        self._close_lock = threading.Lock()
        self._open = True
        self._stream = self._opened(device)

    @property
    def took_something(self) -> bool:
        return self._taken > 0

    @property
    def heard(self) -> float:
        """Seconds that have left the loudspeaker."""
        return max(0.0, self._taken / self._frame_bytes / self._rate - self._delay_s)

    def put(self, chunk: AudioChunk) -> None:
        if chunk.format != self.source:
            raise ValueError(f"a chunk of {chunk.format} after one of {self.source}")
        self._put(self._resampler.push(chunk.pcm))

    def drain(self) -> float:
        """Wait until the last sample left the loudspeaker."""
        self._put(self._resampler.end())
        self._last_one = True
        while not self._ended.wait(POLL_S):
            self._watch()
        if self._ring.filled and self._open:
            self._lost()
        self._close()
        return self._taken / self._frame_bytes / self._rate

    def stop(self) -> float:
        """Silence now: what the device holds is thrown away too."""
        heard = self.heard
        self._close()
        return heard

    def _put(self, pcm: bytes) -> None:
        step = self._ring_bytes // 4 // self._frame_bytes * self._frame_bytes
        for at in range(0, len(pcm), step):
            while not self._ring.put(pcm[at : at + step]):
                if self._ended.wait(POLL_S):
                    if self._open:
                        self._lost()
                    return
                self._watch()

    def _watch(self) -> None:
        """The device takes sound in equal steps; when it takes none any more it is gone."""
        if time.monotonic() - self._called > PATIENCE_S:
            self._lost()

    def _lost(self) -> NoReturn:
        self._close()
        raise missing(Direction.OUT, f"The loudspeaker {self._name} is gone.")

    def _opened(self, device: Device) -> Any:
        fault = Exception("no format was tried")
        for rate in dict.fromkeys([self.source.rate, device.rate]):
            self._prepare(AudioFormat(rate, self.source.channels))
            try:
                with opening(Direction.OUT):
                    return self._started(device)
            except self._library.PortAudioError as error:
                fault = error
        raise missing(Direction.OUT, f"The loudspeaker {device.name} can't be opened: {reason(fault)}.") from fault

    def _prepare(self, target: AudioFormat) -> None:
        self._rate = target.rate
        self._frame_bytes = target.frame_bytes
        self._ring_bytes = target.frames_in(LEAD_S) * target.frame_bytes
        self._ring = Ring(self._ring_bytes)
        self._resampler = Resampler(self.source, target)

    def _started(self, device: Device) -> Any:
        stream = self._library.RawOutputStream(
            samplerate=self._rate,
            channels=self.source.channels,
            dtype="int16",
            device=device.index,
            latency=BUFFER_S,
            prime_output_buffers_using_stream_callback=True,
            callback=self._wanted,
            finished_callback=self._ended.set,
        )
        try:
            stream.start()
        except BaseException:
            stream.close(ignore_errors=True)
            raise
        return stream

    def _wanted(self, out: Any, _frames: int, when: Any, _status: Any) -> None:
        """On PortAudio's thread."""
        last_one = self._last_one
        pcm = self._ring.take(len(out))
        memoryview(out)[:] = pcm.ljust(len(out), b"\0")
        self._taken += len(pcm)
        self._delay_s = min(max(0.0, when.outputBufferDacTime - when.currentTime), MOST_DELAY_S)
        self._called = time.monotonic()
        if last_one and not self._ring.filled:
            self._silence += len(out) - len(pcm)
            if self._silence >= (max(BUFFER_S, self._delay_s) + MARGIN_S) * self._rate * self._frame_bytes:
                raise self._library.CallbackStop

    def _close(self) -> None:
        with self._close_lock:
            if not self._open:
                return
            self._open = False
        self._ended.set()
        close_in_time(self._end)

    def _end(self) -> None:
        self._stream.abort(ignore_errors=True)
        self._stream.close(ignore_errors=True)


def _after(chunks: Sequence[AudioChunk], seconds: float) -> AudioChunk:
    """What comes after the first `seconds` of them."""
    whole = joined(list(chunks))
    return whole.cut(max(0.0, seconds), whole.seconds)
