"""The whole program on a screen: hold the ring with the mouse, speak, look at the question, allow or refuse it by key,
and hear the answer. Real models, real microphone and loudspeaker of a sound server, real mouse and keys."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from aria_desktop.control.client import connect
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import (
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    EngineChanged,
    EngineRole,
    EngineState,
    Event,
    Heard,
    ListeningStarted,
    SpeakingEnded,
    TurnEnded,
)
from aria_desktop.storage.paths import find_paths
from tests.conftest import REPOSITORY
from tests.ears.virtual_sound import VirtualSound, from_pcm
from tests.spoken import plain_words, share_found, speak_into, words_in
from tests.window.desktop import Desktop
from tests.window.program_copy import part_of

COMMAND = "Create a file called shopping.txt with milk, eggs and bread."
RING = (142, 155)
"""The middle of the ring, in pixels from the window's upper left corner."""
PATIENCE_S = 240.0
PICTURES = REPOSITORY / "artifacts" / "spoken"

Kind = TypeVar("Kind", bound=Event)


@dataclass
class Running:
    """The program's window, and what its assistant tells over the local socket."""

    desktop: Desktop
    window: str
    pid: int
    output: Path
    events: list[Event] = field(default_factory=list)
    _more: threading.Condition = field(default_factory=threading.Condition)

    def note(self, event: Event) -> None:
        with self._more:
            self.events.append(event)
            self._more.notify_all()

    def wait_for(self, kind: type[Kind], fits: Callable[[Kind], bool] = lambda _: True) -> Kind:
        """The first such event, past or coming."""
        deadline = time.monotonic() + PATIENCE_S
        with self._more:
            while True:
                for event in self.events:
                    if isinstance(event, kind) and fits(event):
                        return event
                assert self._more.wait(deadline - time.monotonic()), f"no {kind.__name__}: {self.events[-5:]}"

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        with self._more:
            while len(self._ready()) < len(EngineRole):
                assert self._more.wait(deadline - time.monotonic()), f"not ready: {self.events}"

    def _ready(self) -> set[EngineRole]:
        changes = [event for event in self.events if isinstance(event, EngineChanged)]
        return {change.role for change in changes if change.state is EngineState.READY}

    def hold_the_ring_and_say(self, sound: VirtualSound, clip: Path) -> None:
        x, y = self.desktop.position(self.window)
        self.desktop.move(x + RING[0], y + RING[1])
        self.desktop.act("mousedown", "1")
        try:
            self.wait_for(ListeningStarted)
            sound.speak(clip)
        finally:
            self.desktop.act("mouseup", "1")

    def picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        code = (
            "import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication([]); "
            "assert app.primaryScreen().grabWindow(int(sys.argv[2])).save(sys.argv[1])"
        )
        path = PICTURES / f"{name}.png"
        environment = {**os.environ, **self.desktop.environment}
        subprocess.run([sys.executable, "-c", code, str(path), self.window], env=environment, check=True, timeout=60)


@contextmanager
def running(desktop: Desktop, sound: VirtualSound, output: Path) -> Iterator[Running]:
    output.mkdir()
    sounds = {name: value for name, value in sound.environment.items() if name != "HOME"}
    environment = {**os.environ, **sounds, **desktop.environment, "ARIA_OUTPUT": str(output)}
    environment.pop("WAYLAND_DISPLAY", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "aria_desktop"], env=environment, stderr=subprocess.PIPE, text=True
    )
    remote = None
    try:
        pid = part_of(process.pid, "sealed_window").pid
        found = Running(desktop, desktop.wait_for_window(pid, "ARIA"), pid, output)
        deadline = time.monotonic() + PATIENCE_S
        while (remote := connect(find_paths().socket)) is None:
            assert time.monotonic() < deadline, "the window does not listen at its socket"
            time.sleep(0.05)
        remote.subscribe(found.note)
        found.wait_until_ready()
        yield found
    finally:
        if remote is not None:
            remote.close()
        process.terminate()
        _, errors = process.communicate(timeout=30)
    assert errors == "", errors


