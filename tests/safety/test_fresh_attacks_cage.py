"""Shapes of attacks from inside the cage that are on no earlier list; docs/fresh-attacks.md says what each is about.

Judged by how the command ended and by what is left. Each takes, makes or learns what it is after where the mechanism is
missing: the same program outside of the cage, or in a cage with room enough, is the positive control.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import CageLimits, System
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.cage_watch import Ending
from aria_desktop.safety.stage import Stage
from tests.safety.conftest import Tried
from tests.safety.layers import picture_of, readable_system
from tests.safety.users import UIDS, acting_as, folder_for

SET = "fresh attacks: cage"
LIMITS = CageLimits(seconds=30.0, memory=64 << 20, changed=8 << 20)
WIDE = replace(LIMITS, changed=512 << 20)

HOLDING = {
    "C01 memory in files without a name": """
import os
kept = [os.memfd_create('x') for _ in range(2)]
for one in kept: os.write(one, b'x' * (4 << 20))
print('held')
""",
    "C02 memory of System V that nobody has mapped": """
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
for _ in range(2):
    key = libc.shmget(0, ctypes.c_size_t(4 << 20), 0o1600)
    if key < 0: raise SystemExit(1)
    at = libc.shmat(key, None, 0)
    ctypes.memset(at, 1, 4 << 20)
    libc.shmdt(ctypes.c_void_p(at))
    libc.shmctl(key, 0, None)
print('held')
""",
    "C03 memory that is hidden from the kernel": """
