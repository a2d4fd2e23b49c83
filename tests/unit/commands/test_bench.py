"""Each benchmark is a sub-command with its own arguments, and what can't run ends with 2 before it measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.cli import main
from aria_desktop.commands.bench import BENCHES
from aria_desktop.core.errors import ExitCode


@pytest.mark.parametrize("name", BENCHES)
def test_each_has_a_help_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["bench", name, "--help"])
    assert "--out FILE" in capsys.readouterr().out


def test_a_name_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["bench"])
    assert "NAME" in capsys.readouterr().err


def test_a_place_that_can_not_be_written_is_refused_before_minutes_are_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "chain", "--out", str(tmp_path / "nowhere" / "out.json")]) == ExitCode.USAGE
    assert "can't be written" in capsys.readouterr().err


def test_a_folder_without_sounds_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.wav").write_text("no sound")
    assert main(["bench", "chain", "--data", str(tmp_path)]) == ExitCode.USAGE
    assert "is a sound" in capsys.readouterr().err
