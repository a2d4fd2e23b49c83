"""The air gap as a program for the kernel's filter of system calls, assembled here from values. Pure.

What must stay true:

* What is allowed is listed, never what is forbidden: a socket of a family that nobody has thought of is refused.
* A filter is written for one architecture. Calls of another one (32-bit programs), or of x32, have other numbers and
  would pass unread: the first end the process, the second are refused.
* io_uring opens sockets without the calls that are looked at here, so there is none. Nor does a process reach into
  another one (ptrace and its kin), which may not be sealed.
* Only numbers are looked at, never what an argument points to: that could be changed after the look.

The instructions are those of Linux' uapi/linux/filter.h, the numbers those of its tables of system calls.
"""

from __future__ import annotations

import errno
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from aria_desktop.core.seal import Door

AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
SOCK_STREAM, SOCK_DGRAM, SOCK_RAW = 1, 2, 3
NETLINK_ROUTE = 0
REFUSED = errno.EAFNOSUPPORT
"""For sockets: libraries know it from computers without that network, and go on without."""
_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT, _ARGUMENT_SIZE = 0, 4, 16, 8
"""Bytes into `struct seccomp_data`. The low half of an argument comes first: both machines are little-endian, and the
kernel takes families, types and protocols as 32-bit numbers."""
_TYPE_MASK = 0xF
"""Of a socket's type, without the flags that come with it."""
_X32 = 0x40000000

_UNSEEN = ("io_uring_setup", "io_uring_enter", "io_uring_register")
_INTO_OTHERS = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd")
_ANSWERING = ("listen", "accept", "accept4")
_USING = (*_ANSWERING, "connect", "bind")
"""Of a socket that a process was left with."""


@dataclass(frozen=True, slots=True)
class Architecture:
    audit: int
    """AUDIT_ARCH_... of linux/audit.h."""
    calls: Mapping[str, int]
    seccomp: int
    """The number of the call that sets a filter."""
    x32: bool = False
    """Numbers from `_X32` on are calls of another table."""


X86_64 = Architecture(
    audit=0xC000003E,
    calls={
        "socket": 41,
        "connect": 42,
        "accept": 43,
        "bind": 49,
        "listen": 50,
        "socketpair": 53,
        "ptrace": 101,
        "accept4": 288,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "io_uring_setup": 425,
        "io_uring_enter": 426,
        "io_uring_register": 427,
        "pidfd_getfd": 438,
    },
    seccomp=317,
    x32=True,
)
AARCH64 = Architecture(
    audit=0xC00000B7,
    calls={
        "ptrace": 117,
        "socket": 198,
        "socketpair": 199,
        "bind": 200,
        "listen": 201,
        "accept": 202,
        "connect": 203,
        "accept4": 242,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "io_uring_setup": 425,
        "io_uring_enter": 426,
        "io_uring_register": 427,
        "pidfd_getfd": 438,
    },
    seccomp=277,
)
ARCHITECTURES = {"x86_64": X86_64, "aarch64": AARCH64}
"""By the name that `os.uname().machine` gives."""


@dataclass(frozen=True, slots=True)
class Sockets:
    """Sockets that may be made."""

    family: int
    types: tuple[int, ...] = ()
    """Empty: all."""
    protocol: int | None = None
    """None: all."""


_LOCAL = (
    Sockets(AF_UNIX),
    # bubblewrap brings up the loopback of each cage through it. It talks to this kernel only and carries nothing out.
    Sockets(AF_NETLINK, (SOCK_RAW,), NETLINK_ROUTE),
)
_OUTWARD = (*_LOCAL, *(Sockets(family, (SOCK_STREAM, SOCK_DGRAM)) for family in (AF_INET, AF_INET6)))


def allowed_sockets(door: Door) -> tuple[Sockets, ...]:
    match door:
        case Door.LOCAL:
            return _LOCAL
        case Door.SHUT:
            return ()
        case Door.FETCHING | Door.CLOUD:
            return _OUTWARD


def refused_calls(door: Door) -> tuple[str, ...]:
    """Whatever their arguments are. The program itself listens, on its Unix socket."""
    more: Mapping[Door, tuple[str, ...]] = {Door.SHUT: _USING, Door.FETCHING: _ANSWERING}
    return (*_UNSEEN, *_INTO_OTHERS, *more.get(door, ()))


def assembled(door: Door, architecture: Architecture) -> bytes:
    """The filter as the kernel takes it: instructions of 8 bytes."""
    program = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_EQUAL, architecture.audit, then=1),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER_AT),
    ]
    if architecture.x32:
        program += _block(_AT_LEAST, _X32, [_refusal(errno.EPERM)])
    for name in refused_calls(door):
        program += _block(_EQUAL, architecture.calls[name], [_refusal(errno.EPERM)])
    made = _only(allowed_sockets(door))
    for name in ("socket", "socketpair"):
        program += _block(_EQUAL, architecture.calls[name], made)
    program.append(_instruction(_RETURN, _ALLOW))
    return b"".join(program)


def _only(allowed: tuple[Sockets, ...]) -> list[bytes]:
    """Ends with an answer in every case."""
    return [*(part for sockets in allowed for part in _allowance(sockets)), _refusal(REFUSED)]


def _allowance(sockets: Sockets) -> list[bytes]:
    """Allows these; what is not meant falls through to what comes after it."""
    body = [_instruction(_RETURN, _ALLOW)]
    if sockets.protocol is not None:
        body = [_argument(2), *_block(_EQUAL, sockets.protocol, body)]
    if sockets.types:
        kind = [_argument(1), _instruction(_AND, _TYPE_MASK)]
        body = [part for number in sockets.types for part in (*kind, *_block(_EQUAL, number, body))]
    return [_argument(0), *_block(_EQUAL, sockets.family, body)]


def _block(comparison: int, value: int, body: list[bytes]) -> list[bytes]:
    """`body` when what is loaded compares so, else what comes after it."""
    return [_instruction(comparison, value, otherwise=len(body)), *body]


def _argument(number: int) -> bytes:
    return _instruction(_LOAD, _ARGUMENTS_AT + _ARGUMENT_SIZE * number)


def _refusal(error: int) -> bytes:
    return _instruction(_RETURN, _REFUSE | error)


def _instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """`struct sock_filter`; `then` and `otherwise` are instructions to leap over after a comparison."""
    return struct.pack("=HBBI", code, then, otherwise, value)
