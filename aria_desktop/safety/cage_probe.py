"""Twelve attacks on the cage, tried for real before a command is offered: what it promises is seen here, not believed.

An attack that succeeds, one that can't be tried, and one whose outcome is not told all mean the same: no command is
run. One script tries all in one cage, which costs about as much as two commands; so nothing is remembered between two
probes, and a kernel or a bubblewrap that was replaced meanwhile is tried as it is. What an attack has done is looked at
from outside where there is something to see.
"""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import CageLimits, CageMissing, Layer, System
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.stage import Stage

SURVIVOR_S = 1.0
"""After the end of a command nothing of it may be left."""
_TIME_S = 20.0
_CANARY = "aria-canary"
_HINT = "Commands stay off until this is mended; all else goes on."

_UNREACHABLE = "grep -qiE 'not supported|no such file'"
ATTACKS: tuple[tuple[str, str], ...] = (
    ("read a file outside", 'cat "$OUT/canary"'),
    ("write outside", 'echo x > "$OUT/canary" || echo x > "$OUT/written"'),
    ("name an outside file once more", 'ln "$OUT/canary" ~/twin || ln "$OUT/canary" "$OUT/twin"'),
    ("reach outside by a link", 'ln -sf "$OUT/canary" ~/link && cat ~/link'),
    ("open a TCP connection", f'said=$( (exec 3<>/dev/tcp/127.0.0.1/9) 2>&1 ) || ! echo "$said" | {_UNREACHABLE}'),
    ("send over UDP", f'said=$( (echo x > /dev/udp/127.0.0.1/9) 2>&1 ) || ! echo "$said" | {_UNREACHABLE}'),
    ("find a Unix socket", 'test -e "$OUT/socket"'),
    ("find an abstract socket", 'grep -F "$ABSTRACT" /proc/net/unix'),
    # In its own namespace there are few processes, so a small number may be one of them.
    (
        "see or signal the program",
        'test "$(readlink /proc/self/ns/pid)" = "$PIDS" || { test $PARENT -gt 1000 && kill -0 $PARENT; }',
    ),
    ("keep a capability", "grep ^Cap /proc/self/status | grep -v 0000000000000000"),
    ("make a namespace", "unshare --user true || unshare --net true"),
    ("outlive the command", ""),
)
"""What is tried and how, as a condition of the shell that holds when it succeeds. The last one is begun by every
script and judged from outside."""


@dataclass(frozen=True, slots=True)
class Proven:
    """A cage that has held."""

    system: System
    staging: Path | None
    """Where layers can be made; None when it only holds for a workspace that can't be changed."""


def proven(systems: Sequence[System], staging: Path | None, cancel: CancelToken) -> Proven:
    """The best cage that holds: with layers before without, then in the order given, of which there is at least one.

    Raises CageMissing with what is wrong with the best one when none does.
    """
    with_layers = [(system, staging) for system in systems if system.layers and staging is not None]
    faults: list[CageMissing] = []
    for system, place in (*with_layers, *((system, None) for system in systems)):
        try:
            probe(system, cancel, place)
        except CageMissing as error:
            faults.append(error)
        else:
            return Proven(system, place)
    raise faults[0]


def probe(system: System, cancel: CancelToken, staging: Path | None = None) -> None:
    """Raises CageMissing with the attack that succeeded, or why none could be tried.

    Args:
        staging: where layers are made; None tries a workspace that can only be read.
    """
    limits = CageLimits(seconds=_TIME_S)
    with _scene() as scene, _layer(staging) as layer:
        ran = run_command(system, scene.script(), scene.workspace, limits, lambda _: None, cancel, layer)
        cancel.raise_if_cancelled()
        fault = _fault(ran, scene)
    if fault:
        raise CageMissing(f"The cage for commands does not hold here: {fault}.", _HINT)


@contextmanager
def _layer(staging: Path | None) -> Iterator[Layer | None]:
    if staging is None:
        yield None
        return
    with Stage(staging) as stage:
        yield stage.layer


class _Scene:
    """A workspace with a neighbour that the attacks are after. `mark` is the survivor's only argument."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.outside = folder / "workspace", folder / "outside"
        self.mark = f"{time.time_ns() % 10**9 + 10**9}"
        self.abstract = f"aria-probe-{self.mark}"
        self.workspace.mkdir()
        self.outside.mkdir()
        (self.outside / "canary").write_text(_CANARY)

    def script(self) -> str:
        namespace = Path("/proc/self/ns/pid").readlink()
        given = f"OUT={quote(str(self.outside))} ABSTRACT={self.abstract} PARENT={os.getpid()} PIDS='{namespace}'\n"
        begun = f"echo > ~/begun; exec sleep {self.mark}"
        survivor = f"setsid sh -c '{begun}' >/dev/null 2>&1 &\nuntil test -e ~/begun; do sleep 0.01; done\n"
        tried = "".join(
            f"if {{ {attack}; }} >/dev/null 2>&1; then echo 'got {number}'; else echo 'held {number}'; fi\n"
            for number, (_, attack) in enumerate(ATTACKS)
            if attack
        )
        return f"{given}{survivor}{tried}"

    @property
    def touched(self) -> bool:
        """Also the workspace, which no command writes to."""
        names = sorted(item.name for item in (*self.outside.iterdir(), *self.workspace.iterdir()))
        canary = self.outside / "canary"
        alone = canary.stat().st_nlink == 1 and canary.read_text() == _CANARY
        return names != ["canary", "socket"] or not alone

    def survived(self) -> bool:
        deadline = time.monotonic() + SURVIVOR_S
        while _runs(self.mark):
            if time.monotonic() >= deadline:
                return True
            time.sleep(0.02)
        return False


@contextmanager
def _scene() -> Iterator[_Scene]:
    """The sockets that must not be found are open in the body."""
    with tempfile.TemporaryDirectory(prefix="aria-probe-") as made:
        scene = _Scene(Path(made).resolve())
        with socket.socket(socket.AF_UNIX) as named, socket.socket(socket.AF_UNIX) as abstract:
            named.bind(str(scene.outside / "socket"))
            named.listen()
            abstract.bind("\0" + scene.abstract)
            abstract.listen()
            yield scene


def _fault(ran: Ran, scene: _Scene) -> str:
    """Empty when all twelve attacks were tried and failed."""
    for number, (name, attack) in enumerate(ATTACKS):
        if f"got {number}" in ran.printed.last:
            return f"a command can {name}"
        if attack and f"held {number}" not in ran.printed.last:
            said = " ".join(ran.printed.last[-3:]) or "nothing"
            return f'whether a command can {name} could not be tried; it printed "{said}"'
    if scene.touched:
        return "a command can write outside"
    return "a command can outlive its end" if scene.survived() else ""


def _runs(mark: str) -> bool:
    """Whether a process of this machine has `mark` for its last argument."""
    wanted = b"sleep\0" + mark.encode() + b"\0"
    return any(_command_line(entry) == wanted for entry in Path("/proc").glob("[0-9]*"))


def _command_line(entry: Path) -> bytes:
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:
        return b""
