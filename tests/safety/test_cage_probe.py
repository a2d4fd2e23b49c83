"""The twelve attacks that are tried before a command is offered: each is seen to succeed where its wall is missing."""

from __future__ import annotations

import os
import signal
import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.safety import cage_probe, cage_run
from aria_desktop.safety.cage import CageMissing, command_line
from aria_desktop.safety.cage_probe import ATTACKS, probe
from aria_desktop.safety.cage_system import find_system
from tests.safety.conftest import Tried
from tests.safety.layers import readable_system
from tests.safety.users import UIDS, acting_as, folder_for

ALL_PASS = struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000)

Hole = Callable[[list[str]], list[str]]


def without(*flags: str) -> Hole:
    return lambda arguments: [word for word in arguments if word not in flags]


def neighbours_shared(arguments: list[str]) -> list[str]:
    at = arguments.index("--chdir")
    folder = tempfile.gettempdir()
    return [*arguments[:at], "--bind", folder, folder, *arguments[at:]]


def capabilities_kept(arguments: list[str]) -> list[str]:
    return ["--cap-add" if word == "--cap-drop" else word for word in arguments]


HOLES: dict[str, Hole] = {
    "read a file outside": neighbours_shared,
    "write outside": neighbours_shared,
    "name an outside file once more": neighbours_shared,
    "reach outside by a link": neighbours_shared,
    "open a TCP connection": without("--unshare-net"),
    "send over UDP": without("--unshare-net"),
    "find a Unix socket": neighbours_shared,
    "find an abstract socket": without("--unshare-net"),
    "see or signal the program": without("--unshare-pid"),
    "keep a capability": capabilities_kept,
    "make a namespace": without("--disable-userns"),
    "outlive the command": without("--unshare-pid"),
}
"""The wall that is taken away for an attack. The filter of calls is away in all of them."""


@pytest.fixture
def survivors() -> Iterator[None]:
    yield
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if len(words) == 2 and words[0] == "sleep" and len(words[1]) == 10 and words[1].isdigit():
            os.kill(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("layers", [True, False])
@pytest.mark.parametrize("uid", UIDS)
def test_all_twelve_fail_in_the_cage(uid: int, layers: bool, tried: Tried) -> None:
    tried.begin("attacks of the start-up probe", len(ATTACKS), uid=uid)
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid):
            probe(system, CancelToken(), folder / "staging" if layers else None)
            assert not layers or list((folder / "staging").iterdir()) == []


def test_each_attack_has_its_hole() -> None:
    assert list(HOLES) == [name for name, _ in ATTACKS]


@pytest.mark.usefixtures("survivors")
@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("attack", ATTACKS, ids=[name for name, _ in ATTACKS])
def test_an_attack_that_succeeds_is_told_and_nothing_runs(
    attack: tuple[str, str], uid: int, monkeypatch: pytest.MonkeyPatch, tried: Tried
) -> None:
    name = attack[0]
    monkeypatch.setattr(cage_probe, "ATTACKS", (attack,))
    monkeypatch.setattr(cage_probe, "SURVIVOR_S", 0.2)
    monkeypatch.setattr(cage_run, "caged_calls", lambda _: ALL_PASS)
    monkeypatch.setattr(cage_run, "command_line", lambda *given: HOLES[name](command_line(*given)))
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid), pytest.raises(CageMissing, match=rf"can (outlive its end|{name})"):
            probe(system, CancelToken(), folder / "staging")
    tried.control("attacks of the start-up probe", uid=uid)


def test_an_attack_that_can_not_be_tried_counts_as_one_that_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_probe, "ATTACKS", (("read a file outside", "exit 0"), *ATTACKS[1:]))
    with pytest.raises(CageMissing, match="could not be tried"):
        probe(find_system(), CancelToken())


def test_a_cancel_is_no_verdict_about_the_cage() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        probe(find_system(), cancel)


def test_nothing_of_it_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    probe(find_system(), CancelToken(), tmp_path / "staging")
    assert [path.name for path in tmp_path.rglob("*")] == ["staging"]
