"""The whole program on a desktop: the talk key pressed while another window is in front, and the socket command.

Engines answer by script; window, key, microphone, socket and session are real.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from aria_desktop.control.client import RemoteAssistant, connect
from aria_desktop.core.audio import SPEECH
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import Event, ListeningEnded, ListeningStarted, TalkKeyChanged, TurnEnded
from aria_desktop.storage.paths import find_paths
from aria_desktop.testing.sounds import tone
from tests.ears.virtual_sound import VirtualSound
from tests.window.desktop import Desktop
from tests.window.program_copy import part_of

PATIENCE_S = 60.0
Kind = TypeVar("Kind", bound=Event)


class Program:
    def __init__(self, remote: RemoteAssistant) -> None:
        self._told: queue.SimpleQueue[Event] = queue.SimpleQueue()
        remote.subscribe(self._told.put)

    def wait_for(self, kind: type[Kind]) -> Kind:
        """The next event of that kind."""
        until = time.monotonic() + PATIENCE_S
        while True:
            event = self._told.get(timeout=max(0.0, until - time.monotonic()))
            if isinstance(event, kind):
                return event


@contextmanager
def running(desktop: Desktop, sound: VirtualSound, home: Path) -> Iterator[Program]:
    script = home / "script.json"
    (home / "config").mkdir(parents=True, mode=0o700)
    reply = json.dumps({"answer": "Tea is a drink."})
    script.write_text(json.dumps({"language": [reply] * 4, "speech": ["What is tea?"] * 4, "voice": "tone"}))
    engines = "".join(f'{role} = "scripted:{script}"\n' for role in ("speech", "language", "voice"))
    (home / "config" / "settings.toml").write_text(f'[engines]\n{engines}[talk_key]\nkey = "ctrl+f9"\n')
    environment = {**os.environ, **{k: v for k, v in sound.environment.items() if k != "HOME"}, **desktop.environment}
    process = subprocess.Popen([sys.executable, "-m", "aria_desktop"], env=environment)
    remote = None
    try:
        desktop.wait_for_window(part_of(process.pid, "sealed_window").pid, "ARIA")
        until = time.monotonic() + PATIENCE_S
        while (remote := connect(find_paths().socket)) is None:
            assert time.monotonic() < until, "the window does not listen at its socket"
            time.sleep(0.05)
        yield Program(remote)
    finally:
        if remote is not None:
            remote.close()
        process.terminate()
        process.wait(timeout=30)


def talk(move: str) -> str:
    command = [sys.executable, "-m", "aria_desktop", "talk", move]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


def test_the_key_and_the_command_talk_to_a_window_that_is_not_in_front(
    desktop: Desktop, sound: VirtualSound, user_folders: Path
) -> None:
    with running(desktop, sound, user_folders) as program:
        heard = program.wait_for(TalkKeyChanged)
        assert (heard.key, heard.way) == ("ctrl+f9", "the X server")
        with another_window(desktop) as keys:
            held(desktop, sound, program)
            tapped(desktop, sound, program)
        assert "F9" not in "".join(keys), "the key reached the window in front, too"
        commanded(sound, program)


@contextmanager
def another_window(desktop: Desktop) -> Iterator[list[str]]:
    """In front while the body runs; then, the keys that it was told of."""
    other = subprocess.Popen(["xev", "-event", "keyboard", "-name", "other"], stdout=subprocess.PIPE, text=True)
    keys: list[str] = []
    try:
        desktop.act("windowfocus", "--sync", desktop.wait_for_title("other"))
        yield keys
    finally:
        other.terminate()
        out, _ = other.communicate(timeout=10)
        keys += [line for line in out.splitlines() if "keysym" in line]


def held(desktop: Desktop, sound: VirtualSound, program: Program) -> None:
    desktop.act("keydown", "ctrl", "keydown", "F9")
    program.wait_for(ListeningStarted)
    sound.speak(tone(1.5, SPEECH))
    desktop.act("keyup", "F9", "keyup", "ctrl")
    assert program.wait_for(ListeningEnded).reason == "released"
    assert program.wait_for(TurnEnded).outcome is TurnOutcome.ANSWERED


def tapped(desktop: Desktop, sound: VirtualSound, program: Program) -> None:
    desktop.act("key", "ctrl+F9")
    program.wait_for(ListeningStarted)
    sound.speak(tone(1.0, SPEECH))
    desktop.act("key", "Escape")
    assert program.wait_for(ListeningEnded).reason == "dropped"
    assert program.wait_for(TurnEnded).outcome is TurnOutcome.CANCELLED


def commanded(sound: VirtualSound, program: Program) -> None:
    assert talk("start") == "listening"
    program.wait_for(ListeningStarted)
    assert talk("start") == "nothing to do"
    sound.speak(tone(1.0, SPEECH))
    assert talk("toggle") == "sent"
    assert program.wait_for(ListeningEnded).reason == "released"
    program.wait_for(TurnEnded)
    assert talk("toggle") == "listening"
    assert talk("cancel") == "forgotten"
    assert program.wait_for(TurnEnded).outcome is TurnOutcome.CANCELLED
    assert talk("stop") == "nothing to do"


def test_without_a_window_the_command_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        talk("start")
    assert failed.value.returncode == 7
    assert "No window of ARIA is open" in failed.value.stderr
    assert capfd.readouterr().out == ""
