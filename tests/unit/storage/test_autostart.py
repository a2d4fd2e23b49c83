"""The entry that has a desktop start ARIA: written where it belongs, readable by others' parsers, ours alone."""

from __future__ import annotations

import configparser
import shlex
from pathlib import Path

import pytest

from aria_desktop.core.errors import StorageError
from aria_desktop.storage.autostart import MARK, NAME, autostart_folder, desktop_entry, set_autostart

COMMAND = ["/opt/a b/python", "-P", "-m", "aria_desktop", "window"]


def command_of(entry: str) -> list[str]:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(entry)
    # First the string's escapes, then the argument's: the order in which desktops read it.
    words = shlex.split(parser["Desktop Entry"]["Exec"].replace("\\\\", "\\"))
    # Within quotes the rules escape a dollar sign too, and this parser does not know it.
    return [word.replace("%%", "%").replace("\\$", "$") for word in words]


def test_it_is_written_and_removed(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    path = tmp_path / "autostart" / NAME
    set_autostart(False, COMMAND, environment)
    assert not path.exists()
    set_autostart(True, COMMAND, environment)
    assert command_of(path.read_text()) == COMMAND
    set_autostart(True, [*COMMAND, "--workspace", "/x"], environment)
    assert command_of(path.read_text())[-1] == "/x"
    set_autostart(False, COMMAND, environment)
    assert not path.exists()


def test_an_entry_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    path = tmp_path / "autostart" / NAME
    path.parent.mkdir()
    path.write_text("[Desktop Entry]\nExec=other\n")
    with pytest.raises(StorageError, match="somebody else"):
        set_autostart(True, COMMAND, environment)
    set_autostart(False, COMMAND, environment)
    assert path.read_text() == "[Desktop Entry]\nExec=other\n"


@pytest.mark.parametrize(
    "folder", ["/plain", "/with blank", '/qu"ote', "/back\\slash", "/dollar$HOME", "/per%cent", "/ñ"]
)
def test_any_path_survives_the_quoting(folder: str) -> None:
    entry = desktop_entry([f"{folder}/python", "window"], {"ARIA_HOME": folder})
    assert command_of(entry) == ["env", f"ARIA_HOME={folder}", f"{folder}/python", "window"]
    assert MARK in entry.splitlines()


def test_a_line_break_can_not_add_a_line_to_the_entry() -> None:
    with pytest.raises(StorageError, match="control character"):
        desktop_entry(["/x\nHidden=true"], {})


def test_where_it_is_written(tmp_path: Path) -> None:
    assert autostart_folder({"XDG_CONFIG_HOME": "/c"}, tmp_path) == Path("/c/autostart")
    assert autostart_folder({"XDG_CONFIG_HOME": "relative"}, tmp_path) == tmp_path / ".config" / "autostart"
