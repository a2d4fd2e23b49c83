"""The program as a process: started, fed, watched and judged by what it leaves behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

LIMIT_S = 240
"""A run that takes longer than this hangs."""


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str

    @property
    def events(self) -> list[dict[str, Any]]:
        """Each line of `--json`; fails on a line that is no JSON object with an event."""
        found = [json.loads(line) for line in self.out.splitlines()]
        assert all("event" in event for event in found)
        return found

    @property
    def ended(self) -> dict[str, Any]:
        last = self.events[-1]
        assert last["event"] == "turn_ended", self.err
        return last

    def without_traceback(self) -> Run:
        assert "Traceback" not in self.out + self.err, self.err
        return self


@dataclass(frozen=True)
class Aria:
    """Runs `aria ...` with this test's own user folders."""

    home: Path
    output: Path

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {**os.environ, "ARIA_HOME": str(self.home), "ARIA_OUTPUT": str(self.output), **(extra or {})}

    def __call__(
        self, *words: str, env: Mapping[str, str] | None = None, before: tuple[str, ...] = (), stdin: str | None = None
    ) -> Run:
        """`before`: a command that starts the program, such as ("unshare", "-n")."""
        result = subprocess.run(
            [*before, sys.executable, "-m", "aria_desktop", *words],
            env=self.environment(env),
            capture_output=True,
            text=True,
            input=stdin if stdin is not None else "",
            timeout=LIMIT_S,
            check=False,
        )
        return Run(result.returncode, result.stdout, result.stderr).without_traceback()

    def watched(self, *words: str, env: Mapping[str, str] | None = None, seen: Callable[[str], None]) -> Run:
        """Like a call; `seen` gets each line of the output as it comes, on a thread of its own."""
        process = subprocess.Popen(
            [sys.executable, "-m", "aria_desktop", *words],
            env=self.environment(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        lines: list[str] = []
        hands: list[threading.Thread] = []
        watchdog = threading.Timer(LIMIT_S, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                lines.append(line)
                hands.append(threading.Thread(target=seen, args=(line,)))
                hands[-1].start()
            return Run(process.wait(), "".join(lines), process.stderr.read()).without_traceback()
        finally:
            watchdog.cancel()
            for hand in hands:
                hand.join()
            process.kill()
            process.communicate()


@pytest.fixture
def aria(warm_home: Path, tmp_path: Path, models_dir: Path) -> Aria:
    output = tmp_path / "output"
    output.mkdir()
    assert models_dir.is_dir()
    return Aria(warm_home, output)


@pytest.fixture
def settings(aria: Aria) -> Callable[[str], Path]:
    """Writes the settings file of this test."""

    def write(text: str) -> Path:
        path = Path(aria("settings", "path").out.strip())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write
