"""`aria settings` as a user calls it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from aria_desktop import cli
from aria_desktop.core.errors import ExitCode
from aria_desktop.storage.paths import find_paths


@pytest.fixture
def file() -> Path:
    path = find_paths().settings_file
    path.parent.mkdir(parents=True)
    return path


def test_the_path_is_that_of_this_users_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings", "path"]) == ExitCode.OK
    assert capsys.readouterr().out == f"{file}\n"


def test_what_is_shown_is_a_whole_settings_file(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("[limits]\nsteps = 3\n")
    assert cli.main(["settings", "show"]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert tomllib.loads(shown)["limits"]["steps"] == 3
    file.write_text(shown)
    assert cli.main(["settings", "check"]) == ExitCode.OK
    assert "no problems" in capsys.readouterr().out


def test_a_setting_is_set_and_the_rest_stays(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("# mine\n[voice]\nspeed = 1.0 # slow\n")
    assert cli.main(["settings", "set", "voice.speed", "1.5"]) == ExitCode.OK
    assert file.read_text() == "# mine\n[voice]\nspeed = 1.5 # slow\n"
    assert "voice.speed = 1.5" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "value"), [("voice.sped", "1"), ("voice.speed", "fast"), ("voice", "1")])
def test_what_does_not_fit_is_refused_with_the_code_for_settings(
    file: Path, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    assert cli.main(["settings", "set", name, value]) == ExitCode.SETTINGS
    assert "voice" in capsys.readouterr().err
    assert not file.exists()


def test_checking_lists_every_problem_and_what_is_unknown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text('[limits]\nsteps = "x"\n[engnes]\n')
    assert cli.main(["settings", "check"]) == ExitCode.SETTINGS
    error = capsys.readouterr().err
    assert "line 2" in error
    assert "line 3" in error
    file.write_text("[cloud]\nx = 1\n")
    assert cli.main(["settings", "check"]) == ExitCode.OK
    assert "cloud is unknown" in capsys.readouterr().out


def test_without_a_file_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings", "check"]) == ExitCode.OK
    assert "default" in capsys.readouterr().out


def test_the_guide_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["settings", "guide"]) == ExitCode.OK
    assert capsys.readouterr().out.startswith("# Settings")


def test_starting_with_the_desktop_is_written_and_removed_with_its_setting(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "desktop"))
    entry = tmp_path / "desktop" / "autostart" / "aria-desktop.desktop"
    assert cli.main(["settings", "set", "window.autostart", "true"]) == ExitCode.OK
    assert "aria_desktop window" in entry.read_text()
    assert cli.main(["settings", "set", "window.autostart", "false"]) == ExitCode.OK
    assert not entry.exists()
    assert "autostart = false" in file.read_text()
