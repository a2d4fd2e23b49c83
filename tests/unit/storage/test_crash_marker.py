"""Unclean ends in a row: counted over real processes that are killed, and forgotten after one good end."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import StorageError
from aria_desktop.storage.crash_marker import NAME, marked_run
from aria_desktop.storage.declarations import Settings, names
from aria_desktop.storage.safe_settings import safe_settings

KILLED = """
import os, pathlib, signal, sys
from aria_desktop.storage.crash_marker import marked_run
with marked_run(pathlib.Path(sys.argv[1])) as unclean:
    print(unclean, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(data: Path) -> str:
    done = subprocess.run([sys.executable, "-c", KILLED, str(data)], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return done.stdout.strip()


def test_each_killed_run_counts_until_one_ends_well(tmp_path: Path) -> None:
    assert [killed(tmp_path) for _ in range(3)] == ["0", "1", "2"]
    with marked_run(tmp_path) as unclean:
        assert unclean == 3
    assert not (tmp_path / NAME).exists()
    assert killed(tmp_path) == "0"


def test_an_error_that_is_told_is_a_good_end_and_a_fault_is_not(tmp_path: Path) -> None:
    with pytest.raises(StorageError), marked_run(tmp_path):
        raise StorageError("The disk is gone.", "Put it back.")
    assert not (tmp_path / NAME).exists()
    with pytest.raises(ZeroDivisionError), marked_run(tmp_path):
        raise ZeroDivisionError
    with marked_run(tmp_path) as unclean:
        assert unclean == 1


@pytest.mark.parametrize("content", [b"", b"many", b"\xff", b"9" * 40, b"-1"])
def test_a_marker_that_was_cut_off_counts_as_one_or_more(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with marked_run(tmp_path) as unclean:
        assert 1 <= unclean <= 1_001


def test_a_folder_that_cant_be_written_holds_up_no_window(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    with marked_run(tmp_path) as unclean:
        assert unclean == 1


def other(value: object) -> object:
    """Than it was; it need not be an allowed one here."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else f"{value}x"


def test_safe_settings_are_defaults_but_for_what_deletes_asks_or_speaks() -> None:
    mine, usual = Settings(), Settings()
    for name in names():
        section, key = name.split(".")
        part = getattr(mine, section)
        mine = replace(mine, **{section: replace(part, **{key: other(getattr(part, key))})})
    safe = safe_settings(mine)
    assert (safe.history, safe.undo) == (mine.history, mine.undo)
    assert safe.microphone.confirm_words == mine.microphone.confirm_words
    assert safe.voice.speak_replies == mine.voice.speak_replies
    assert (safe.window.theme, safe.window.language) == (mine.window.theme, mine.window.language)
    assert (safe.engines, safe.language_model, safe.limits) == (usual.engines, usual.language_model, usual.limits)
    assert safe.talk_key.way == "off"
