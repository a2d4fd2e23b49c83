"""The filter, run instruction by instruction as the kernel would: what each door lets through, on both machines."""

from __future__ import annotations

import errno
import struct
from collections.abc import Iterator

import pytest

from aria_desktop.core.seal import Door
from aria_desktop.safety.airgap_filter import (
    AARCH64,
    ARCHITECTURES,
    X86_64,
    Architecture,
    assembled,
    refused_calls,
)

ALLOWED, KILLED = "allowed", "killed"
UNIX, INET, INET6, NETLINK, PACKET, VSOCK, KEYS, BLUETOOTH = 1, 2, 10, 16, 17, 40, 38, 31
STREAM, DGRAM, RAW = 1, 2, 3
FLAGS = 0o2000000 | 0o4000
"""SOCK_CLOEXEC and SOCK_NONBLOCK."""
OUTWARD = (Door.FETCHING, Door.CLOUD)
MACHINES = [pytest.param(machine, id=name) for name, machine in ARCHITECTURES.items()]


def answer(program: bytes, audit: int, number: int, *arguments: int) -> str | int:
    """ "allowed", "killed", or the error. Fails on an instruction or a leap that a filter must not have."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number & 0xFFFFFFFF, audit, 0, *(each & (1 << 64) - 1 for each in padded))
    instructions = list(struct.iter_unpack("=HBBI", program))
    loaded = at = 0
    while True:
        code, then, otherwise, value = instructions[at]
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, value)
            case 0x54:
                loaded &= value
            case 0x15:
                at += then if loaded == value else otherwise
            case 0x35:
                at += then if loaded >= value else otherwise
            case 0x06:
                kind = value & 0xFFFF0000
                return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}.get(kind) or value & 0xFFFF
            case _:
                raise AssertionError(f"instruction {code:#x}")


def asked(door: Door, machine: Architecture, call: str, *arguments: int) -> str | int:
    return answer(assembled(door, machine), machine.audit, machine.calls[call], *arguments)


def doors() -> Iterator[tuple[Door, Architecture]]:
    return ((door, machine) for door in Door for machine in ARCHITECTURES.values())


@pytest.mark.parametrize("machine", MACHINES)
def test_the_program_may_have_sockets_of_this_computer_and_no_others(machine: Architecture) -> None:
    for kind in (STREAM, DGRAM, STREAM | FLAGS):
        assert asked(Door.LOCAL, machine, "socket", UNIX, kind) == ALLOWED
    assert asked(Door.LOCAL, machine, "socketpair", UNIX, STREAM) == ALLOWED
    for family in range(64):
        if family not in (UNIX, NETLINK):
            for kind in (STREAM, DGRAM, RAW, STREAM | FLAGS):
                assert asked(Door.LOCAL, machine, "socket", family, kind) == errno.EAFNOSUPPORT
    for call in ("connect", "bind", "listen", "accept", "accept4"):
        assert asked(Door.LOCAL, machine, call, 3) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_of_netlink_only_what_a_cage_needs_for_its_loopback(machine: Architecture) -> None:
    for door in (Door.LOCAL, *OUTWARD):
        assert asked(door, machine, "socket", NETLINK, RAW | FLAGS, 0) == ALLOWED
        assert asked(door, machine, "socket", NETLINK, DGRAM, 0) == errno.EAFNOSUPPORT
        for protocol in (4, 9, 12, 15, 16):
            assert asked(door, machine, "socket", NETLINK, RAW, protocol) == errno.EAFNOSUPPORT
    assert asked(Door.SHUT, machine, "socket", NETLINK, RAW, 0) == errno.EAFNOSUPPORT


@pytest.mark.parametrize("machine", MACHINES)
def test_an_engine_has_no_sockets_and_no_use_for_one_that_it_was_left_with(machine: Architecture) -> None:
    for family in range(64):
        for call in ("socket", "socketpair"):
            assert asked(Door.SHUT, machine, call, family, STREAM) == errno.EAFNOSUPPORT
    for call in ("connect", "bind", "listen", "accept", "accept4"):
        assert asked(Door.SHUT, machine, call, 3) == errno.EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_fetching_goes_outward_only_and_by_no_raw_socket(machine: Architecture) -> None:
    for family in (INET, INET6):
        for door in OUTWARD:
            assert asked(door, machine, "socket", family, STREAM | FLAGS) == ALLOWED
            assert asked(door, machine, "socket", family, DGRAM) == ALLOWED
            assert asked(door, machine, "socket", family, RAW, 1) == errno.EAFNOSUPPORT
    for family in (PACKET, VSOCK, KEYS, BLUETOOTH):
        assert asked(Door.FETCHING, machine, "socket", family, STREAM) == errno.EAFNOSUPPORT
    for call in ("listen", "accept", "accept4"):
        assert asked(Door.FETCHING, machine, call, 3) == errno.EPERM
    assert asked(Door.FETCHING, machine, "connect", 3) == ALLOWED


def test_what_no_filter_would_see_is_closed_behind_every_door() -> None:
    for door, machine in doors():
        for call in ("io_uring_setup", "io_uring_enter", "io_uring_register"):
            assert asked(door, machine, call) == errno.EPERM
        for call in ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd"):
            assert asked(door, machine, call) == errno.EPERM


def test_calls_of_another_architecture_end_the_process() -> None:
    foreign = {X86_64.audit: (0x40000003, AARCH64.audit), AARCH64.audit: (0x40000028, X86_64.audit)}
    for door, machine in doors():
        for audit in foreign[machine.audit]:
            assert answer(assembled(door, machine), audit, machine.calls["socket"], UNIX, STREAM) == KILLED
            assert answer(assembled(door, machine), audit, 0) == KILLED


def test_calls_of_x32_are_refused() -> None:
    for door in Door:
        for number in (0x40000000 | 41, 0x40000000, 0x7FFFFFFF, 0xFFFFFFFF):
            assert answer(assembled(door, X86_64), X86_64.audit, number, UNIX, STREAM) == errno.EPERM
        assert answer(assembled(door, X86_64), X86_64.audit, 0) == ALLOWED


@pytest.mark.parametrize("machine", MACHINES)
def test_the_upper_half_of_an_argument_says_nothing_to_the_kernel_and_nothing_here(machine: Architecture) -> None:
    high = 0x7 << 32
    assert asked(Door.LOCAL, machine, "socket", high | INET, STREAM) == errno.EAFNOSUPPORT
    assert asked(Door.LOCAL, machine, "socket", high | UNIX, STREAM) == ALLOWED
    assert asked(Door.LOCAL, machine, "socket", -1, STREAM) == errno.EAFNOSUPPORT


def test_every_other_call_is_left_alone() -> None:
    for door, machine in doors():
        named = {machine.calls[name] for name in (*refused_calls(door), "socket", "socketpair")}
        for number in set(range(470)) - named:
            assert answer(assembled(door, machine), machine.audit, number, INET, STREAM) == ALLOWED


def test_the_filter_is_short_and_its_leaps_are_within_it() -> None:
    for door, machine in doors():
        program = assembled(door, machine)
        count = len(program) // 8
        assert len(program) % 8 == 0
        assert count < 120
        for at, (code, then, otherwise, _) in enumerate(struct.iter_unpack("=HBBI", program)):
            if code in (0x15, 0x35):
                assert at + 1 + max(then, otherwise) < count
        assert struct.unpack_from("=HBBI", program, len(program) - 8)[0] == 0x06
