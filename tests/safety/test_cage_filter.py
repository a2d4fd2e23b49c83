"""What the kernel answers to calls in the cage, with its filter and with one that lets everything pass."""

from __future__ import annotations

import errno
import json
import os
import struct
from pathlib import Path

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety import cage_run
from aria_desktop.safety.cage import CageLimits, CageMissing, System
from aria_desktop.safety.cage_filter import EXAMINED, REFUSED, caged_calls
from aria_desktop.safety.cage_run import run_command
from aria_desktop.safety.cage_system import find_system
from tests.safety.conftest import Tried
from tests.safety.layers import readable_system
from tests.safety.users import UIDS, acting_as, folder_for

MACHINE = os.uname().machine
ALL_PASS = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)

TRIED_CALLS: dict[str, tuple[str, tuple[int, ...], int]] = {
    "an internet socket": ("socket", (2, 1, 0), errno.EAFNOSUPPORT),
    "an internet 6 socket": ("socket", (10, 2, 0), errno.EAFNOSUPPORT),
    "a netlink socket": ("socket", (16, 3, 0), errno.EAFNOSUPPORT),
    "io_uring": ("io_uring_setup", (1, 0), errno.EPERM),
    "io_uring, going in": ("io_uring_enter", (-1, 0, 0, 0), errno.EPERM),
    "io_uring, registering": ("io_uring_register", (-1, 0, 0, 0), errno.EPERM),
    "being traced": ("ptrace", (0, 0, 0, 0), errno.EPERM),
    "reading a process": ("process_vm_readv", (1, 0, 0, 0, 0, 1), errno.EPERM),
    "writing a process": ("process_vm_writev", (1, 0, 0, 0, 0, 1), errno.EPERM),
    "a file of another process": ("pidfd_getfd", (-1, 0, 0), errno.EPERM),
    "a key": ("add_key", (0, 0, 0, 0, 0), errno.EPERM),
    "a key ring": ("keyctl", (0, -3, 0), errno.EPERM),
    "faults in user space": ("userfaultfd", (1,), errno.EPERM),
    "nothing new of a namespace": ("unshare", (0,), errno.EPERM),
    "another namespace": ("setns", (-1, 0), errno.EPERM),
    "a new user by clone": ("clone", (0x10000000 | 0x800 | 0x200, 0, 0, 0, 0), errno.EPERM),
    "clone with hidden flags": ("clone3", (0, 0), errno.ENOSYS),
    "typing into a terminal": ("ioctl", (0, 0x5412, 0), errno.EPERM),
    "pasting into a terminal": ("ioctl", (0, 0x541C, 0), errno.EPERM),
}
"""Each is harmless and, without the filter, gets another answer: (call, arguments, refusal)."""

ATTACK = """
import ctypes, json, sys
kernel = ctypes.CDLL(None, use_errno=True).syscall
kernel.restype = ctypes.c_long
answers = []
for number, arguments in json.loads(sys.argv[1]):
    ctypes.set_errno(0)
    returned = kernel(ctypes.c_long(number), *(ctypes.c_long(a) for a in arguments))
    answers.append(ctypes.get_errno() if returned < 0 else 0)
print(json.dumps(answers))
"""


def answers(system: System, workspace: Path) -> list[int]:
    numbers = {**REFUSED[MACHINE], **EXAMINED[MACHINE]}
    asked = [(numbers[call], arguments) for call, arguments, _ in TRIED_CALLS.values()]
    command = f"python3 -c '{ATTACK}' '{json.dumps(asked)}'"
    ran = run_command(system, command, workspace, CageLimits(), lambda _: None, CancelToken())
    assert ran.status == 0, ran
    found: list[int] = json.loads(ran.printed.last[-1])
    return found


@pytest.mark.parametrize("uid", UIDS)
def test_calls_that_go_round_the_walls_are_refused(uid: int, tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    tried.begin("calls to the kernel from the cage", len(TRIED_CALLS), uid=uid)
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid):
            filtered = answers(system, folder)
            monkeypatch.setattr(cage_run, "caged_calls", lambda _: ALL_PASS)
            free = answers(system, folder)
    refusals = [refusal for _, _, refusal in TRIED_CALLS.values()]
    escaped = [name for name, got, want in zip(TRIED_CALLS, filtered, refusals, strict=True) if got != want]
    controls = sum(got != want for got, want in zip(free, refusals, strict=True))
    assert controls == len(TRIED_CALLS), dict(zip(TRIED_CALLS, free, strict=True))
    assert escaped == []
    tried.control("calls to the kernel from the cage", controls, uid=uid)


def test_what_programs_need_goes_on(tmp_path: Path) -> None:
    command = (
        "python3 -c 'import socket, subprocess, threading, multiprocessing\n"
        'a, b = socket.socketpair(); a.send(b"x"); b.recv(1)\n'
        't = threading.Thread(target=print, args=("thread",)); t.start(); t.join()\n'
        'print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())\''
    )
    ran = run_command(find_system(), command, tmp_path, CageLimits(), lambda _: None, CancelToken())
    assert (ran.status, ran.printed.last) == (0, ("thread", "child"))


@pytest.mark.parametrize("machine", sorted(REFUSED))
def test_the_filter_is_short_enough_for_the_kernel(machine: str) -> None:
    program = caged_calls(machine)
    assert len(program) % 8 == 0
    assert len(program) // 8 < 4096


def test_on_a_machine_that_it_is_not_written_for_no_command_runs() -> None:
    with pytest.raises(CageMissing, match="riscv64"):
        caged_calls("riscv64")
