"""Where in a recording somebody speaks, and how much speaks for it. Silero's verdicts in, spans out.

A recogniser writes words for noise, music and silence too, so nothing is decoded without evidence of speech. Noise, a
dance and a whale leave less than three frames above even odds in one place; a voice leaves dozens. A whisper can leave
none: what only might be speech is decoded, and then has to convince by its words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from faster_whisper.vad import get_vad_model
from numpy.typing import NDArray

from aria_desktop.core.audio import SPEECH

FRAME = 512
"""Samples of one verdict."""
FRAME_S = FRAME / SPEECH.rate
_LIKELY = 0.5
_POSSIBLE = 0.25
"""A whisper is here; noise in a room stays below."""
_LEAST = 3
"""Frames of a stretch that count: fewer are a click."""
_GAP = 10
"""Frames without speech that a stretch may hold."""
_NEAR_S = 1.0
"""What only might be speech belongs to speech so near: a last word that fades."""


class Evidence(IntEnum):
    NONE = 0
    WEAK = 1
    """Something that may be speech."""
    STRONG = 2


@dataclass(frozen=True, slots=True)
class Stretch:
    start: float
    """Seconds from the first sample."""
    end: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class SpeechFound:
    evidence: Evidence
    start: float = 0.0
    """Of the first speech, seconds from the first sample."""
    end: float = 0.0
    """Of the last speech."""


def speech_in(samples: NDArray[np.float32], most_s: float) -> tuple[SpeechFound, ...]:
    """The parts of samples at 16 kHz, between -1 and 1, as `parts_of` cuts them."""
    return parts_of(stretches(verdicts(samples)), most_s)


def verdicts(samples: NDArray[np.float32]) -> Sequence[float]:
    """One for each frame, the last one filled up with silence."""
    if not len(samples):
        return ()
    whole = np.pad(samples, (0, -len(samples) % FRAME))
    found: list[float] = np.asarray(get_vad_model()(whole)).ravel().tolist()
    return found


def stretches(probabilities: Sequence[float]) -> tuple[Stretch, ...]:
    """What may be speech, in order. Pure."""
    places = [place for place, probability in enumerate(probabilities) if probability > _POSSIBLE]
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= _GAP:
            groups[-1].append(place)
        else:
            groups.append([place])
    found = []
    for group in groups:
        likely = sum(probabilities[place] > _LIKELY for place in group)
        if len(group) >= _LEAST:
            evidence = Evidence.STRONG if likely >= _LEAST else Evidence.WEAK
            found.append(Stretch(group[0] * FRAME_S, (group[-1] + 1) * FRAME_S, evidence))
    return tuple(found)


def speech_of(found: Sequence[Stretch]) -> SpeechFound:
    """From the first to the last that counts: all strong ones and what is near them; else the weak ones. Pure."""
    counted = _counted(found)
    if not counted:
        return SpeechFound(Evidence.NONE)
    best = max(stretch.evidence for stretch in counted)
    return SpeechFound(best, min(stretch.start for stretch in counted), max(stretch.end for stretch in counted))


def parts_of(found: Sequence[Stretch], most_s: float) -> tuple[SpeechFound, ...]:
    """What counts, cut in its longest pauses until no part is longer than `most_s`; a stretch without a pause stays
    whole. Pure."""
    return tuple(speech_of(part) for part in _cut(_counted(found), most_s))


def _counted(found: Sequence[Stretch]) -> Sequence[Stretch]:
    best = max((stretch.evidence for stretch in found), default=Evidence.NONE)
    strong = [stretch for stretch in found if stretch.evidence is best]
    if not strong:
        return ()
    start, end = strong[0].start, strong[-1].end
    return [stretch for stretch in found if stretch.end > start - _NEAR_S and stretch.start < end + _NEAR_S]


def _cut(found: Sequence[Stretch], most_s: float) -> Iterator[Sequence[Stretch]]:
    if len(found) < 2 or found[-1].end - found[0].start <= most_s:
        if found:
            yield found
        return
    at = max(range(1, len(found)), key=lambda number: found[number].start - found[number - 1].end)
    yield from _cut(found[:at], most_s)
    yield from _cut(found[at:], most_s)
