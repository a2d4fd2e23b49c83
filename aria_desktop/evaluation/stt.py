"""`aria bench stt`: recognition beside plain faster-whisper on the same weights, in words and in time.

Each clip goes to both, there and back in an order that is drawn for it, so that what drifts meets both alike; each
round has fresh processes. Both count the whole way from samples to words, ours with its way through the pipe. Spoken
commands are cut to their speech and a margin first, as whoever holds a button gives them; the rest is taken as it is.
Time is compared where the speech lasts 1 to 6 seconds, words everywhere.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.intervals import rate_difference, ratio
from aria_desktop.evaluation.records import Record, Records
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.evaluation.speech_arms import OurEars, WhisperPeer
from aria_desktop.evaluation.speech_clips import SpeechClip
from aria_desktop.evaluation.word_errors import scored, slots_found
from aria_desktop.workers.host import LoadSpec

TIMES_FASTER = 3.0
WORST_SHARE = 1.15
WER_POINTS = 0.3
SLOTS_FEWER = 4
SHORTEST_S, LONGEST_S = 1.0, 6.0
"""Of speech, where time is compared."""
MARGIN_S = 0.3
"""Left around the speech of a command."""
ROUNDS = 3
"""Fresh processes: what is measured in one is not independent."""

Show = Callable[[int, int, float | None], None]
"""Done, of how many, seconds left."""


def run(spec: LoadSpec, clips: Sequence[SpeechClip], records: Records, show: Show) -> Report:
    """Raises UsageError when nothing could be compared."""
    began, before = time.monotonic(), len(records.all)
    for number in range(ROUNDS):
        missing = [clip for clip in clips[number::ROUNDS] if clip.name not in records.all]
        if not missing:
            continue
        with ExitStack() as stack:
            ours, peer = stack.enter_context(OurEars(spec)), stack.enter_context(WhisperPeer(spec))
            for clip in missing:
                records.add(clip.name, {"round": number, **measured(ours, peer, clip)})
                left = (time.monotonic() - began) / (len(records.all) - before) * (len(clips) - len(records.all))
                show(len(records.all), len(clips), max(0.0, left))
    return report(clips, records)


def measured(ours: OurEars, peer: WhisperPeer, clip: SpeechClip) -> Record:
    whole = clip.read()
    spans = peer.speech(whole)
    speech_s = spans[-1][1] - spans[0][0] if spans else 0.0
    sound = _cut(whole, spans) if clip.slots else whole
    ways: dict[str, Callable[[], Mapping[str, Any]]] = {
        "ours": lambda: ours.transcribed(sound),
        "stock": lambda: peer.transcribed(sound),
    }
    order = random.Random(clip.name).sample(list(ways), len(ways))
    found: dict[str, list[Mapping[str, Any]]] = {name: [] for name in ways}
    for name in [*order, *reversed(order)]:
        found[name].append(ways[name]())
    return {"speech_s": round(speech_s, 3), **{name: _both(made) for name, made in found.items()}}


def cut_to_speech(sound: AudioChunk, peer: WhisperPeer) -> AudioChunk:
    return _cut(sound, peer.speech(sound))


def _cut(sound: AudioChunk, spans: Sequence[tuple[float, float]]) -> AudioChunk:
    return sound.cut(spans[0][0] - MARGIN_S, spans[-1][1] + MARGIN_S) if spans else sound


def _both(made: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The two measurements of one way: what they share, and the mean of their times."""
    return {**made[-1], "seconds": round(statistics.fmean(one["seconds"] for one in made), 5)}


def report(clips: Sequence[SpeechClip], records: Records) -> Report:
    found = [(clip, records.all[clip.name]) for clip in clips if clip.name in records.all]
    timed = [item for _, item in found if SHORTEST_S <= float(str(item["speech_s"])) <= LONGEST_S]
    if not timed:
        raise UsageError("No clip has 1 to 6 seconds of speech.", "Give --data another folder.")
    items = [{"clip": clip.name, "said": clip.said, "slots": clip.slots, **item} for clip, item in found]
    figures = [
        Figure("clips", len(found), ""),
        Figure("clips with 1 to 6 s of speech", len(timed), ""),
        *_speed(timed),
        *_words([pair for pair in found if pair[0].said]),
        *_slots([pair for pair in found if pair[0].slots]),
        *_work([item for _, item in found]),
    ]
    return Report("stt", machine_line(), tuple(figures), tuple(items))


def _speed(timed: Sequence[Record]) -> Iterator[Figure]:
    rounds = sorted({str(item["round"]) for item in timed})
    pairs = [[_seconds(item) for item in timed if str(item["round"]) == number] for number in rounds]
    faster, interval = ratio(pairs)
    yield Figure("times faster, median", faster, "", least=TIMES_FASTER, interval=interval)
    worst = max(ours / stock for group in pairs for ours, stock in group)
    yield Figure("slowest clip: share of the stock time", worst, "", limit=WORST_SHARE)
    for place, name in enumerate(("ours", "faster-whisper")):
        yield Figure(f"{name}: seconds, median", statistics.median(_seconds(item)[place] for item in timed), "s")


def _seconds(item: Record) -> tuple[float, float]:
    return way(item, "ours")["seconds"], way(item, "stock")["seconds"]


def _words(found: Sequence[tuple[SpeechClip, Record]]) -> Iterator[Figure]:
    if not found:
        return
    ours, stock = ([scored(clip.said, way(item, name)["text"]) for clip, item in found] for name in ("ours", "stock"))
    words = sum(one.words for one in stock)
    yield Figure("words said", words, "")
    yield Figure("faster-whisper: words wrong", 100 * sum(one.errors for one in stock) / words, "%")
    yield Figure("ours: words wrong", 100 * sum(one.errors for one in ours) / words, "%")
    rows = [(a.errors, b.errors, a.words) for a, b in zip(ours, stock, strict=True)]
    more, interval = rate_difference(rows)
    spread = (100 * interval[0], 100 * interval[1])
    yield Figure("more words wrong than faster-whisper", 100 * more, "points", limit=WER_POINTS, interval=spread)


def _slots(found: Sequence[tuple[SpeechClip, Record]]) -> Iterator[Figure]:
    if not found:
        return
    ours, stock = (
        sum(slots_found(clip.slots, way(item, name)["text"]) for clip, item in found) for name in ("ours", "stock")
    )
    yield Figure("slots said", sum(len(clip.slots) for clip, _ in found), "")
    yield Figure("faster-whisper: slots heard", stock, "")
    yield Figure("ours: slots heard", ours, "")
    yield Figure("slots fewer than faster-whisper", stock - ours, "", limit=SLOTS_FEWER)


def _work(items: Sequence[Record]) -> Iterator[Figure]:
    ours = [way(item, "ours") for item in items]
    yield Figure("ours: made again with the whole window", sum(one["passes"] > 1 for one in ours), "clips")
    yield Figure("ours: encoder frames", sum(one["encoder_frames"] for one in ours), "")


def way(item: Record, name: str) -> Mapping[str, Any]:
    found = item[name]
    assert isinstance(found, Mapping)
    return found
