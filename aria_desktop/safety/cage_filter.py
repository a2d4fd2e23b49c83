"""What a caged command may ask of the kernel, as a program for its filter of system calls. Pure.

The walls of the cage are namespaces; this closes what namespaces leave open. What must stay true:

* Only Unix sockets are made, and there is nobody outside to reach by them.
* No call that mounts, makes or enters a namespace, looks into another process, loads code into the kernel, or goes
  round the calls that are looked at here (io_uring). Nothing is typed into a terminal (TIOCSTI).
* Calls of another architecture end the process, those of x32 are refused: their numbers mean other things.
* No memory that belongs to no process (System V's, or files that have no name): nobody could count it.
* clone3 hides its flags behind a pointer, so it is told to be missing; libraries then use clone, whose flags are seen.

The numbers are those of Linux' tables of system calls; `airgap_filter` says more of how such a program is built.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Mapping

from aria_desktop.safety.airgap_filter import AF_UNIX, ARCHITECTURES
from aria_desktop.safety.cage import CageMissing

NEW_NAMESPACES = 0x7E02_0000
"""All CLONE_NEW... flags that clone itself knows."""
TYPES_INTO_TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX, which can paste."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Bytes into `struct seccomp_data`; of the arguments, their low halves."""
_X32 = 0x4000_0000

_SAME_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "memfd_secret": 447,
    "open_tree_attr": 467,
}
"""Calls from 424 on have one number on all machines."""
_REFUSED_X86_64 = {
    "shmget": 29,
    "ptrace": 101,
    "syslog": 103,
    "pivot_root": 155,
    "chroot": 161,
    "acct": 163,
    "mount": 165,
    "umount2": 166,
    "swapon": 167,
    "swapoff": 168,
    "reboot": 169,
    "iopl": 172,
    "ioperm": 173,
    "init_module": 175,
    "delete_module": 176,
    "quotactl": 179,
    "kexec_load": 246,
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    "unshare": 272,
    "perf_event_open": 298,
    "open_by_handle_at": 304,
    "setns": 308,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "kcmp": 312,
    "finit_module": 313,
    "kexec_file_load": 320,
    "memfd_create": 319,
    "bpf": 321,
    "userfaultfd": 323,
}
_REFUSED_AARCH64 = {
    "umount2": 39,
    "mount": 40,
    "pivot_root": 41,
    "chroot": 51,
    "quotactl": 60,
    "acct": 89,
    "unshare": 97,
    "kexec_load": 104,
    "init_module": 105,
    "delete_module": 106,
    "syslog": 116,
    "ptrace": 117,
    "reboot": 142,
    "shmget": 194,
    "add_key": 217,
    "request_key": 218,
    "keyctl": 219,
    "swapon": 224,
    "swapoff": 225,
    "perf_event_open": 241,
    "open_by_handle_at": 265,
    "setns": 268,
    "process_vm_readv": 270,
    "process_vm_writev": 271,
    "kcmp": 272,
    "finit_module": 273,
    "memfd_create": 279,
    "bpf": 280,
    "userfaultfd": 282,
    "kexec_file_load": 294,
}
REFUSED: Mapping[str, Mapping[str, int]] = {
    "x86_64": {**_REFUSED_X86_64, **_SAME_EVERYWHERE},
    "aarch64": {**_REFUSED_AARCH64, **_SAME_EVERYWHERE},
}
"""Whatever their arguments are; by the name that `os.uname().machine` gives."""
EXAMINED: Mapping[str, Mapping[str, int]] = {
    "x86_64": {"ioctl": 16, "socket": 41, "socketpair": 53, "clone": 56, "clone3": 435},
    "aarch64": {"ioctl": 29, "socket": 198, "socketpair": 199, "clone": 220, "clone3": 435},
}
"""Answered by what is asked for."""


def caged_calls(machine: str) -> bytes:
    """The filter as the kernel takes it: instructions of 8 bytes. Raises CageMissing for a machine it isn't written
    for, on which another table would let everything pass."""
    if machine not in REFUSED:
        raise CageMissing(f"No command is run on {machine}: the kernel's filter for commands is not written for it.")
    examined = EXAMINED[machine]
    unix_only = [_load(_FIRST), *_when(_EQUAL, AF_UNIX, [_answer(_ALLOW)]), _refusal(errno.EAFNOSUPPORT)]
    namespaces = [_load(_FIRST), *_when(_ANY_BIT, NEW_NAMESPACES, [_refusal(errno.EPERM)]), _answer(_ALLOW)]
    typing = [part for code in TYPES_INTO_TERMINAL for part in _when(_EQUAL, code, [_refusal(errno.EPERM)])]
    program = [
        *_head(machine),
        *(part for number in REFUSED[machine].values() for part in _when(_EQUAL, number, [_refusal(errno.EPERM)])),
        *_when(_EQUAL, examined["socket"], unix_only),
        *_when(_EQUAL, examined["socketpair"], unix_only),
        *_when(_EQUAL, examined["clone3"], [_refusal(errno.ENOSYS)]),
        *_when(_EQUAL, examined["clone"], namespaces),
        *_when(_EQUAL, examined["ioctl"], [_load(_SECOND), *typing]),
        _answer(_ALLOW),
    ]
    return b"".join(program)


def _head(machine: str) -> list[bytes]:
    """Lets only calls of this very architecture go on, with their number loaded."""
    architecture = ARCHITECTURES[machine]
    known = [_load(_ARCHITECTURE), _instruction(_EQUAL, architecture.audit, then=1), _answer(_KILL), _load(_NUMBER)]
    return [*known, *(_when(_AT_LEAST, _X32, [_refusal(errno.EPERM)]) if architecture.x32 else [])]


def _when(comparison: int, value: int, body: list[bytes]) -> list[bytes]:
    """`body` when what is loaded compares so, else what comes after it."""
    return [_instruction(comparison, value, otherwise=len(body)), *body]


def _load(offset: int) -> bytes:
    return _instruction(_LOAD, offset)


def _refusal(error: int) -> bytes:
    return _answer(_REFUSE | error)


def _answer(value: int) -> bytes:
    return _instruction(_RETURN, value)


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """`struct sock_filter`."""
    return struct.pack("=HBBI", code, then, otherwise, value)
