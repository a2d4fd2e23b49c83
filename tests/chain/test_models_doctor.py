"""`aria doctor` as a process: what it finds, and the exit code of what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.errors import ExitCode


def doctor(*words: str, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "aria_desktop", "doctor", *words],
        env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout


def findings(**environment: str) -> tuple[int, dict[str, dict[str, Any]]]:
    code, out = doctor("--json", **environment)
    report = json.loads(out)
    assert report["exit_code"] == code
    return code, {finding["name"]: finding for finding in report["findings"]}


@pytest.mark.usefixtures("models_dir")
def test_a_machine_with_models_can_carry_commands_out_without_microphone_and_display() -> None:
    code, found = findings(PULSE_SERVER="unix:/nonexistent")
    assert code == 0
    assert {found[role]["verdict"] for role in ("speech", "language", "voice")} == {"ok"}
    assert found["display"]["verdict"] == "note"
    assert "DISPLAY" in found["display"]["words"]
    assert found["graphics"]["words"]
    assert found["terminal"]["verdict"] == "ok"


def test_missing_models_are_named_with_the_command_that_fetches_them(tmp_path: Path) -> None:
    code, found = findings(ARIA_MODELS=str(tmp_path / "none"))
    assert code == ExitCode.MODEL
    assert found["language"]["verdict"] == "missing"
    assert found["language"]["hint"] == "Fetch it: aria models fetch qwen2.5-coder-1.5b-instruct"


def test_a_bad_settings_file_is_the_first_thing_to_mend(tmp_path: Path, user_folders: Path) -> None:
    path = subprocess.run(
        [sys.executable, "-m", "aria_desktop", "settings", "path"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert str(user_folders) in path
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text('[language_model]\ntemperature = "hot"\n')
    code, found = findings(ARIA_MODELS=str(tmp_path / "none"))
    assert code == ExitCode.SETTINGS
    assert "temperature" in found["settings"]["words"]


def test_an_output_folder_that_cannot_be_written_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, found = findings(ARIA_OUTPUT=str(tmp_path / "file" / "output"))
    assert code == ExitCode.STORAGE
    assert found["output"]["words"] == f"{tmp_path}/file is no folder"


def test_people_read_a_table_that_ends_with_the_verdict(tmp_path: Path) -> None:
    code, out = doctor(ARIA_MODELS=str(tmp_path / "none"))
    assert code == ExitCode.MODEL
    assert "missing  speech      The model faster-whisper-base is not here." in out
    assert out.endswith("\nFirst mend what is missing.\n")
