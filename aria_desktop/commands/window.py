"""Open the window. When one is open already, it comes to the front.

The window closes its network door for good, and so for all that it starts. This process is the one that is left to
start fetch mode when the user has asked for models, or a window as usual after one in safe mode: it waits for the
window's end and does nothing else. It reads no input and no file, and nothing of it can use a network but what it
starts.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from aria_desktop.core.fetch_mode import WANTED
from aria_desktop.core.safe_mode import AGAIN
from aria_desktop.core.seal import Door

_SIGNALLED = 128
"""Added to the number of a signal that ended a process, as shells do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workspace", default="", metavar="DIR", help="work on the files of this folder")


def door(arguments: argparse.Namespace) -> Door | None:
    """None is closed here: it would be closed for fetch mode too. The window closes its own before it does anything."""
    del arguments
    return None


def run(arguments: argparse.Namespace) -> int:
    where = ["--workspace", arguments.workspace] if arguments.workspace else []
    code = _ended("sealed_window", *where)
    while code in (WANTED, AGAIN):
        if code == WANTED:
            _ended("fetching")
        code = _ended("sealed_window", *(["--returning"] if code == WANTED else []), *where)
    return code


def _ended(*words: str) -> int:
    """Run a part of the program to its end, and pass on to it who wants this one to end. Its exit code."""
    from aria_desktop.storage.program import own_command

    # In a group of its own, so that Ctrl+C in the terminal reaches it once, through here.
    group = 0 if os.name == "posix" else -1
    command = own_command(*words, "--starter", str(os.getpid()))
    with passed_on() as begun, subprocess.Popen(command, env=_environment(), process_group=group) as process:
        begun(process)
        code = process.wait()
    return code if code >= 0 else _SIGNALLED - code


def _environment() -> dict[str, str]:
    """The child finds this package, and is otherwise started as the user starts programs."""
    from aria_desktop.storage.program import own_environment

    ours = own_environment()
    for name in ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"):
        if name not in os.environ:
            del ours[name]
    return ours


@contextmanager
def passed_on() -> Iterator[Callable[[subprocess.Popen[bytes]], None]]:
    """A request to end is meant for what runs, also one that comes while it is being started. Yields what is to be told
    the process as soon as there is one."""
    running: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def pass_on(number: int, _frame: object) -> None:
        if running:
            running[0].send_signal(number)
        else:
            early.append(number)

    def begun(process: subprocess.Popen[bytes]) -> None:
        running.append(process)
        for number in early:
            process.send_signal(number)

    with ExitStack() as stack:
        for number in (signal.SIGTERM, signal.SIGINT):
            stack.callback(signal.signal, number, signal.signal(number, pass_on))
        yield begun
