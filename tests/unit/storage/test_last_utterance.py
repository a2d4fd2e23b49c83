"""The sound of what was said last: there until its words are accepted, and then gone."""

from __future__ import annotations

import stat
import wave
from pathlib import Path

import pytest

from aria_desktop.core.audio import SPEECH
from aria_desktop.storage.last_utterance import NAME, LastUtterance
from aria_desktop.testing.sounds import tone

SOUND, OTHER = tone(0.5, SPEECH), tone(0.25, SPEECH)


def kept(folder: Path) -> bytes:
    with wave.open(str(folder / NAME), "rb") as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        return file.readframes(file.getnframes())


def test_it_is_kept_for_the_user_alone_until_its_words_are_accepted(tmp_path: Path) -> None:
    last = LastUtterance(tmp_path)
    last.keep("t1", SOUND)
    assert kept(tmp_path) == SOUND.pcm
    assert stat.S_IMODE((tmp_path / NAME).stat().st_mode) == 0o600
    last.accepted("t1")
    assert list(tmp_path.iterdir()) == []
    last.accepted("t1")


def test_the_next_one_takes_its_place_and_an_earlier_turn_removes_nothing(tmp_path: Path) -> None:
    last = LastUtterance(tmp_path)
    last.keep("t1", SOUND)
    last.keep("t2", OTHER)
    last.accepted("t1")
    assert kept(tmp_path) == OTHER.pcm


def test_where_it_can_not_be_kept_nobody_is_held_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    last = LastUtterance(tmp_path / "gone")
    last.keep("t1", SOUND)
    last.accepted("t1")
    assert "could not be kept" in caplog.text