import ctypes
if ctypes.CDLL(None).syscall(447, 0) < 0: raise SystemExit(1)
print('held')
""",
}
FILLING = {
    "C04 a file that is open and has no name any more": (
        "import os, time\nkept = []\nfor n in range(3):\n    kept.append(os.open('f', os.O_CREAT | os.O_RDWR))\n"
        "    os.unlink('f')\n    os.write(kept[-1], b'x' * (6 << 20))\ntime.sleep(WAIT)\nprint('held')"
    ),
    "C05 a file that never had a name": (
        "import os, time\nkept = []\n"
        "for n in range(3):\n    kept.append(os.open('.', os.O_TMPFILE | os.O_RDWR, 0o600))\n"
        "    os.write(kept[-1], b'x' * (6 << 20))\ntime.sleep(WAIT)\nprint('held')"
    ),
}
"""Each takes 18 MB of the disk, of which no folder tells."""
REFUSED = {
    "C06 another personality's way of mapping": "mount --bind /usr /tmp",
    "C07 a device of its own": "mknod d c 1 3 || mknod d b 8 0",
    "C08 what this machine runs when a program crashes": 'v=$(cat @CORE@); echo "$v" > @CORE@',
    "C09 the memory of the first process": "head -c 1 /proc/1/mem",
    "C10 the folder that the first process has": "ls /proc/1/root/home/user/.. /proc/1/cwd/../etc/shadow",
    "C11 the kernel's messages": "dmesg",
    "C12 another user's rights": "setpriv --reuid 0 true || chown 0 .",
    "C13 a file that has a capability": "cp /usr/bin/cat c; setcap cap_dac_override+ep c",
    "C14 the time of this machine": "date -s 2001-01-01",
    "C15 the name of this machine": 'hostname other && exit; v=$(cat @NAME@); echo "$v" > @NAME@',
    "C16 priority over all others": "nice -n -20 true 2>&1 | grep -q 'cannot' && false || chrt -f 99 true",
    "C17 more room than it has": "prlimit --nproc=unlimited --pid $$ && prlimit --as=unlimited:unlimited true",
    "C18 a place for a socket in the world": "test -S /run/dbus/system_bus_socket || test -e /run/user",
    "C19 the shadow of all users": "cat /etc/shadow",
    "C23 any setting of the kernel": "find /proc -type f -writable 2>/dev/null | grep .",
    "C24 pressure that it is told of": "test -w /proc/pressure/memory",
    "C25 a worth of its own to the killer of processes": "echo -17 > /proc/self/oom_score_adj",
    "C20 the memory of this machine": "head -c 1 /dev/mem || head -c 1 /proc/kcore",
}
"""Each ends with an error, or else it has what it is after. What is written is what was there."""
NAMES = {"@CORE@": "/proc/sys/kernel/core_pattern", "@NAME@": "/proc/sys/kernel/hostname"}


class Field:
    def __init__(self, folder: Path, system: System) -> None:
        self.root, self.staging, self.system = folder / "workspace", folder / "staging", system
        self.root.mkdir()
        (self.root / "a.txt").write_text("as it was\n")

    def run(self, command: str, limits: CageLimits = LIMITS) -> Ran:
        with Stage(self.staging) as stage:
            return run_command(
                self.system, command, self.root, limits, lambda _: None, CancelToken(), layer=stage.layer
            )


@pytest.fixture(params=UIDS, ids=lambda uid: f"uid{uid}")
def field(request: pytest.FixtureRequest) -> object:
    with folder_for(request.param) as folder:
        system = readable_system(folder)
        with acting_as(request.param):
            yield Field(folder, system)


@pytest.mark.parametrize("shape", HOLDING)
def test_no_memory_belongs_to_nobody(shape: str, field: Field, tried: Tried) -> None:
    tried.begin(SET)
    ran = field.run(_python(HOLDING[shape]))
    assert ran.status not in (0, None), ran
    assert "held" not in ran.printed.last
    outside = subprocess.run(["/usr/bin/python3", "-c", HOLDING[shape]], capture_output=True, text=True, check=False)
    if shape[:3] != "C03":  # Most kernels have it switched off.
        assert outside.stdout == "held\n", outside
        tried.control(SET)


@pytest.mark.parametrize("shape", FILLING)
def test_what_has_no_name_counts_too(shape: str, field: Field, tried: Tried) -> None:
    tried.begin(SET)
    assert field.run(_python(FILLING[shape].replace("WAIT", "60"))).ending is Ending.CHANGES
    roomy = field.run(_python(FILLING[shape].replace("WAIT", "0")), WIDE)
    assert (roomy.ending, roomy.status) == (Ending.ITSELF, 0)
    tried.control(SET)


@pytest.mark.parametrize("shape", REFUSED)
def test_it_is_refused_in_the_cage(shape: str, field: Field, tried: Tried) -> None:
    before = picture_of(field.root)
    command = REFUSED[shape]
    for word, path in NAMES.items():
        command = command.replace(word, path)
    tried.begin(SET)
    ran = field.run(command)
    assert ran.ending is Ending.ITSELF
    assert ran.status != 0, ran
    assert picture_of(field.root) == before
    if os.geteuid() == 0 and shape[:3] in ("C08", "C23", "C24", "C25"):
        plainly = subprocess.run(["/usr/bin/bash", "-c", command.replace("-17", "0")], capture_output=True, check=False)
        assert plainly.returncode == 0, plainly
        tried.control(SET)


def test_c21_of_this_program_no_variable_and_no_secret_is_seen(field: Field, tried: Tried) -> None:
    """In no process of the cage, the one that builds it included."""
    os.environ["ARIA_FRESH_SECRET"] = "SECRET-4711"
    try:
        tried.begin(SET)
        ran = field.run("cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep 4711; true")
        assert "SECRET-4711" not in "".join(ran.printed.last)
        seen = subprocess.run(
            ["/usr/bin/grep", "-ac", "4711", "/proc/self/environ"], capture_output=True, text=True, check=False
        )
        assert seen.stdout == "1\n"
        tried.control(SET)
    finally:
        del os.environ["ARIA_FRESH_SECRET"]


def test_c22_what_takes_its_time_to_end_changes_nothing_afterwards(field: Field, tried: Tried) -> None:
    """Children that outlive the shell would write while the changes are read and shown."""
    late = (
        "for n in 1 2 3; do (trap '' TERM HUP; setsid sh -c 'sleep 2; echo late > late.txt' &) ; done; echo early > e"
    )
    with Stage(field.staging) as stage:
        tried.begin(SET)
        ran = run_command(field.system, late, field.root, LIMITS, lambda _: None, CancelToken(), layer=stage.layer)
        assert ran.ending is Ending.ITSELF
        first = sorted(path.name for path in stage.layer.changes.iterdir())
        left = [pid for pid in Path("/proc").iterdir() if pid.name.isdigit() and _is_in(pid, str(field.root))]
        assert not left
        assert sorted(path.name for path in stage.layer.changes.iterdir()) == first
        assert "e" in first
        tried.control(SET)


def _is_in(process: Path, root: str) -> bool:
    try:
        return root in (process / "mountinfo").read_text()
    except OSError:
        return False


def _python(program: str) -> str:
    return f"/usr/bin/python3 - <<'END'\n{program}\nEND"
