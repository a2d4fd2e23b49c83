"""The network by itself; how it judges real speech is tested in tests/ears."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from aria_desktop.core.audio import SPEECH
from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.vad import silero
from aria_desktop.engines.vad.silero import SileroDetector, model_file
from aria_desktop.testing.sounds import tone


def test_it_takes_frames_of_512_samples_only() -> None:
    detector = SileroDetector()
    assert detector.frame_samples == 512
    with pytest.raises(ValueError, match="640 bytes are not one frame"):
        detector.speech_probability(bytes(640))


def test_silence_and_tones_are_no_speech_and_a_reset_forgets() -> None:
    detector = SileroDetector()
    assert max(detector.speech_probability(bytes(1024)) for _ in range(50)) < 0.1
    sound = tone(2.0, SPEECH).pcm
    frames = [sound[at : at + 1024] for at in range(0, len(sound) - 1024, 1024)]
    first = [detector.speech_probability(frame) for frame in frames]
    assert max(first) < 0.5
    detector.reset()
    second = [detector.speech_probability(frame) for frame in frames]
    detector.reset()
    assert [detector.speech_probability(frame) for frame in frames] == second


def test_the_recogniser_is_not_loaded_along() -> None:
    code = (
        "import sys\nfrom aria_desktop.engines.vad.silero import SileroDetector\nSileroDetector()\n"
        "print([name for name in ('faster_whisper', 'ctranslate2', 'av') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_a_missing_network_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert model_file().is_file()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(EngineFailed, match="is missing"):
        model_file()


def test_a_damaged_network_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    damaged = tmp_path_factory.mktemp("assets") / "silero_vad_v6.onnx"
    damaged.write_bytes(b"no network")
    monkeypatch.setattr(silero, "model_file", lambda: damaged)
    silero._session.cache_clear()
    with pytest.raises(EngineFailed, match="can't be loaded"):
        SileroDetector()
