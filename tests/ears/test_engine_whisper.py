"""The recogniser on real models: speech becomes its words, silence and noise become nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.core.interfaces import RecognitionHints
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment
from aria_desktop.engines.speech import faster_whisper
from aria_desktop.engines.speech.faster_whisper import FasterWhisper, load
from aria_desktop.testing.sounds import silence, tone

Read = Callable[[str], AudioChunk]
Labels = dict[str, dict[str, Any]]
SMALL = "faster-whisper-tiny.en"


@pytest.fixture(scope="module")
def english(models_dir: Path) -> FasterWhisper:
    return load(str(models_dir / SMALL), {})


@pytest.fixture(scope="module")
def many(models_dir: Path) -> FasterWhisper:
    return load(str(models_dir / "faster-whisper-base"), {})


def told(
    engine: FasterWhisper, sound: AudioChunk, hints: RecognitionHints
) -> tuple[str, list[Segment], RecognitionEnd]:
    language, *segments, end = engine.transcribe(sound, hints, CancelToken())
    assert isinstance(language, str)
    assert isinstance(end, RecognitionEnd)
    assert all(isinstance(segment, Segment) for segment in segments)
    assert (end.nothing is Nothing.NONE) == bool(segments)
    return language, [segment for segment in segments if isinstance(segment, Segment)], end


def heard(engine: FasterWhisper, sound: AudioChunk, language: str = "") -> tuple[str, list[Segment]]:
    found, segments, _ = told(engine, sound, RecognitionHints(language))
    return found, segments


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower().replace("5", "five"))


def misses(said: list[str], heard_words: list[str]) -> int:
    """Words inserted, left out or changed."""
    row = list(range(len(heard_words) + 1))
    for i, word in enumerate(said, 1):
        last, row[0] = row[0], i
        for j, other in enumerate(heard_words, 1):
            last, row[j] = row[j], min(last + (word != other), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def test_clear_speech_becomes_its_words(english: FasterWhisper, clips: Labels, clip: Read) -> None:
    wrong = total = 0
    for name, label in clips.items():
        if name.startswith(("read/", "prompts/")) and label.get("language") == "en":
            _, segments = heard(english, clip(name))
            said = words(label["text"])
            wrong += misses(said, words(" ".join(segment.text for segment in segments)))
            total += len(said)
    assert total > 60
    assert wrong / total < 0.15


def test_a_command_takes_a_part_of_the_window_and_is_heard_the_same(
    english: FasterWhisper, clip: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = clip("read/command_living_room_light_en.flac")
    _, short, end = told(english, sound, RecognitionHints())
    assert (end.passes, end.encoder_frames) == (1, 800)
    doubts = iter([True, False])
    monkeypatch.setattr(faster_whisper, "is_doubtful", lambda *_: next(doubts))
    _, full, end = told(english, sound, RecognitionHints())
    assert (end.passes, end.encoder_frames) == (2, 3800)
    assert words(short[0].text) == words(full[0].text) == words("Turn on the living room light.")


def test_short_windows_are_believed_and_nothing_is_decoded_for_long(
    english: FasterWhisper, clips: Labels, clip: Read
) -> None:
    """Work, which is the same on every machine: one pass in a window of the speech's size for nearly every clip."""
    ends = [
        told(english, clip(name), RecognitionHints())[2]
        for name, label in clips.items()
        if name.startswith(("read/", "prompts/", "commands/")) and label["language"] == "en"
    ]
    short = [end for end in ends if end.speech_s < 6]
    assert len(short) > 10
    assert sum(end.passes for end in short) <= len(short) + 1
    assert sum(end.encoder_frames for end in short) / len(short) < 1100
    assert all(end.tokens <= 12 + 8 * end.speech_s for end in short if end.passes == 1)


def test_a_long_recording_loses_no_sentence_and_gains_none(english: FasterWhisper, clip: Read) -> None:
    """Cut where the window ends, the small model leaves half of these out and thanks for watching."""
    names = ["command_living_room_light_en", "librivox_austen_0930_en", "ljspeech_LJ001-0013_en"]
    speech = joined([part for name in names for part in (clip(f"read/{name}.flac"), silence(0.8, SPEECH))])
    _, segments, end = told(english, joined([speech] * 3), RecognitionHints())
    said = ["turn on the living room light", "he might even have been made amiable himself"]
    said.append("then in the same operations with ugly ones")
    assert words(" ".join(segment.text for segment in segments)) == words(" ".join(said * 3))
    starts = [segment.start for segment in segments]
    assert starts == sorted(starts)
    assert len(segments) >= 7, "a segment a sentence"
    assert end.passes > 1


def test_who_does_not_pause_is_read_in_the_whole_window(english: FasterWhisper, clip: Read) -> None:
    sentence = clip("read/ljspeech_LJ001-0013_en.flac").pcm[: round(2.4 * SPEECH.rate) * SPEECH.frame_bytes]
    _, segments, end = told(english, AudioChunk(SPEECH, sentence * 13), RecognitionHints())
    assert words(" ".join(segment.text for segment in segments)).count("operations") >= 9
    assert end.passes == 1
    assert end.encoder_frames >= 3000


def test_words_have_times_and_probabilities(english: FasterWhisper, clip: Read) -> None:
    sound = clip("read/jfk_inaugural_en.flac")
    _, segments = heard(english, sound)
    found = [word for segment in segments for word in segment.words]
    assert [word.text.strip(",.").lower() for word in found][:4] == ["and", "so", "my", "fellow"]
    assert all(0 <= word.probability <= 1 for word in found)
    assert all(word.start <= word.end <= sound.seconds + 0.1 for word in found)
    assert [word.start for word in found] == sorted(word.start for word in found)


