"""Which files of a folder a benchmark takes for recordings."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.chain import readable_sounds

RECORDING = next((Path(__file__).resolve().parents[2] / "data" / "commands").glob("*.flac"))


def test_sounds_are_known_by_their_content(tmp_path: Path) -> None:
    shutil.copy(RECORDING, tmp_path / "b.recording")
    shutil.copy(RECORDING, tmp_path / "a")
    (tmp_path / "labels.wav").write_text("no sound")
    (tmp_path / "sub.flac").mkdir()
    assert [name for name, _ in readable_sounds(tmp_path)] == ["a", "b.recording"]


def test_a_folder_without_sounds_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "one.wav").write_text("no sound")
    with pytest.raises(UsageError, match=r"None of the 1 files in .* is a sound\. one\.wav"):
        readable_sounds(tmp_path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        readable_sounds(tmp_path / "nowhere")
