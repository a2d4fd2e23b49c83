"""The voice on the real model: what it says can be recognised, and no text does it harm."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aria_desktop.core.audio import AudioChunk, AudioFormat, joined
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.engines.voice.piper import Piper, load

VOICE = "en_US-joe-medium"


@pytest.fixture(scope="module")
def voice(models_dir: Path) -> Piper:
    return load(str(models_dir / VOICE), {})


def spoken(voice: Piper, text: str) -> list[AudioChunk]:
    return list(voice.synthesize(text, CancelToken()))


def seconds(chunks: list[AudioChunk]) -> float:
    return sum(chunk.seconds for chunk in chunks)


def test_sentences_come_in_pieces_the_first_of_them_short(voice: Piper) -> None:
    chunks = spoken(voice, "I made the file. It holds milk, eggs and bread.")
    assert len(chunks) > 2
    assert chunks[0].seconds < 0.3
    assert {chunk.format for chunk in chunks} == {AudioFormat(22_050)}
    assert 1.5 < seconds(chunks) < 8
    assert max(memoryview(chunks[0].pcm).cast("h")) > 3000


def test_pieces_are_the_same_sound_as_the_whole_at_once(models_dir: Path) -> None:
    voice = load(str(models_dir / VOICE), {"steady": True})
    text = "The quick brown fox jumps over the lazy dog, and the lazy dog does not mind it in the least."
    in_pieces = spoken(voice, text)
    voice._decoder.streams = False
    (whole,) = spoken(voice, text)
    assert len(in_pieces) > 3
    samples, together = (np.frombuffer(pcm, "<i2").astype(int) for pcm in (whole.pcm, joined(in_pieces).pcm))
    assert len(samples) == len(together)
    assert np.abs(samples - together).max() <= 2


def test_a_short_word_is_not_made_as_loud_as_a_sentence(voice: Piper) -> None:
    quiet, loud = (max(memoryview(joined(spoken(voice, text)).pcm).cast("h")) for text in ("Hm.", "Stop, Peter, stop!"))
    assert quiet < loud <= 32767


def test_what_it_says_of_itself(voice: Piper) -> None:
    assert voice.capabilities.voice is not None
    assert voice.capabilities.voice.language == "en"
    assert "CPU" in voice.capabilities.detail


def test_twice_as_fast_is_about_half_as_long(voice: Piper, models_dir: Path) -> None:
    text = "The quick brown fox jumps over the lazy dog."
    fast = load(str(models_dir / VOICE), {"speed": 2.0})
    assert 0.35 < seconds(spoken(fast, text)) / seconds(spoken(voice, text)) < 0.7


@pytest.mark.parametrize("speed", [0.0, -1.0, 100.0])
def test_an_impossible_speed_is_refused(models_dir: Path, speed: float) -> None:
    with pytest.raises(EngineFailed, match="times its speed"):
        load(str(models_dir / VOICE), {"speed": speed})


SAID = {
    "two dots at the end": "Well ..",
    "emoji between words": "Great 😀 news 👍🏽!",
    "letters without a voice": "你好，世界",
    "a number of a hundred digits": "1" + "0" * 100,
    "control characters": "a\x1b[31mb\x00c\x07",
    "SSML": "<speak>hi <break time='9s'/></speak>",
    "half a surrogate pair": "one \ud800 two",
    "mixed directions": "abc \u202e אבג def",
    "phonemes": "[[ h@loU ]] there",
    "words outside the phoneme map": "ǂ ʘ ɮ ꙮ",
    "a word that never ends": "x" * 300,
    "a path and marks": "C:\\Users\\x & `y` | z",
}
SILENT = {"empty": "", "spaces": "   \n ", "only punctuation": "...?!—", "only emoji": "😀👍", "only NUL": "\x00"}


@pytest.mark.parametrize("text", SAID.values(), ids=SAID)
def test_odd_text_is_spoken(voice: Piper, text: str) -> None:
    assert 0.1 < seconds(spoken(voice, text)) < 120


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_has_nothing_to_say_makes_no_sound(voice: Piper, text: str) -> None:
    assert spoken(voice, text) == []


def test_a_hundred_thousand_characters_begin_at_once_and_can_be_stopped(voice: Piper) -> None:
    cancel = CancelToken()
    chunks = voice.synthesize("This sentence is one of very many. " * 3000, cancel)
    assert next(chunks).seconds < 12
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(chunks)


def test_long_pieces_do_not_keep_their_memory(models_dir: Path) -> None:
    """In a process of its own: what other tests left in this one comes and goes."""
    program = f"""
import psutil
from aria_desktop.core.cancel import CancelToken
from aria_desktop.engines.voice.piper import load

voice = load({str(models_dir / VOICE)!r}, {{}})
for _ in range(4):
    list(voice.synthesize("word " * 40, CancelToken()))
    print(psutil.Process().memory_info().rss)
"""
    found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    first, *_, last = map(int, found.stdout.split())
    assert last - first < 100e6


def cut_in_half(folder: Path) -> None:
    (model,) = folder.glob("*.onnx")
    model.write_bytes(model.read_bytes()[: model.stat().st_size // 2])


def drop_description(folder: Path) -> None:
    for description in folder.glob("*.json"):
        description.unlink()


def garble_description(folder: Path) -> None:
    for description in folder.glob("*.json"):
        description.write_text("{")


@pytest.mark.parametrize("harm", [cut_in_half, drop_description, garble_description])
def test_a_harmed_voice_is_said_to_be_harmed(models_dir: Path, tmp_path: Path, harm: Callable[[Path], None]) -> None:
    folder = tmp_path / VOICE
    shutil.copytree(models_dir / VOICE, folder)
    harm(folder)
    with pytest.raises(ModelDamaged, match=VOICE):
        load(str(folder), {})


def test_a_voice_that_would_fetch_a_dictionary_is_refused(models_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / VOICE
    shutil.copytree(models_dir / VOICE, folder)
    (description,) = folder.glob("*.onnx.json")
    data = json.loads(description.read_text("utf-8"))
    description.write_text(json.dumps({**data, "phoneme_type": "pinyin"}))
    with pytest.raises(EngineFailed, match="from the internet"):
        load(str(folder), {})


def test_a_voice_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        load(str(tmp_path), {})


def test_a_steady_voice_says_the_same_text_the_same_way(models_dir: Path) -> None:
    steady = load(str(models_dir / "en_US-joe-medium"), {"steady": True})
    first, second = (spoken(steady, "Milk, eggs and bread.") for _ in range(2))
    assert first == second
