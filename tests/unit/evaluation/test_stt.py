"""The figures of recognition beside a peer, from set measurements; clips and their halves from real labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation import noise, stt
from aria_desktop.evaluation.noise_sounds import LEVELS_DB, Piece, generated, recorded, seconds_of, within
from aria_desktop.evaluation.records import Records
from aria_desktop.evaluation.report import Report
from aria_desktop.evaluation.speech_clips import (
    Half,
    SpeechClip,
    clips_hash,
    half_of,
    noise_clips,
    speech_clips,
    spread,
)
from aria_desktop.testing.sounds import silence, tone
from tests.conftest import REPOSITORY

DATA = REPOSITORY / "tests" / "data"
LAMP = SpeechClip("a/lamp", Path("lamp"), "turn on the lamp")
LIGHT = SpeechClip("a/light", Path("light"), "turn on the light")
MOCHA = SpeechClip("b/mocha", Path("mocha"), "", ("mocha", "two shots"))


def told(text: str, seconds: float = 1.0, passes: int = 1) -> Mapping[str, Any]:
    return {"text": text, "seconds": seconds, "passes": passes, "encoder_frames": 600, "words": []}


def records(items: Mapping[str, Mapping[str, object]]) -> Records:
    kept = Records(None, {})
    for name, item in items.items():
        kept.add(name, item)
    return kept


def value(report: Report, name: str) -> float:
    (figure,) = (figure for figure in report.figures if figure.name == name)
    return figure.value


def test_words_slots_and_time() -> None:
    items = {
        "a/lamp": {"round": 0, "speech_s": 2.0, "ours": told("Turn on the lamp.", 0.1), "stock": told("", 0.4)},
        "a/light": {"round": 1, "speech_s": 3.0, "ours": told("Turn on the lie.", 0.4, 2), "stock": told("", 0.4)},
        "b/mocha": {"round": 2, "speech_s": 9.0, "ours": told("mocha", 9.0), "stock": told("A mocha, 2 shots.", 1.0)},
    }
    found = stt.report([LAMP, LIGHT, MOCHA], records(items))
    assert value(found, "clips with 1 to 6 s of speech") == 2
    assert value(found, "times faster, median") == pytest.approx(2.0)
    assert value(found, "slowest clip: share of the stock time") == 1.0
    assert value(found, "words said") == 8
    assert value(found, "ours: words wrong") == 12.5
    assert value(found, "more words wrong than faster-whisper") == -87.5
    assert value(found, "slots fewer than faster-whisper") == 1
    assert value(found, "ours: made again with the whole window") == 1


def test_without_clips_of_that_length_there_is_no_figure() -> None:
    items = {"a/lamp": {"round": 0, "speech_s": 0.4, "ours": told(""), "stock": told("")}}
    with pytest.raises(UsageError, match="1 to 6 seconds"):
        stt.report([LAMP], records(items))


def test_turns_and_words_that_nobody_said() -> None:
    pieces = [Piece("hum", silence(60.0, SPEECH)), Piece("waltz", silence(60.0, SPEECH))]
    items = {
        "hum": {"ours": told("", passes=0), "stock": told("Thank you.")},
        "waltz": {"ours": told("So."), "stock": told("")},
        "b/mocha": {"ours": told("mocha"), "stock": told("mocha two shots")},
    }
    found = noise.report(pieces, [MOCHA], records(items))
    assert value(found, "minutes without speech") == 2.0
    assert value(found, "ours: turns") == 1
    assert not found.met
    assert value(found, "words fewer than faster-whisper") == 1
    assert value(found, "ours: pieces decoded at all") == 1
    assert value(found, "slots fewer than faster-whisper") == 50.0


def test_labelled_speech_is_found_and_divided_by_name() -> None:
    clips = speech_clips(DATA)
    names = {clip.name for clip in clips}
    assert {"read/jfk_inaugural_en.flac", "commands/order_drink_031_0c6a26aa.flac"} <= names
    assert not any(name.startswith(("turns/", "noise/")) or "light_de" in name for name in names)
    assert all(bool(clip.said) != bool(clip.slots) for clip in clips)
    halves = [{clip.name for clip in speech_clips(DATA, half)} for half in (Half.TUNED_ON, Half.HELD_OUT)]
    assert halves[0] | halves[1] == names
    assert not halves[0] & halves[1]
    assert all(half_of(name) is Half.TUNED_ON for name in halves[0])


def test_some_clips_are_spread_over_all() -> None:
    clips = tuple(SpeechClip(str(number), Path()) for number in range(10))
    assert [clip.name for clip in spread(clips, 4)] == ["0", "3", "6", "9"]
    assert [clip.name for clip in spread(clips, 3)] == ["0", "4", "8"]
    assert spread(clips, None) == spread(clips, 99) == clips


def test_the_hash_knows_the_sounds_and_the_words(tmp_path: Path) -> None:
    (tmp_path / "a.flac").write_bytes(b"a")
    clip = SpeechClip("a", tmp_path / "a.flac", "hello")
    before = clips_hash([clip])
    assert clips_hash([SpeechClip("a", tmp_path / "a.flac", "bye")]) != before
    (tmp_path / "a.flac").write_bytes(b"b")
    assert clips_hash([clip]) != before
    (tmp_path / "a.flac").unlink()
    with pytest.raises(UsageError, match=r"a\.flac"):
        clips_hash([clip])


@pytest.mark.parametrize("labels", ["", "[]", '{"clips": [7]}', '{"clips": {}}', "[" * 100_000])
def test_labels_that_are_none(labels: str, tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(labels)
    with pytest.raises(UsageError):
        speech_clips(tmp_path)


def test_folders_without_speech_or_noise(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no labels"):
        speech_clips(tmp_path / "gone")
    (tmp_path / "labels.json").write_text(json.dumps({"clips": [{"file": "gone.flac", "language": "en", "text": "a"}]}))
    with pytest.raises(UsageError, match="no labelled"):
        speech_clips(tmp_path)
    with pytest.raises(UsageError, match="noise"):
        noise_clips(tmp_path)


def test_noise_is_as_loud_as_it_is_called_and_the_same_each_time() -> None:
    made = list(generated())
    assert seconds_of(made) == 150.0
    assert [piece.sound for piece in made] == [piece.sound for piece in generated()]
    assert [round(level_db(piece.sound)) for piece in made[:9]] == [-20, -30, -40] * 3


def test_recordings_come_at_three_levels_and_silence_once() -> None:
    clips = [clip for clip in noise_clips(DATA) if "silence" in clip.name or "freesound" in clip.name]
    pieces = list(recorded(clips))
    assert [level_db(piece.sound) for piece in pieces[:3]] == pytest.approx(list(LEVELS_DB), abs=1.0)
    assert sum("silence" in piece.name for piece in pieces) == 1


def test_noise_lies_under_speech_at_the_ratio_asked_for() -> None:
    speech = AudioChunk(SPEECH, silence(1.0, SPEECH).pcm + tone(1.0, SPEECH).pcm + silence(2.0, SPEECH).pcm)
    mixed = within(speech, tone(0.5, SPEECH, hertz=100.0), 12.0)
    loudest_quarter = level_db(tone(1.0, SPEECH))
    assert level_db(mixed.cut(2.0, 4.0)) == pytest.approx(loudest_quarter - 12.0, abs=1.0)


def level_db(sound: AudioChunk) -> float:
    import numpy as np

    samples = np.frombuffer(sound.pcm, "<i2") / 32768
    return float(10 * np.log10(np.mean(samples**2)))
