"""Sinks without a loudspeaker."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from aria_desktop.audio.wav import NullSink, WavSink, write_wav
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.errors import SpeakerMissing

VOICE = AudioFormat(22_050)


def chunk(value: int, frames: int = 2205) -> AudioChunk:
    return AudioChunk(VOICE, value.to_bytes(2, "little", signed=True) * frames)


def content(path: Path) -> tuple[int, int, int, bytes]:
    with wave.open(str(path), "rb") as file:
        return file.getframerate(), file.getnchannels(), file.getsampwidth(), file.readframes(1 << 20)


def test_the_file_appears_whole_when_the_speech_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "reply.wav"
    sink = WavSink(path)
    sink.play(chunk(1))
    sink.play(chunk(-2))
    assert list(tmp_path.iterdir()) == []
    assert sink.finish() == 0.2
    assert content(path) == (22_050, 1, 2, chunk(1).pcm + chunk(-2).pcm)
    assert [entry.name for entry in tmp_path.iterdir()] == ["reply.wav"]
    assert sink.name == str(path)


def test_interrupted_speech_leaves_no_file_and_the_next_reply_starts_afresh(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "reply.wav")
    sink.play(chunk(1))
    assert sink.stop_now() == 0.0
    assert sink.finish() == 0.0
    assert list(tmp_path.iterdir()) == []
    sink.play(chunk(3))
    sink.finish()
    assert content(tmp_path / "reply.wav")[3] == chunk(3).pcm


def test_a_file_that_can_not_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    with pytest.raises(SpeakerMissing, match=r"can't be written to .*nowhere"):
        write_wav(tmp_path / "nowhere" / "reply.wav", chunk(1))
    (tmp_path / "reply.wav").mkdir()
    with pytest.raises(SpeakerMissing, match=r"can't be written"):
        write_wav(tmp_path / "reply.wav", chunk(1))
    assert [entry.name for entry in tmp_path.iterdir()] == ["reply.wav"]


def test_one_reply_has_one_format(tmp_path: Path) -> None:
    sink = WavSink(tmp_path / "reply.wav")
    sink.play(chunk(1))
    with pytest.raises(ValueError, match="after one of"):
        sink.play(AudioChunk(AudioFormat(16_000), b"\0\0"))


def test_without_a_loudspeaker_time_is_still_counted() -> None:
    sink = NullSink()
    sink.play(chunk(1))
    sink.play(chunk(1))
    assert sink.finish() == pytest.approx(0.2)
    assert sink.finish() == 0.0
