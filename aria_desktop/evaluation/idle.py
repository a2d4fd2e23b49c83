"""`aria bench idle`: what an open microphone costs while nobody speaks, and what a day of it leaves behind.

The first part opens the real microphone as hands-free listening does and counts this process's processor time. The
second feeds hours of sound, as fast as they are taken, through the same ring, resampler, detectors and segmenter: a
minute of a quiet room with one spoken sentence, again and again, each sentence a recording of its own. It looks at what
is left: memory, handles, threads, children, and frames that were not judged.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import psutil

from aria_desktop.assistant.listener import Listener, Recording, Stop
from aria_desktop.assistant.segmenter import Rules, Segmenter
from aria_desktop.audio.resampling import Resampler
from aria_desktop.audio.ring import Ring
from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH, AudioChunk, AudioFormat
from aria_desktop.core.errors import AriaError, EngineFailed
from aria_desktop.core.events import Event, ListeningDoubted
from aria_desktop.core.interfaces import AudioSource, VoiceActivityDetector
from aria_desktop.evaluation.report import Figure, Report, machine_line

CPU, GROWTH = 3.0, 20.0
"""Goals: percent of one core, and MB."""
HANDS_FREE = Rules(silence_s=0.8, waits=True)
DEVICE = AudioFormat(48_000, 2)
"""What the fed microphone delivers."""
_BLOCK = DEVICE.frames_in(0.02) * DEVICE.frame_bytes
_MINUTE = 60 * DEVICE.rate * DEVICE.frame_bytes
_ROOM = 0.002
"""Of full scale, root mean square: a quiet room near a microphone that works."""
_SETTLED = 1 / 24
"""Of the day: by then everything that is made once has been made."""

MakeVad = Callable[[], VoiceActivityDetector]
Show = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Left:
    """What the process holds."""

    memory: int
    """Bytes."""
    handles: int
    threads: int
    children: int

    @staticmethod
    def now() -> Left:
        here = psutil.Process()
        handles = here.num_fds() if hasattr(here, "num_fds") else here.num_handles()
        return Left(here.memory_info().rss, handles, here.num_threads(), len(here.children(recursive=True)))


@dataclass(frozen=True, slots=True)
class Day:
    hours: float
    seconds: float
    """That it took."""
    recordings: int
    """With a sentence in them."""
    lost: int
    """Samples at 16 kHz that came and were not judged, and stretches that found no room."""
    before: Left
    after: Left


class Feed:
    """A microphone without end, for one recording after the other: each takes up where the one before stopped."""

    name = "the fed microphone"

    def __init__(self, minute: bytes, minutes: int) -> None:
        """`minute`: in the format `DEVICE`."""
        self._minute = minute
        self._blocks = minutes * len(minute) // _BLOCK
        self._ring = Ring(10 * _BLOCK)
        self._closed = False
        self.at = 0
        """Blocks given so far."""
        self.lost = 0
        self.given = 0
        """Bytes of the recording under way, as they were given."""

    @property
    def over(self) -> bool:
        return self.at >= self._blocks

    def opened(self) -> Feed:
        self._closed, self.given = False, 0
        self._resampler = Resampler(DEVICE, SPEECH)
        return self

    def close(self) -> None:
        self._closed = True

    def __iter__(self) -> Iterator[AudioChunk]:
        while not (self._closed or self.over):
            place = self.at * _BLOCK % len(self._minute)
            self.at += 1
            self.lost += not self._ring.put(self._minute[place : place + _BLOCK])
            pcm = self._resampler.push(self._ring.take())
            self.given += len(pcm)
            if pcm:
                yield AudioChunk(SPEECH, pcm)


def run(
    open_microphone: Callable[[], AudioSource],
    make_vad: MakeVad,
    sentence: AudioChunk,
    seconds: int,
    minutes: int,
    show: Show,
) -> Report:
    """`seconds` of the real microphone, then `minutes` of the fed one; 0 leaves a part out. Raises like the
    microphone."""
    figures: list[Figure] = []
    items: list[dict[str, object]] = []
    if seconds:
        percent, doubts = idling(open_microphone, make_vad, seconds)
        figures.append(Figure("processor while the microphone is open", percent, "% of one core", limit=CPU))
        items.append({"seconds": seconds, "percent": percent, "doubts": doubts})
    if minutes:
        day = fed(make_vad, minute_of(sentence), minutes, show)
        figures += figures_of(day)
        items.append({"hours": day.hours, "recordings": day.recordings, "took_s": round(day.seconds, 1)})
    return Report("idle", machine_line(), tuple(figures), tuple(items))


def idling(open_microphone: Callable[[], AudioSource], make_vad: MakeVad, seconds: float) -> tuple[float, list[str]]:
    """Percent of one core, and what was odd meanwhile."""
    doubts: list[str] = []
    ended: list[Recording] = []
    heard = threading.Event()

    def publish(event: Event) -> None:
        heard.set()
        if isinstance(event, ListeningDoubted):
            doubts.append(event.reason)

    # Hands-free listening would wait for a microphone; here its absence is the answer.
    open_microphone().close()
    listener = Listener(open_microphone, make_vad, HANDS_FREE, publish, ended.append)
    listener.start()
    heard.wait(20)
    # Opening the device and loading the detector's network are no part of being idle.
    time.sleep(min(2.0, seconds))
    here = psutil.Process()
    began, before = time.monotonic(), sum(here.cpu_times()[:2])
    time.sleep(seconds)
    percent = 100 * (sum(here.cpu_times()[:2]) - before) / (time.monotonic() - began)
    listener.close()
    listener.join()
    if ended[0].error is not None:
        raise ended[0].error
    if ended[0].stop is not Stop.DROPPED:
        raise EngineFailed("Somebody spoke into the microphone.", "Measure again in a quiet room.")
    return percent, doubts


def fed(make_vad: MakeVad, minute: bytes, minutes: int, show: Show) -> Day:
    """Raises AriaError when listening does."""
    feed = Feed(minute, minutes)
    began, before, recordings, lost = time.monotonic(), Left.now(), 0, 0
    settled = round(minutes * 60 / 0.02 * _SETTLED)
    while not feed.over:
        recording, judged, frame = _recorded(feed, make_vad)
        recordings += recording.audio is not None
        # A recording ends within a block: the rest of that, and of the last frame, belongs to nobody.
        lost += max(0, feed.given // SAMPLE_WIDTH - judged - frame - SPEECH.frames_in(0.02))
        if feed.at <= settled:
            before = Left.now()
        show(feed.at // 3000, minutes)
    return Day(minutes / 60, time.monotonic() - began, recordings, lost + feed.lost, before, Left.now())


def _recorded(feed: Feed, make_vad: MakeVad) -> tuple[Recording, int, int]:
    """The recording, how many samples were judged, and those of a frame."""
    ended: list[Recording] = []
    vad = make_vad()
    judged = [0]

    def watch(_: Segmenter) -> None:
        judged[0] += vad.frame_samples

    listener = Listener(feed.opened, lambda: vad, HANDS_FREE, lambda _: None, ended.append, watch)
    listener.start()
    listener.join()
    error: AriaError | None = ended[0].error
    if error is not None:
        raise error
    return ended[0], judged[0], vad.frame_samples


def minute_of(sentence: AudioChunk) -> bytes:
    """A quiet room in which the sentence is said once, in the format `DEVICE`. The same each time."""
    noise = np.random.default_rng(5).normal(0.0, _ROOM * 32768, _MINUTE // SAMPLE_WIDTH)
    resampler = Resampler(sentence.format, AudioFormat(DEVICE.rate))
    said = np.frombuffer(resampler.push(sentence.pcm) + resampler.end(), dtype="<i2").astype(float)
    start = 20 * DEVICE.rate * DEVICE.channels
    noise[start : start + 2 * len(said)] += np.repeat(said, DEVICE.channels)[: len(noise) - start]
    minute: bytes = np.clip(noise, -32768, 32767).astype("<i2").tobytes()
    return minute


def figures_of(day: Day) -> tuple[Figure, ...]:
    """Pure."""
    before, after = day.before, day.after
    return (
        Figure("sound fed", day.hours, "h"),
        Figure("recordings with a sentence in them", day.recordings, "", least=round(day.hours * 60)),
        Figure("samples lost", day.lost, "", limit=0),
        Figure("memory gained after the first part of the day", (after.memory - before.memory) / 1e6, "MB", GROWTH),
        Figure("handles gained", after.handles - before.handles, "", limit=0),
        Figure("threads gained", after.threads - before.threads, "", limit=0),
        Figure("children gained", after.children - before.children, "", limit=0),
    )
