"""Runs a command in the cage and ends it, with all it has started, when its time, its room or our patience is over.

bubblewrap ends with the *thread* that started it, so a command is started and waited for on one and the same thread.
Killing bubblewrap is enough to end everything: the kernel takes the processes of a namespace with its first one.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import (
    PASSWD,
    CageLimits,
    CageMissing,
    Descriptors,
    Guarded,
    Layer,
    System,
    command_line,
)
from aria_desktop.safety.cage_filter import caged_calls
from aria_desktop.safety.cage_guards import guarded_in
from aria_desktop.safety.cage_output import Output, Printed
from aria_desktop.safety.cage_system import INSTALL
from aria_desktop.safety.cage_watch import Ending, Watch

_GLANCE_EVERY_S = 0.02
"""Between two looks at the limits."""
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Ran:
    ending: Ending
    status: int | None
    """As shells count it: 128 and the signal's number when one ended it. None when it was ended from here."""
    printed: Printed
    seconds: float


def run_command(
    system: System,
    command: str,
    workspace: Path,
    limits: CageLimits,
    show: Callable[[str], None],
    cancel: CancelToken,
    layer: Layer | None = None,
) -> Ran:
    """Blocks until the command and all it started are gone; `show` gets its lines on this thread.

    Args:
        layer: takes what the command changes in the workspace; without one it can't change anything there.

    Raises CommandRefused for a workspace that can't be guarded, CageMissing when the cage can't be built.
    """
    guarded = guarded_in(workspace)
    output, began = Output(show), time.monotonic()
    with _started(system, command, workspace, layer, guarded, limits) as (process, status):
        forget = cancel.on_cancel(lambda: _kill(process))
        try:
            ending = _read_all(process, output, Watch(process.pid, limits, began + limits.seconds, layer))
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


@contextlib.contextmanager
def _started(
    system: System, command: str, workspace: Path, layer: Layer | None, guarded: Guarded, limits: CageLimits
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The running bubblewrap, and where it says how the command ended."""
    calls = caged_calls(os.uname().machine)
    ours, status = os.pipe()
    with contextlib.ExitStack() as stack:
        stack.callback(os.close, ours)
        handed = Descriptors(_data(PASSWD.encode()), status, _data(calls))
        arguments = command_line(system, workspace, layer, guarded, limits, handed, command)
        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={},
                cwd="/",
                pass_fds=(handed.passwd, handed.status, handed.filter),
                start_new_session=True,
            )
        except OSError as error:
            raise CageMissing(f"{system.bwrap} can't be run: {error}.", INSTALL) from error
        finally:
            for descriptor in (handed.passwd, handed.status, handed.filter):
                os.close(descriptor)
        yield stack.enter_context(process), ours


def _data(content: bytes) -> int:
    """A descriptor from which `content` can be read, from its beginning."""
    descriptor = os.memfd_create("data")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _read_all(process: subprocess.Popen[bytes], output: Output, watch: Watch) -> Ending:
    """Read until nobody is left who could print. Kills what goes on too long or takes too much."""
    assert process.stdout is not None
    source = process.stdout.fileno()
    poll = select.poll()
    poll.register(source, select.POLLIN | select.POLLHUP)
    while True:
        if poll.poll(_GLANCE_EVERY_S * 1000):
            piece = os.read(source, _PIECE)
            if not piece:
                return watch.look_back()
            output.feed(piece)
        ending = watch.look(output.bytes)
        if ending is not Ending.ITSELF:
            break
    _kill(process)
    left = _PIECE  # What was printed before; one that is slow to end must not print on and on.
    while left > 0 and (piece := os.read(source, left)):
        left -= len(piece)
        output.feed(piece)
    return ending


def _kill(process: subprocess.Popen[bytes]) -> None:
    """The whole group: a cage that is only half built does not yet end with its first process."""
    with contextlib.suppress(ProcessLookupError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


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
