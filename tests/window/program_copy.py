"""The whole program in a folder of its own, with a catalogue of its own: for tests that fetch."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.conftest import REPOSITORY
from tests.processes import command_line

LIMIT_S = 60
ANSWER = json.dumps({"answer": "Tea is a drink."})
FETCH_TITLE = "ARIA: fetching models, not sealed"


@dataclass(frozen=True)
class ProgramCopy:
    root: Path
    home: Path

    @classmethod
    def make(cls, folder: Path) -> ProgramCopy:
        root, home = folder / "program", folder / "home"
        for part in ("aria_desktop", "resources"):
            shutil.copytree(REPOSITORY / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(REPOSITORY / "pyproject.toml", root)
        (root / "models").mkdir()
        script = home / "script.json"
        (home / "config").mkdir(parents=True)
        script.write_text(json.dumps({"language": [ANSWER] * 4, "speech": [], "voice": "tone"}))
        lines = [f'{role} = "scripted:{script}"\n' for role in ("language", "speech", "voice")]
        (home / "config" / "settings.toml").write_text("[engines]\n" + "".join(lines))
        return cls(root, home)

    @property
    def models(self) -> Path:
        return self.root / "models"

    def write_catalogue(self, hub: str, entries: Sequence[Mapping[str, Any]]) -> None:
        listed = {"version": 1, "hub": hub, "models": list(entries)}
        (self.root / "resources" / "catalog.json").write_text(json.dumps(listed))

    def environment(self, display: Mapping[str, str]) -> dict[str, str]:
        dropped = ("ARIA_MODELS", "ARIA_OUTPUT", "WAYLAND_DISPLAY", "DISPLAY")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        own = {
            "ARIA_HOME": str(self.home),
            "PYTHONPATH": str(self.root),
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.home),
            "PULSE_SERVER": f"unix:{self.home}/no-sound",
        }
        return {**kept, **own, **display}

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-P", "-m", "aria_desktop", *words]

    def run(self, *words: str, display: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*words),
            env=self.environment(display),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )

    @contextmanager
    def window(self, display: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
        """`aria window`, which is gone afterwards with all that it started."""
        process = subprocess.Popen(
            self.command("window"),
            env=self.environment(display),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            family = [process.pid, *(child.pid for child in psutil.Process(process.pid).children(recursive=True))]
            process.terminate()
            _, told = process.communicate(timeout=LIMIT_S)
            wait_until(lambda: not any(map(psutil.pid_exists, family)), "something of it is left")
            assert "Traceback" not in told, told


def part_of(starter: int, name: str) -> psutil.Process:
    """The process of `aria window` that is `name` now."""
    found: list[psutil.Process] = []

    def look() -> bool:
        found[:] = [each for each in psutil.Process(starter).children() if name in command_line(each)]
        return len(found) == 1

    wait_until(look, f"there is no {name}")
    return found[0]


def wait_until(so: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + LIMIT_S
    while not so():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.02)
