"""What the real voice makes of figures, as the real recogniser hears it: it writes figures again, the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aria_desktop.assistant.speakable import speakable
from aria_desktop.audio.resampling import Resampler
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.interfaces import RecognitionHints
from aria_desktop.core.transcript import Segment
from aria_desktop.engines.speech.faster_whisper import FasterWhisper
from aria_desktop.engines.speech.faster_whisper import load as load_recogniser
from aria_desktop.engines.voice.piper import Piper
from aria_desktop.engines.voice.piper import load as load_voice

HEARD = {
    "The meeting is on 2026-12-01 at 14:30.": r"december (1|1st|first),? 2026 at 14[:.]?30",
    "It costs $5.20, which is 12.5 % more.": r"\$5\.20.* 12\.5 ?%",
    "The file is 3.5 GB large.": r"3\.5 ?(gb|gigabytes)",
    "Version 3.11.4 is the 2nd of 3.": r"3\.11\.4 is the (second|2nd) of (3|three)",
    "Pages 3-5 hold 1,440 words.": r"(3|three)( ?- ?| to )(5|five) hold 1,?440 words",
    "Write to anna@example.org, see https://example.org/a/b.": r"example ?(\.|dot) ?org[.,]? see a link",
}


@pytest.fixture(scope="module")
def voice(models_dir: Path) -> Piper:
    return load_voice(str(models_dir / "en_US-joe-medium"), {"steady": True})


@pytest.fixture(scope="module")
def recogniser(models_dir: Path) -> FasterWhisper:
    return load_recogniser(str(models_dir / "faster-whisper-base"), {"gpu": "off"})


@pytest.mark.parametrize(("text", "heard"), HEARD.items(), ids=HEARD)
def test_figures_are_heard_as_they_were_written(text: str, heard: str, voice: Piper, recogniser: FasterWhisper) -> None:
    sound = joined(list(voice.synthesize(speakable(text, "en"), CancelToken())))
    speech = AudioChunk(SPEECH, Resampler(sound.format, SPEECH).push(sound.pcm, last=True))
    found = recogniser.transcribe(speech, RecognitionHints("en"), CancelToken())
    words = " ".join(segment.text for segment in found if isinstance(segment, Segment))
    assert re.search(heard, words.lower()), words
