"""The loudspeaker as an AudioSink: gap-free, silent at once when told, and it knows what was really heard.

The voice's thread puts samples into a ring, PortAudio's thread takes them out; neither waits for a lock. A ring of
`LEAD_S` is the head start that the next clause has to be ready in. What was heard is what PortAudio took, less what
still lay between it and the ear when it was silenced.
"""

from __future__ import annotations

import threading
import time
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
from aria_desktop.audio.resampling import Resampler
from aria_desktop.audio.ring import Ring
from aria_desktop.core.audio import AudioChunk, AudioFormat

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

    def __init__(self, name: str = "") -> None:
        """`name` is a device's name, empty for the default one. Raises SpeakerMissing."""
        self._library = portaudio(Direction.OUT)
        self._device = chosen(speakers(), name, Direction.OUT)
        self._lock = threading.Lock()
        self._playing: _Playing | None = None
        self._stopped = False

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
        playing.put(chunk)

    def finish(self) -> float:
        playing = self._playing
        seconds = playing.drain() if playing else 0.0
        with self._lock:
            self._playing = None
            self._stopped = False
        return seconds

    def stop_now(self) -> float:
        with self._lock:
            self._stopped = True
            playing, self._playing = self._playing, None
        return playing.stop() if playing else 0.0


class _Playing:
    """One open stream, for one reply."""

    def __init__(self, library: Any, device: Device, source: AudioFormat) -> None:
        self._library = library
        self._name = device.name
        self._source = source
        self._ended = threading.Event()
        self._last_one = False
        self._taken = 0
        self._silence = 0
        self._delay_s = 0.0
        self._called = time.monotonic()
        self._close_lock = threading.Lock()
        self._open = True
        self._stream = self._opened(device)

    def put(self, chunk: AudioChunk) -> None:
        if chunk.format != self._source:
            raise ValueError(f"a chunk of {chunk.format} after one of {self._source}")
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
        heard = self._taken / self._frame_bytes / self._rate - self._delay_s
        self._close()
        return max(0.0, heard)

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
        for rate in dict.fromkeys([self._source.rate, device.rate]):
            self._prepare(AudioFormat(rate, self._source.channels))
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
        self._resampler = Resampler(self._source, target)

    def _started(self, device: Device) -> Any:
        stream = self._library.RawOutputStream(
            samplerate=self._rate,
            channels=self._source.channels,
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
