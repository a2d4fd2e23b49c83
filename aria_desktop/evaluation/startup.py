"""How long the program takes to be there: the import of its command line, and the window on the screen."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from aria_desktop.core.errors import UsageError


def import_seconds(module: str, runs: int = 5) -> float:
    """Median time to import `module` in a fresh interpreter, as Python's own import clock tells it."""
    return statistics.median(_import_once(module) for _ in range(runs))


def _import_once(module: str) -> float:
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    last = result.stderr.strip().splitlines()[-1]
    return int(last.split("|")[1]) / 1e6


def window_seconds(runs: int = 3) -> float:
    """Median time from the start of the process until its window is mapped on an X11 screen.

    Raises UsageError when the tools that see windows (xdotool, and Xvfb without a screen) are missing.
    """
    if shutil.which("xdotool") is None:
        raise UsageError(
            "xdotool is missing, so nobody can see when the window is there.", "Run: apt-get install xdotool"
        )
    with _screen() as environment:
        return statistics.median(_window_once(environment) for _ in range(runs))


def _window_once(environment: Mapping[str, str]) -> float:
    with tempfile.TemporaryDirectory(prefix="aria-bench-") as home:
        own = {**environment, "ARIA_HOME": home}
        start = time.monotonic()
        window = subprocess.Popen([sys.executable, "-m", "aria_desktop", "window"], env=own)
        try:
            # The window is in a process that this one starts; the screen has no other of that name.
            find = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^ARIA$"]
            subprocess.run(find, env=own, check=True, capture_output=True, timeout=60)
            return time.monotonic() - start
        finally:
            window.terminate()
            window.wait(timeout=30)


@contextmanager
def _screen() -> Iterator[Mapping[str, str]]:
    """The environment of the user's X11 screen, or of a virtual one that lives as long as the context."""
    if os.environ.get("DISPLAY"):
        yield os.environ
        return
    if shutil.which("Xvfb") is None:
        raise UsageError("There is no screen and no Xvfb to make one.", "Run: apt-get install xvfb")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x860x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as ready:
            display = ready.readline().strip()
        yield {**os.environ, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait(timeout=10)
