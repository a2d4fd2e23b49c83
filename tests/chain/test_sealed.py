"""Nothing leaves the machine: the demo runs with the network cut, and a traced turn opens no internet socket."""

from __future__ import annotations

import re
from pathlib import Path

from tests.chain.conftest import Aria


def test_the_demo_runs_with_the_network_cut(aria: Aria) -> None:
    run = aria("demo", before=("unshare", "-n"))
    assert run.code == 0, run.err
    folder = next(Path(line.removeprefix("folder: ")) for line in run.out.splitlines() if line.startswith("folder: "))
    assert "milk" in (folder / "shopping.txt").read_text(encoding="utf-8").lower()
    assert (folder.parent / "reply.wav").stat().st_size > 10_000
    for part in (
        'heard: "',
        "call: create_file(",
        "question: ",
        "answer: yes, by the demo's scripted approver",
        "times: ",
    ):
        assert part in run.out


def test_a_traced_turn_opens_no_internet_socket(aria: Aria, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    tracer = ("strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o", str(trace))
    run = aria("demo", before=tracer)
    assert run.code == 0, run.err
    calls = trace.read_text(encoding="utf-8")
    assert not internet_sockets(calls), internet_sockets(calls)


def test_the_trace_would_show_an_internet_socket(aria: Aria, tmp_path: Path) -> None:
    """Positive control: the same trace of a program that does open one finds it."""
    import subprocess
    import sys

    trace = tmp_path / "trace"
    code = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()"
    command = ["strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o", str(trace), sys.executable, "-c", code]
    subprocess.run(command, check=True, timeout=60, env=aria.environment())
    assert internet_sockets(trace.read_text(encoding="utf-8"))


def internet_sockets(calls: str) -> list[str]:
    return [line for line in calls.splitlines() if re.search(r"AF_(INET6?|PACKET|NETLINK)\b", line)]