def test_times_count_from_the_start_of_the_recording(english: FasterWhisper, clip: Read) -> None:
    speech = clip("read/command_living_room_light_en.flac")
    _, segments = heard(english, joined([silence(6.0, SPEECH), speech]))
    assert 5.5 < segments[0].words[0].start < 7.5


@pytest.mark.parametrize("language", ["de", "es", "en"])
def test_the_language_is_found(many: FasterWhisper, clip: Read, language: str) -> None:
    found, segments = heard(many, clip(f"read/command_living_room_light_{language}.flac"))
    assert found == language
    assert segments


def test_a_language_that_is_given_is_used(many: FasterWhisper, clip: Read) -> None:
    found, segments = heard(many, clip("read/command_living_room_light_es.flac"), "es")
    assert found == "es"
    assert "luz" in segments[0].text.lower()


def test_a_language_that_the_model_does_not_know(english: FasterWhisper, clip: Read) -> None:
    with pytest.raises(EngineFailed, match="does not know the language 'es'") as raised:
        heard(english, clip("read/hello_world_en.flac"), "es")
    assert "en" in raised.value.hint


@pytest.mark.parametrize(
    ("sound", "nothing"),
    [
        (AudioChunk(SPEECH, b""), Nothing.TOO_SHORT),
        (silence(0.01, SPEECH), Nothing.TOO_SHORT),
        (silence(10.0, SPEECH), Nothing.ZEROS),
        (tone(3.0, SPEECH, level=0.001), Nothing.QUIET),
        (tone(3.0, SPEECH), Nothing.NOISE),
        (tone(3.0, SPEECH, hertz=60.0, level=1.0), Nothing.NOISE),
    ],
    ids=["nothing", "a click", "silence", "hardly a tone", "a tone", "a hum"],
)
def test_no_speech_is_no_text_and_nothing_is_decoded(many: FasterWhisper, sound: AudioChunk, nothing: Nothing) -> None:
    assert told(many, sound, RecognitionHints()) == ("", [], RecognitionEnd(nothing))


@pytest.mark.parametrize("name", ["silence_10s", "white_noise_minus40dbfs_10s", "noise_freesound_573577"])
def test_noise_is_no_text(many: FasterWhisper, clip: Read, name: str) -> None:
    _, segments, end = told(many, clip(f"noise/{name}.flac"), RecognitionHints())
    assert segments == []
    assert end.encoder_frames == 0


def test_a_cancel_between_segments(english: FasterWhisper, clip: Read) -> None:
    cancel = CancelToken()
    answers = english.transcribe(clip("read/jfk_inaugural_en.flac"), RecognitionHints(), cancel)
    assert next(answers) == "en"
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(answers)


def test_what_it_says_of_itself(english: FasterWhisper, many: FasterWhisper) -> None:
    assert english.capabilities.languages == ("en",)
    assert {"en", "es", "de"} < set(many.capabilities.languages)
    assert "CPU" in many.capabilities.detail


def test_a_graphics_card_that_is_switched_off(models_dir: Path) -> None:
    engine = load(str(models_dir / SMALL), {"gpu": "off", "threads": 1})
    assert engine.capabilities.detail == "CPU, 8-bit, 1 thread: the graphics card is switched off in the settings"


@pytest.mark.parametrize("works", [True, False], ids=["works", "does not work"])
def test_a_graphics_card_is_tried_and_the_reason_said(
    models_dir: Path, monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    asked: list[tuple[str, str]] = []
    on_cpu = load(str(models_dir / SMALL), {})._model

    def whisper(_path: str, device: str, compute_type: str, local_files_only: bool, **_more: int) -> Any:
        assert local_files_only
        asked.append((device, compute_type))
        if device == "cuda" and not works:
            raise RuntimeError("libcublas is missing")
        return on_cpu

    monkeypatch.setattr(faster_whisper, "WhisperModel", whisper)
    monkeypatch.setattr("ctranslate2.get_cuda_device_count", lambda: 1)
    detail = load(str(models_dir / SMALL), {}).capabilities.detail
    assert asked == ([("cuda", "float16")] if works else [("cuda", "float16"), ("cpu", "int8")])
    assert ("graphics card, 16-bit" in detail) == works
    assert ("libcublas is missing" in detail) != works


def cut_weights(folder: Path) -> None:
    weights = folder / "model.bin"
    weights.write_bytes(weights.read_bytes()[:1_000_000])


def garble_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{}")


def text_for_weights(folder: Path) -> None:
    (folder / "model.bin").write_text("no model")


@pytest.mark.parametrize("harm", [cut_weights, garble_tokenizer, text_for_weights])
def test_a_harmed_model_is_said_to_be_harmed(models_dir: Path, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    folder = tmp_path / SMALL
    shutil.copytree(models_dir / SMALL, folder)
    harm(folder)
    with pytest.raises(ModelDamaged, match=SMALL):
        load(str(folder), {})


@pytest.mark.parametrize("name", ["model.bin", "config.json", "tokenizer.json"])
def test_half_a_model_is_not_completed_from_anywhere(models_dir: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / SMALL
    shutil.copytree(models_dir / SMALL, folder)
    (folder / name).unlink()
    with pytest.raises(ModelMissing, match=name):
        load(str(folder), {})


def test_a_name_is_never_looked_up(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        load(str(tmp_path / "tiny.en"), {})
    with pytest.raises(ModelMissing):
        load("tiny.en", {})