@pytest.fixture
def program(
    desktop: Desktop, sound: VirtualSound, warm_home: Path, tmp_path: Path, models_dir: Path
) -> Iterator[Running]:
    assert models_dir.is_dir()
    # What the voice answers is recognised again: it may not slur a word by chance.
    (warm_home / "config").mkdir(mode=0o700)
    (warm_home / "config" / "settings.toml").write_text("[voice]\nsteady = true\n", encoding="utf-8")
    with running(desktop, sound, tmp_path / "output") as found:
        yield found


@pytest.fixture(scope="session")
def spoken_command(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Path:
    return speak_into(tmp_path_factory.mktemp("said") / "command.wav", COMMAND, models_dir)


def decide(program: Running, keys: str) -> ApprovalDecided:
    """Press until it counts: presses before the question is armed are dropped."""
    program.desktop.wait_for_window(program.pid, "ARIA asks")
    while not any(isinstance(event, ApprovalDecided) for event in program.events):
        program.desktop.key(keys)
        time.sleep(0.3)
    return program.wait_for(ApprovalDecided)


def test_spoken_allowed_done_and_answered_aloud(
    program: Running, sound: VirtualSound, spoken_command: Path, models_dir: Path
) -> None:
    program.picture("1-ready")
    with sound.ear_at_the_speaker() as heard:
        program.hold_the_ring_and_say(sound, spoken_command)
        request = program.wait_for(ApprovalRequested).request
        assert request.after is not None
        wanted = ("milk", "eggs", "bread")
        assert all(word in request.after.lower() for word in wanted), (request.words, request.after)
        assert not (program.output / "shopping.txt").exists()
        program.desktop.wait_for_window(program.pid, "ARIA asks")
        program.picture("2-asked")
        assert decide(program, "alt+a").decision.allowed
        ended = program.wait_for(TurnEnded)
        program.wait_for(SpeakingEnded)
    program.picture("3-done")
    assert ended.outcome is TurnOutcome.ANSWERED
    assert share_found(plain_words(COMMAND), plain_words(program.wait_for(Heard).text)) > 0.8
    content = (program.output / "shopping.txt").read_text(encoding="utf-8").lower()
    assert content == request.after.lower()
    assert all(word in content for word in wanted)
    shown = plain_words(program.wait_for(AnswerGiven).text)
    assert share_found(shown, words_in(from_pcm(heard), models_dir)) >= 0.7


def test_spoken_and_refused_leaves_no_file(program: Running, sound: VirtualSound, spoken_command: Path) -> None:
    program.hold_the_ring_and_say(sound, spoken_command)
    program.wait_for(ApprovalRequested)
    assert not decide(program, "Escape").decision.allowed
    ended = program.wait_for(TurnEnded)
    program.picture("4-refused")
    assert ended.outcome is TurnOutcome.REFUSED
    assert list(program.output.iterdir()) == []
    assert "not" in ended.answer


def test_a_second_window_brings_the_first_to_the_front(program: Running, desktop: Desktop) -> None:
    desktop.act("windowminimize", "--sync", program.window)
    environment = {**os.environ, **desktop.environment}
    second = subprocess.run(
        [sys.executable, "-m", "aria_desktop"], env=environment, timeout=60, check=False, capture_output=True, text=True
    )
    assert (second.returncode, second.stderr) == (0, "")
    deadline = time.monotonic() + 20
    while desktop.active_window != program.window:
        assert time.monotonic() < deadline, "the first window did not come to the front"
        time.sleep(0.1)


def test_a_command_is_carried_out_by_the_window(program: Running) -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "aria_desktop", "ask", COMMAND, "--allow", "create_file"],
        env={**os.environ, "ARIA_OUTPUT": str(program.output)},
        timeout=120,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert asked.returncode == 0, asked.stderr
    assert (program.output / "shopping.txt").is_file()
    assert program.wait_for(ApprovalDecided).decision.by == "--allow create_file"
    assert program.wait_for(TurnEnded).outcome is TurnOutcome.ANSWERED
