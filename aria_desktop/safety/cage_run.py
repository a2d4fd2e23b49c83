"""Runs a command in the cage and ends it, with all it has started, when its time, its room or our patience is over.

bubblewrap ends with the *thread* that started it, so a command is started and waited for on one and the same thread.
Killing bubblewrap is enough to end everything: the kernel takes the processes of a namespace with its first one.
The number of processes and their memory are watched from outside as well: the kernel's own limit does not count for
root, and has none for the memory of several processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import psutil

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import (
    OLDEST,
    PASSWD,
    CageLimits,
    CageMissing,
    Descriptors,
    Guarded,
    System,
    command_line,
)
from aria_desktop.safety.cage_guards import guarded_in
from aria_desktop.safety.cage_output import Output, Printed

PROGRAM_FOLDERS = ("/usr/bin", "/bin")
_INSTALL = "Install it, for instance with: sudo apt install bubblewrap"
_LOOK_EVERY_S = 0.2
"""At the memory and the number of processes, exactly; that costs a few milliseconds."""
_GLANCE_EVERY_S = 0.02
"""At the number of all threads there are, which tells a fork bomb while it is still small."""
_PIECE = 65_536
_PROBE_S = 10.0


class Ending(StrEnum):
    """Why a command is over."""

    ITSELF = "itself"
    TIME = "time"
    PROCESSES = "processes"
    MEMORY = "memory"
    OUTPUT = "output"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Ran:
    ending: Ending
    status: int | None
    """As shells count it: 128 and the signal's number when one ended it. None when it was ended from here."""
    printed: Printed
    seconds: float


def find_system() -> System:
    """What the cage is made from here. Only looks, except that bubblewrap is asked for its version.

    Raises CageMissing. bubblewrap is looked for where the system has it, never along PATH, which others may set.
    """
    if sys.platform != "linux":
        raise CageMissing("Commands are run on Linux only: here is no cage for them.")
    bwrap = _program("bwrap", "bubblewrap", _INSTALL)
    _check_version(bwrap)
    prlimit = _program("prlimit", "prlimit", "It is part of util-linux.")
    shell = "/usr/bin/bash" if os.access("/usr/bin/bash", os.X_OK) else "/bin/sh"
    names = ("/bin", "/sbin", *sorted(str(path) for path in Path("/").glob("lib*")))
    links = tuple((name, str(Path(name).readlink())) for name in names if Path(name).is_symlink())
    folders = tuple(name for name in names if Path(name).is_dir() and not Path(name).is_symlink())
    return System(bwrap, prlimit, shell, links, folders)


def probe(system: System) -> None:
    """Run a command that does nothing. Raises CageMissing with what bubblewrap says when it can't build the cage."""
    with tempfile.TemporaryDirectory(prefix="aria-cage-") as empty:
        run_command(system, "true", Path(empty), CageLimits(seconds=_PROBE_S), lambda _: None, CancelToken())


def run_command(
    system: System,
    command: str,
    workspace: Path,
    limits: CageLimits,
    show: Callable[[str], None],
    cancel: CancelToken,
) -> Ran:
    """Blocks until the command and all it started are gone; `show` gets its lines on this thread.

    Raises CommandRefused for a workspace that can't be guarded, CageMissing when the cage can't be built.
    """
    guarded = guarded_in(workspace)
    output, began = Output(show), time.monotonic()
    with _started(system, command, workspace, guarded, limits) as (process, status):
        forget = cancel.on_cancel(lambda: _kill(process))
        try:
            ending = _read_all(process, output, limits, began + limits.seconds)
        finally:
            forget()
            _kill(process)
            process.wait()
        ended = _exit_status(status)
    printed = output.finish()
    if cancel.cancelled:
        ending = Ending.CANCELLED
    if ending is Ending.ITSELF and ended is None:
        said = " ".join(printed.last)
        raise CageMissing(f"The cage for commands can't be built: {said or 'bubblewrap ended at once'}.", _WAY_OUT)
    return Ran(ending, ended if ending is Ending.ITSELF else None, printed, time.monotonic() - began)


_WAY_OUT = "bubblewrap needs user namespaces; some systems and containers switch them off."


