"""A small desktop for tests: an X server without a screen, a window manager, and hands."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

WIDTH, HEIGHT = 1400, 1000


@dataclass(frozen=True, slots=True)
class Desktop:
    display: str
    """For instance ":12"."""

    @property
    def environment(self) -> Mapping[str, str]:
        return {"DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb", "XDG_SESSION_TYPE": "x11"}

    def act(self, *arguments: str) -> None:
        """One xdotool command, finished when this returns."""
        environment = {**os.environ, **self.environment}
        subprocess.run(["xdotool", *arguments], env=environment, check=True, timeout=30, capture_output=True)

    @property
    def active_window(self) -> str:
        """The X id of the window that has the keyboard; empty when none has."""
        return self._found("getactivewindow")

    def wait_for_window(self, pid: int, name: str) -> str:
        """The X id of a process's window of that title, as soon as it is on the screen."""
        deadline = time.monotonic() + 30
        search = ("search", "--all", "--onlyvisible", "--pid", str(pid), "--name", f"^{name}$")
        while not (found := self._found(*search)):
            assert time.monotonic() < deadline, f"no window {name} of process {pid}"
            time.sleep(0.02)
        return found.split()[0]

    def wait_for_title(self, name: str) -> str:
        """The X id of a window of that title, as soon as it is on the screen; whose it is does not matter."""
        deadline = time.monotonic() + 30
        while not (found := self._found("search", "--onlyvisible", "--name", f"^{name}$")):
            assert time.monotonic() < deadline, f"no window {name}"
            time.sleep(0.02)
        return found.split()[0]

    def appears(self, name: str, within_s: float = 2.0) -> bool:
        """Whether a window of that title is on the screen soon."""
        deadline = time.monotonic() + within_s
        while not self._found("search", "--onlyvisible", "--name", f"^{name}$"):
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.02)
        return True

    def _found(self, *arguments: str) -> str:
        """The answer to a question that xdotool fails at when there is none, or when windows come and go meanwhile."""
        environment = {**os.environ, **self.environment}
        command = ["xdotool", *arguments]
        return subprocess.run(command, env=environment, check=False, capture_output=True, text=True).stdout.strip()

    def position(self, window: str) -> tuple[int, int]:
        """Of the upper left corner of its content, in pixels of the screen."""
        told = self._found("getwindowgeometry", "--shell", window)
        values = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
        return int(values["X"]), int(values["Y"])

    def move(self, x: int, y: int) -> None:
        self.act("mousemove", str(x), str(y))

    def click(self, x: int, y: int) -> None:
        self.act("mousemove", str(x), str(y), "click", "1")

    def type(self, text: str) -> None:
        self.act("type", "--delay", "8", text)

    def let_go(self) -> None:
        """No key and no button stays down for the next test, however this one ended."""
        self.act("keyup", "space", "keyup", "Return", "keyup", "ctrl", "keyup", "alt", "mouseup", "1")

    def key(self, *keys: str) -> None:
        self.act("key", "--delay", "8", *keys)


@contextmanager
def start_desktop() -> Iterator[Desktop]:
    for program in ("Xvfb", "openbox", "xdotool", "xprop"):
        assert shutil.which(program), f"{program} is missing: run `make setup`"
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(writing),
            "-screen",
            "0",
            f"{WIDTH}x{HEIGHT}x24",
            "-dpi",
            "96",
            "-nolisten",
            "tcp",
            "-noreset",
        ],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    manager = None
    try:
        with os.fdopen(reading) as numbers:
            display = f":{numbers.readline().strip()}"
        assert display != ":", "Xvfb ended without opening a display"
        desktop = Desktop(display)
        manager = _window_manager(desktop)
        yield desktop
    finally:
        for process in filter(None, (manager, server)):
            process.terminate()
            process.wait(timeout=10)


def _window_manager(desktop: Desktop) -> subprocess.Popen[bytes]:
    """Returns when it manages windows: it says so on the root window."""
    environment = {**os.environ, **desktop.environment}
    with tempfile.TemporaryFile() as complaints:
        manager = subprocess.Popen(["openbox", "--sm-disable"], env=environment, stdout=complaints, stderr=complaints)
        ask = ["xprop", "-root", "_NET_SUPPORTING_WM_CHECK"]
        deadline = time.monotonic() + 20
        while b"window id" not in subprocess.run(ask, env=environment, capture_output=True, check=True).stdout:
            if manager.poll() is not None:
                complaints.seek(0)
                raise AssertionError(f"openbox ended on {desktop.display}: {complaints.read().decode()}")
            assert time.monotonic() < deadline, "openbox does not manage the display"
            time.sleep(0.02)
    return manager
