"""Every process of the running ARIA, what the kernel holds against each, and each connection that leaves the computer.

All of it is read from the system (`/proc` on Linux) for processes that exist, whoever started them. A process that ends
meanwhile is left out; what can't be read is told as unknown and never as sealed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from aria_desktop.core.seal import SealedProcess, SealReport
from aria_desktop.safety import airgap

_UNKNOWN = -1
_FILTER_MODE = "2"
"""What `Seccomp:` says of a process with filters."""
_ROLES = {"speech": "speech engine", "language": "language engine", "voice": "voice engine"}
STARTER = "starter of the window"
_COMMANDS = {"window": STARTER, "sealed_window": "aria window", "fetching": "fetch mode"}
"""What a process is whose command line names these."""


def report(roots: Iterable[int], kernel: airgap.Kernel | None = None) -> SealReport:
    """Of the processes `roots` and all below them, of who waits for one of them, and of what this process can reach."""
    reach, reason = airgap.look(kernel)
    known = tuple(roots)
    return SealReport(reach, reason, tuple(_processes(known)), next(filter(None, map(_starter_of, known)), None))


def _starter_of(window: int) -> SealedProcess | None:
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(window).parent()
        if parent is not None and (told := _told(parent)).what == STARTER:
            return told
    return None


def _processes(roots: Iterable[int]) -> Iterator[SealedProcess]:
    seen: set[int] = set()
    for root in roots:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(root)
            for each in (process, *process.children(recursive=True)):
                if each.pid not in seen:
                    seen.add(each.pid)
                    with contextlib.suppress(psutil.NoSuchProcess):
                        yield _told(each)


def _told(process: psutil.Process) -> SealedProcess:
    filters, keeps = filter_state(process.pid)
    return SealedProcess(process.pid, _what(process), filters, keeps, _connections(process))


def filter_state(pid: int, proc: Path = Path("/proc")) -> tuple[int, bool]:
    """How many filters hold for a process, -1 where the system does not say; and whether it can gain no privileges."""
    try:
        lines = (proc / str(pid) / "status").read_text("utf-8", "replace").splitlines()
    except OSError:
        return _UNKNOWN, False
    said = {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
    if "Seccomp" not in said:
        return _UNKNOWN, False
    # Kernels before 5.9 say that there are filters, and not how many.
    count = int(said.get("Seccomp_filters", "1")) if said["Seccomp"] == _FILTER_MODE else 0
    return count, said.get("NoNewPrivs") == "1"


def _what(process: psutil.Process) -> str:
    try:
        words = process.cmdline()
        name = str(process.name())
    except psutil.AccessDenied:
        return "a process of somebody else"
    role = words[-1] if len(words) > 1 and words[-2] == "worker" else ""
    if role in _ROLES:
        return _ROLES[role]
    if Path(words[0] if words else name).name == "bwrap":
        return "command in the cage"
    ours = [word for word in words if word == "aria_desktop" or Path(word).name == "aria"]
    after = words[words.index(ours[0]) + 1 :] if ours else []
    if not ours:
        return name
    command = after[0] if after else "window"
    return _COMMANDS.get(command, f"aria {command}")


def _connections(process: psutil.Process) -> tuple[str, ...]:
    try:
        found = process.net_connections(kind="inet")
    except psutil.AccessDenied:
        return ("its sockets can't be looked at",)
    return tuple(f"{_end(each.laddr)} to {_end(each.raddr)} {each.status.lower()}" for each in found)


def _end(address: object) -> str:
    return ":".join(map(str, address)) if isinstance(address, tuple) and address else "nobody"
