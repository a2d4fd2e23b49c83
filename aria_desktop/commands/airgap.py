"""The doctor's proof of the air gap: tried with the door open, then closed; and what runs of ARIA now.

Not a command of its own: `aria doctor --airgap`. A proof holds only when its control does: a process whose door is open
opens a socket to the network, and the same process, started after the doctor has closed its own door, does not. Nothing
is sent.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from aria_desktop.core.errors import DatabaseBusy, ExitCode
from aria_desktop.core.seal import Door, Reach, SealReport
from aria_desktop.core.visible import visible
from aria_desktop.safety import airgap
from aria_desktop.storage.lock import DatabaseLock, read_owner
from aria_desktop.storage.program import own_command, own_environment

_TRY_S = 30.0
_STARTER = "not sealed, waits for the window's end and does nothing else"

Try = Callable[[Door | None], Reach]
"""Starts a process, has it close this door too, and tells what it could open."""


@dataclass(frozen=True, slots=True)
class Proof:
    control: Reach
    """Of a process that was started before the door was closed."""
    program: Reach
    """Of the same, started afterwards."""
    engine: Reach
    """Of the same, which has shut its door as engines do."""
    report: SealReport

    @property
    def shown(self) -> bool:
        """The control could reach the network, and nothing else can."""
        closed = self.program.sealed and self.engine.sealed and not self.engine.local
        return self.control.internet and closed and self.report.sealed


def prove(look: Callable[[], SealReport], close: Callable[[Door], object], reach_of: Try) -> Proof:
    """Closes the door of this process on the way. Raises SealUnsupported and SealFailed."""
    control = reach_of(None)
    close(Door.LOCAL)
    return Proof(control, reach_of(None), reach_of(Door.SHUT), look())


def reach_of_child(door: Door | None) -> Reach:
    """Raises SealFailed when the process can't be asked."""
    command = own_command("reach", *(("--close", door.value) if door else ()))
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=_TRY_S, check=True, stdin=subprocess.DEVNULL, env=own_environment()
        )
        return Reach(**json.loads(done.stdout))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError) as error:
        raise airgap.SealFailed(f"No process could be started to try the network door: {error}.") from error


def running(lock: Path) -> tuple[int, ...]:
    """The process of the ARIA that has the database now. What the lock's file says means nothing while nobody holds
    it: the number may be another program's by now."""
    if not lock.exists():
        return ()
    try:
        DatabaseLock.take(lock, "doctor").release()
    except DatabaseBusy:
        owner = read_owner(lock)
        return (owner.pid,) if owner else ()
    return ()


def exit_code(proof: Proof) -> ExitCode:
    return ExitCode.OK if proof.shown else ExitCode.FAILED


def as_json(proof: Proof) -> str:
    return json.dumps({"exit_code": exit_code(proof), "sealed": proof.shown, **asdict(proof)}, indent=1)


def as_text(proof: Proof) -> str:
    return "\n".join((*_tries(proof), "", *report_lines(proof.report), "", _verdict(proof)))


def report_lines(report: SealReport) -> tuple[str, ...]:
    """The processes of the running ARIA, a line each, and each connection below its process."""
    lines = [f"{'process':<9} {'what it is':<24} {'filters':<8} network connections"]
    for process in report.processes:
        filters = "unknown" if process.filters < 0 else str(process.filters)
        found = len(process.connections) or "none"
        lines.append(f"{process.pid:<9} {visible(process.what):<24} {filters:<8} {found}")
        lines += [f"{'':<9} {visible(connection)}" for connection in process.connections]
    if report.starter is not None:
        lines.append(f"{report.starter.pid:<9} {visible(report.starter.what)}: {_STARTER}")
        lines += [f"{'':<9} {visible(connection)}" for connection in report.starter.connections]
    return tuple(lines)


def _tries(proof: Proof) -> tuple[str, ...]:
    rows = (
        ("door open (control)", proof.control),
        ("door of the program", proof.program),
        ("door of the engines", proof.engine),
    )
    head = f"{'A process of its own tries':<28} {'internet':<10} {'this computer':<15} io_uring"
    return (
        head,
        *(f"{name:<28} {_word(r.internet):<10} {_word(r.local):<15} {_word(r.ring)}" for name, r in rows),
    )


def _word(opens: bool) -> str:
    return "opens" if opens else "refused"


def _verdict(proof: Proof) -> str:
    if proof.shown:
        return "Sealed: no process of ARIA can reach the network. Connections that could be made: none."
    if not proof.control.internet:
        return "Not proven: not even a process with an open door reaches the network here."
    return "Not sealed."
