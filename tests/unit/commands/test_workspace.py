"""`aria workspace`: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop.cli import main
from aria_desktop.core.errors import ExitCode


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARIA_OUTPUT", str(tmp_path / "out"))
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def aria(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["workspace", *words])
    return (code, *capsys.readouterr())


def test_a_folder_is_added_used_and_forgotten(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert aria(capsys) == (0, f"{here}/out  (default, used)\n", "")
    assert aria(capsys, "add", "mine") == (0, f"added {here}/mine\n", "")
    assert aria(capsys, "use", "mine/") == (0, f"used from now on {here}/mine\n", "")
    assert aria(capsys, "list")[1] == f"{here}/out  (default)\n{here}/mine  (used)\n"
    assert aria(capsys, "use", "default")[1] == f"used from now on {here}/out\n"
    assert aria(capsys, "remove", "mine") == (0, f"forgot {here}/mine\n", "")
    assert aria(capsys, "list")[1] == f"{here}/out  (default, used)\n"


def test_one_that_was_exchanged_is_told_and_json_has_the_same(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    aria(capsys, "add", "mine")
    (here / "mine").rename(here / "old")
    (here / "mine").mkdir()
    assert "  The folder" in aria(capsys, "list")[1]
    lines = [json.loads(line) for line in aria(capsys, "--json", "list")[1].splitlines()]
    assert [(line["path"], line["default"], line["used"], bool(line["fault"])) for line in lines] == [
        (f"{here}/out", True, True, False),
        (f"{here}/mine", False, False, True),
    ]
    code, _, error = aria(capsys, "use", "mine")
    assert (code, "aria workspace add" in error) == (ExitCode.FAILED, True)


@pytest.mark.usefixtures("here")
def test_what_can_not_be_one_is_a_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, error = aria(capsys, "add", "/")
    assert (code, out) == (ExitCode.USAGE, "")
    assert "home folder" in error


def test_a_damaged_list_is_begun_anew(here: Path, user_folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    aria(capsys, "add", "mine")
    (user_folders / "data" / "workspaces.json").write_text("{")
    code, _, error = aria(capsys, "list")
    assert code != 0
    assert "aria workspace remove --all" in error
    assert aria(capsys, "remove", "--all")[0] == 0
    assert aria(capsys, "list")[1] == f"{here}/out  (default, used)\n"
