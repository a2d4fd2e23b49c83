"""The detectors on real speech and real noise: what passes, and that the gate takes nothing away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from aria_desktop.app_audio import strict_detector
from aria_desktop.assistant.recognition import SPEECH_FROM, frames_of, speech_in
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.interfaces import VoiceActivityDetector
from aria_desktop.engines.vad.gated import GatedDetector
from aria_desktop.engines.vad.silero import SileroDetector
from aria_desktop.engines.vad.webrtc import WebRtcDetector
from tests.ears.conftest import DATA

SPOKEN = sorted(
    path.relative_to(DATA).as_posix()
    for folder in ("commands", "prompts", "read")
    for path in (DATA / folder).glob("*")
)
NOISES = sorted(path.relative_to(DATA).as_posix() for path in (DATA / "noise").glob("*"))

Clip = Callable[[str], AudioChunk]


def verdicts(audio: AudioChunk, vad: VoiceActivityDetector) -> Sequence[bool]:
    vad.reset()
    return [vad.speech_probability(frame) >= SPEECH_FROM for frame in frames_of(audio.pcm, vad)]


@pytest.mark.parametrize("name", SPOKEN)
def test_speech_is_found_where_energy_finds_it(name: str, clip: Clip) -> None:
    audio = clip(name)
    found, by_energy = speech_in(audio, strict_detector()), speech_in(audio, WebRtcDetector())
    assert found
    assert by_energy
    assert found.speech_start <= by_energy.speech_start + 0.6
    assert found.speech_end <= by_energy.speech_end + 0.3


@pytest.mark.parametrize("name", NOISES)
def test_noise_is_no_speech(name: str, clip: Clip) -> None:
    assert speech_in(clip(name), strict_detector()) is None


def test_energy_alone_takes_a_kitchen_for_speech(clip: Clip) -> None:
    """Why there is a second detector behind it."""
    assert speech_in(clip("noise/noise_freesound_573577.flac"), WebRtcDetector()) is not None


def test_the_gate_takes_nothing_away_and_lets_the_network_sleep(clip: Clip) -> None:
    same = frames = judged = 0
    for name in SPOKEN:
        audio = clip(name)
        gated = GatedDetector(WebRtcDetector(aggressiveness=0), SileroDetector())
        pairs = list(zip(verdicts(audio, gated), verdicts(audio, SileroDetector()), strict=True))
        same += sum(one == other for one, other in pairs)
        frames += len(pairs)
        judged += gated.judged
    assert same / frames > 0.995
    assert judged < 0.95 * frames
    quiet = GatedDetector(WebRtcDetector(aggressiveness=0), SileroDetector())
    assert not any(verdicts(clip("noise/silence_10s.flac"), quiet))
    assert quiet.judged == 0


def test_whispering_passes_where_a_key_says_that_something_is_said(clip: Clip) -> None:
    """The network is deaf to it; so a held key and a file are judged by energy."""
    whispered = clip("turns/voice_mfa_whisper.flac")
    assert speech_in(whispered, WebRtcDetector()) is not None


def test_the_data_is_there() -> None:
    assert len(SPOKEN) > 15
    assert len(NOISES) == 3
    assert isinstance(DATA, Path)
