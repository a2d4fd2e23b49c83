"""`aria bench noise`: what recognisers write where nobody speaks, beside plain faster-whisper with its own detector.

Ten minutes of noise in pieces as long as a button may be held. Every piece goes to the program's engine as if it had
been said, without the help of the detector that listens before it; a piece with words would be a turn. So that a deaf
program does not pass, spoken commands in the noise of a kitchen go through the same processes with the same settings,
there beside the library as it is, without its detector.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.intervals import rate_difference
from aria_desktop.evaluation.noise_sounds import Piece, generated, recorded, seconds_of, within
from aria_desktop.evaluation.records import Record, Records
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.evaluation.speech_arms import OurEars, WhisperPeer
from aria_desktop.evaluation.speech_clips import SpeechClip
from aria_desktop.evaluation.stt import cut_to_speech, way
from aria_desktop.evaluation.word_errors import readings, slots_found
from aria_desktop.workers.host import LoadSpec

TURNS = 0
SLOTS_POINTS = 2.0
"""Of a hundred; more may not be lost beside the plain library."""
SIGNAL_TO_NOISE_DB = 12.0
KITCHEN = "kitchen"
"""In the name of the recording that commands are mixed with."""

Show = Callable[[int, int, float | None], None]
"""Done, of how many, seconds left."""


def run(
    spec: LoadSpec, noise: Sequence[SpeechClip], spoken: Sequence[SpeechClip], records: Records, show: Show
) -> Report:
    """`spoken`: clips of which those with slots are taken. Raises UsageError when there is no kitchen, or no slot."""
    kitchen = next((clip for clip in noise if KITCHEN in clip.name), None)
    commands = [clip for clip in spoken if clip.slots]
    if kitchen is None or not commands:
        raise UsageError(
            "There is no recording of a kitchen, or no command with slots.", "Give --data a folder with both."
        )
    pieces = [*recorded(noise), *generated()]
    began, before, of = time.monotonic(), len(records.all), len(pieces) + len(commands)

    def keep(name: str, record: Record) -> None:
        records.add(name, record)
        left = (time.monotonic() - began) / (len(records.all) - before) * (of - len(records.all))
        show(len(records.all), of, max(0.0, left))

    with ExitStack() as stack:
        if len(records.all) < of:
            ours, peer = stack.enter_context(OurEars(spec)), stack.enter_context(WhisperPeer(spec))
            for piece in pieces:
                if piece.name not in records.all:
                    keep(piece.name, _unspoken(ours, peer, piece))
            under = kitchen.read()
            for clip in commands:
                if clip.name not in records.all:
                    sound = within(cut_to_speech(clip.read(), peer), under, SIGNAL_TO_NOISE_DB)
                    keep(clip.name, {"ours": ours.transcribed(sound), "stock": peer.transcribed(sound)})
    return report(pieces, commands, records)


def _unspoken(ours: OurEars, peer: WhisperPeer, piece: Piece) -> Record:
    return {"ours": ours.transcribed(piece.sound), "stock": peer.transcribed(piece.sound, vad_filter=True)}


def report(pieces: Sequence[Piece], commands: Sequence[SpeechClip], records: Records) -> Report:
    unspoken = [records.all[piece.name] for piece in pieces]
    items = [{"piece": name, **record} for name, record in records.all.items()]
    figures = [
        Figure("minutes without speech", seconds_of(pieces) / 60, ""),
        *_invented(unspoken),
        *_slots([(clip, records.all[clip.name]) for clip in commands]),
    ]
    return Report("noise", machine_line(), tuple(figures), tuple(items))


def _invented(unspoken: Sequence[Record]) -> Iterator[Figure]:
    ours, stock = ([_words(way(item, name)) for item in unspoken] for name in ("ours", "stock"))
    yield Figure("ours: turns", sum(words > 0 for words in ours), "", limit=TURNS)
    yield Figure("ours: words invented", sum(ours), "")
    yield Figure("faster-whisper with its detector: words invented", sum(stock), "")
    yield Figure("words fewer than faster-whisper", sum(stock) - sum(ours), "", least=0)
    yield Figure("ours: pieces decoded at all", sum(way(item, "ours")["passes"] > 0 for item in unspoken), "")


def _words(told: Mapping[str, Any]) -> int:
    return len(readings(told["text"])[0])


def _slots(found: Sequence[tuple[SpeechClip, Record]]) -> Iterator[Figure]:
    ours, stock = (
        [slots_found(clip.slots, way(item, name)["text"]) for clip, item in found] for name in ("ours", "stock")
    )
    said = [len(clip.slots) for clip, _ in found]
    yield Figure("slots said in the kitchen", sum(said), "")
    yield Figure("ours: slots heard", 100 * sum(ours) / sum(said), "%")
    yield Figure("faster-whisper: slots heard", 100 * sum(stock) / sum(said), "%")
    fewer, interval = rate_difference(list(zip(stock, ours, said, strict=True)))
    spread = (100 * interval[0], 100 * interval[1])
    yield Figure("slots fewer than faster-whisper", 100 * fewer, "points", limit=SLOTS_POINTS, interval=spread)