def _program(name: str, known_as: str, way_out: str) -> str:
    for folder in PROGRAM_FOLDERS:
        if os.access(f"{folder}/{name}", os.X_OK):
            return f"{folder}/{name}"
    raise CageMissing(f"{known_as} is not installed, so no command can be run.", way_out)


def _check_version(bwrap: str) -> None:
    try:
        asked = subprocess.run(
            [bwrap, "--version"], capture_output=True, text=True, timeout=_PROBE_S, env={}, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise CageMissing(f"{bwrap} can't be run: {error}.", _INSTALL) from error
    found = re.search(r"(\d+)\.(\d+)", asked.stdout)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise CageMissing(f"{bwrap} is too old ({asked.stdout.strip()}); commands need {oldest}.", _INSTALL)


@contextlib.contextmanager
def _started(
    system: System, command: str, workspace: Path, guarded: Guarded, limits: CageLimits
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The running bubblewrap, and where it says how the command ended."""
    ours, status = os.pipe()
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, ours)
        passwd = _data(PASSWD)
        arguments = command_line(system, workspace, guarded, limits, Descriptors(passwd, status), command)
        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={},
                cwd="/",
                pass_fds=(passwd, status),
                start_new_session=True,
            )
        except OSError as error:
            raise CageMissing(f"{system.bwrap} can't be run: {error}.", _INSTALL) from error
        finally:
            os.close(passwd)
            os.close(status)
        yield stack.enter_context(process), ours


def _data(text: str) -> int:
    """A descriptor from which `text` can be read, from its beginning."""
    descriptor = os.memfd_create("data")
    os.write(descriptor, text.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _read_all(process: subprocess.Popen[bytes], output: Output, limits: CageLimits, deadline: float) -> Ending:
    """Read until nobody is left who could print. Kills what goes on too long or takes too much."""
    assert process.stdout is not None
    source, watch = process.stdout.fileno(), _Watch(process.pid, limits, deadline)
    poll = select.poll()
    poll.register(source, select.POLLIN | select.POLLHUP)
    while True:
        if poll.poll(_GLANCE_EVERY_S * 1000):
            piece = os.read(source, _PIECE)
            if not piece:
                return Ending.ITSELF
            output.feed(piece)
        ending = watch.look(output.bytes)
        if ending is not Ending.ITSELF:
            break
    _kill(process)
    while piece := os.read(source, _PIECE):
        output.feed(piece)
    return ending


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The whole group: a cage that is only half built does not yet end with its first process."""
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


class _Watch:
    """Which limit has been passed: looked at often where that is cheap, seldom where it is not."""

    def __init__(self, pid: int, limits: CageLimits, deadline: float) -> None:
        self._pid = pid
        self._limits = limits
        self._deadline = deadline
        self._next_look = 0.0
        self._threads = _all_threads()

    def look(self, printed: int) -> Ending:
        """ITSELF as long as none has."""
        now = time.monotonic()
        if now >= self._deadline:
            return Ending.TIME
        if printed > self._limits.printed:
            return Ending.OUTPUT
        if now < self._next_look and _all_threads() - self._threads <= self._limits.processes:
            return Ending.ITSELF
        self._next_look = now + _LOOK_EVERY_S
        processes, memory = _used(self._pid)
        if processes > self._limits.processes:
            return Ending.PROCESSES
        return Ending.MEMORY if memory > self._limits.memory else Ending.ITSELF


def _all_threads() -> int:
    """Of the whole machine."""
    return int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])


def _used(pid: int) -> tuple[int, int]:
    """How many processes there are below `pid`, and how much memory they hold."""
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(pid).children(recursive=True)
        return len(children), sum(_memory(child) for child in children)
    return 0, 0


def _memory(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def _exit_status(source: int) -> int | None:
    """What bubblewrap told about the command's end; None when the command never ran, or was killed."""
    told = b""
    while piece := os.read(source, _PIECE):
        told += piece
    for line in told.splitlines():
        with contextlib.suppress(ValueError):
            found = json.loads(line).get("exit-code")
            if isinstance(found, int):
                return found
    return None
