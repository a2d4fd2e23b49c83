"""Every bad input gets a clear error with a way out and its exit code, and nothing half written."""

from __future__ import annotations

import os
import shutil
import sqlite3
import wave
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chain.conftest import Aria
from tests.conftest import REPOSITORY

SPEECH = REPOSITORY / "tests" / "data" / "read" / "jfk_inaugural_en.flac"
CREATE = "Create a file called shopping.txt with milk, eggs and bread"


def models_with(models_dir: Path, target: Path, damaged: str, change: Callable[[Path], None]) -> dict[str, str]:
    """A models folder that shares every file with the real one, except that `damaged` is a changed copy."""
    shutil.copytree(models_dir, target, copy_function=os.symlink)
    victim = target / damaged
    victim.unlink()
    shutil.copyfile(models_dir / damaged, victim)
    change(victim)
    return {"ARIA_MODELS": str(target)}


def flip_a_byte(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))


def cut_in_half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def silent_wav(path: Path, seconds: int) -> Path:
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(2 * 16_000 * seconds))
    return path


def test_no_models_yet(aria: Aria, tmp_path: Path) -> None:
    run = aria("ask", CREATE, "--allow", "create_file", "--json", env={"ARIA_MODELS": str(tmp_path / "empty")})
    assert run.code == 3
    assert run.ended["error"] == "model_missing"
    assert "aria models fetch" in run.ended["hint"]
    assert list(aria.output.iterdir()) == []


@pytest.mark.parametrize("change", [flip_a_byte, cut_in_half])
def test_a_damaged_model_is_named(aria: Aria, models_dir: Path, tmp_path: Path, change: Callable[[Path], None]) -> None:
    damaged = "faster-whisper-base/model.bin"
    env = models_with(models_dir, tmp_path / "models", damaged, change)
    run = aria("transcribe", str(SPEECH), env=env)
    assert run.code == 3
    assert "model.bin" in run.err
    assert "aria models" in run.err


def test_no_space_left_for_the_file(aria: Aria) -> None:
    full = 'mount -t tmpfs -o size=16k none "$ARIA_OUTPUT" && head -c 16k /dev/zero > "$ARIA_OUTPUT/ballast"; exec "$@"'
    run = aria("ask", CREATE, "--allow", "create_file", "--json", before=("unshare", "-m", "sh", "-c", full, "sh"))
    ended = [event for event in run.events if event["event"] == "call_ended"]
    assert [event["result"]["outcome"] for event in ended] == ["failed"]
    assert "space" in (ended[0]["result"]["text"] + run.ended["answer"] + run.ended["text"]).lower()
    assert not (aria.output / "shopping.txt").exists()


def test_no_space_left_for_the_database(aria: Aria) -> None:
    full = 'mkdir -p "$ARIA_HOME" && mount -t tmpfs -o size=32k none "$ARIA_HOME" && exec "$@"'
    run = aria("ask", CREATE, "--allow", "create_file", before=("unshare", "-m", "sh", "-c", full, "sh"))
    assert run.code == 8
    assert "space" in run.err.lower()
    assert "full" in run.err.lower()
    assert list(aria.output.iterdir()) == []


def text_file(path: Path) -> None:
    path.write_text("This is a shopping list, not a sound.\n" * 20)


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


def cut_off_header(path: Path) -> None:
    silent_wav(path, 1)
    os.truncate(path, 30)


@pytest.mark.parametrize("make", [text_file, empty_file, cut_off_header])
def test_what_is_no_sound_is_said_so(aria: Aria, tmp_path: Path, make: Callable[[Path], None]) -> None:
    clip = tmp_path / "clip.wav"
    make(clip)
    run = aria("ask", "--audio", str(clip), "--json")
    assert run.code == 4
    assert run.ended["error"] == "audio_unreadable"
    assert "clip.wav" in run.ended["text"]
    assert aria("sessions", "list", "--json").events[0]["sessions"] == []


def test_a_file_that_is_not_there(aria: Aria, tmp_path: Path) -> None:
    run = aria("ask", "--audio", str(tmp_path / "none.wav"))
    assert run.code == 4
    assert "none.wav" in run.err + run.out


def test_ten_minutes_of_silence_are_no_turn(aria: Aria, tmp_path: Path) -> None:
    run = aria("ask", "--audio", str(silent_wav(tmp_path / "silence.wav", 600)), "--json")
    assert run.code == 5
    assert run.ended["outcome"] == "nothing_heard"
    assert run.ended["turn_id"] == ""
    assert "turn_started" not in [event["event"] for event in run.events] or run.ended["tools"] == []
    assert aria("sessions", "list", "--json").events[0]["sessions"] == []


def test_no_microphone(aria: Aria, tmp_path: Path) -> None:
    run = aria(
        "ask", "--mic", "--json", env={"PULSE_SERVER": f"unix:{tmp_path}/nobody", "XDG_RUNTIME_DIR": str(tmp_path)}
    )
    assert run.code == 4
    assert run.ended["error"] == "microphone_missing"
    assert run.ended["hint"]


def test_no_display(aria: Aria) -> None:
    run = aria("window", env={"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""})
    assert run.code == 9
    assert "aria demo" in run.err or "aria ask" in run.err


def test_bad_settings_are_all_named_at_once(aria: Aria) -> None:
    path = Path(aria("settings", "path").out.strip())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('[language_model]\ntemperature = "hot"\nmax_tokns = 5\n[from_a_newer_version]\nx = 1\n')
    run = aria("ask", "hi")
    assert run.code == 10
    assert "temperature" in run.err
    assert "max_tokens" in run.err
    assert "from_a_newer_version" not in run.err
    assert "x = 1" in path.read_text()


def test_a_database_from_the_future_is_left_alone(aria: Aria) -> None:
    assert aria("sessions", "list").code == 0
    database = next(aria.home.rglob("*.db*"))
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    before = database.read_bytes()
    run = aria("sessions", "list")
    assert run.code == 8
    assert "newer" in run.err
    assert database.read_bytes() == before
