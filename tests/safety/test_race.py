"""A folder, or a file, is swapped for a link to the outside while it is read or written: the race that every check of
a path's text loses. The naive way is the positive control; both ways of opening are tried as both users."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety import opening
from aria_desktop.safety.paths import Workspace
from tests.safety.conftest import Tried
from tests.safety.tiers import tries
from tests.safety.users import UIDS, acting_as, folder_for

OUTSIDE = "outside"
AT_FDCWD, RENAME_EXCHANGE = -100, 2
TRIES = tries(1_000, 200_000)
WRITES = tries(200, 10_000)


def laid_out(base: Path) -> Path:
    root = base / "ws"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "f").write_text("inside")
    (base / "ws2").mkdir()
    (base / "ws2" / "f").write_text(OUTSIDE)
    (root / "other").symlink_to(base / "ws2")
    return root


def laid_out_file(base: Path) -> Path:
    """As above, but `inner` is the file itself."""
    root = laid_out(base)
    (root / "inner" / "f").unlink()
    (root / "inner").rmdir()
    (root / "inner").write_text("inside")
    (root / "other").unlink()
    (root / "other").symlink_to(base / "ws2" / "f")
    return root


@contextmanager
def swapping(root: Path) -> Iterator[None]:
    """`inner` is by turns the thing and the link, in one step each, without a pause."""
    stop = threading.Event()

    rename = ctypes.CDLL(None, use_errno=True).renameat2
    inner, other = os.fsencode(root / "inner"), os.fsencode(root / "other")

    def swap() -> None:
        while not stop.is_set():
            assert rename(AT_FDCWD, inner, AT_FDCWD, other, RENAME_EXCHANGE) == 0

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        yield
    finally:
        stop.set()
        swapper.join()


def leaks(read: Callable[[], str], count: int) -> int:
    """How often the outside was read; a read that is refused, or finds nothing, is none."""
    found = 0
    for _ in range(count):
        try:
            found += read() == OUTSIDE
        except (ToolFailed, OSError):
            continue
    return found


def naive(root: Path, name: str) -> str:
    path = root / name
    return path.read_text() if path.resolve().is_relative_to(root) else ""


def controls_of(root: Path, name: str) -> int:
    """How often the naive way was led out, until it was once."""
    for _ in range(400):
        found = leaks(lambda: naive(root, name), 500)
        if found:
            return found
    return 0


@pytest.fixture(params=["openat2", "component walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    assert opening._kernel_open is not None, "this machine has no openat2, so this shows nothing"
    if request.param == "component walk":
        monkeypatch.setattr(opening, "_kernel_open", None)
    return str(request.param)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize(("lay_out", "name"), [(laid_out, "inner/f"), (laid_out_file, "inner")], ids=["P35", "P34"])
def test_the_door_never_follows_what_is_swapped(
    lay_out: Callable[[Path], Path], name: str, way: str, uid: int, tried: Tried
) -> None:
    with folder_for(uid) as base, acting_as(uid):
        root = lay_out(base)
        with Workspace(root) as workspace, swapping(root):
            controls = controls_of(root, name)
            escapes = leaks(lambda: workspace.read_text(name), TRIES)
    assert controls, "the attack does not work here, so the test shows nothing"
    tried(set=f"race, {way}", cases=TRIES, controls=controls, escapes=escapes, uid=uid)


@pytest.mark.parametrize("uid", UIDS)
def test_nothing_is_written_outside_while_the_folder_is_swapped(way: str, uid: int, tried: Tried) -> None:
    with folder_for(uid) as base, acting_as(uid):
        root = laid_out(base)
        with Workspace(root) as workspace, swapping(root):
            controls = controls_of(root, "inner/f")
            tries, written = writes(workspace)
        outside = {path.name: path.read_text() for path in (base / "ws2").iterdir()}
    assert written, "no write got through at all, so the test shows nothing"
    tried(set=f"race, {way}", cases=tries, controls=controls, escapes=outside != {"f": OUTSIDE}, uid=uid)


def writes(workspace: Workspace) -> tuple[int, int]:
    """How many were tried, and how many got through: at least `WRITES`, and on until one did. On a busy machine the
    folder can be the link each time that a write begins."""
    tried = written = 0
    while tried < WRITES or (not written and tried < 100 * WRITES):
        written += wrote(workspace, f"text {tried}\n")
        tried += 1
    return tried, written


def wrote(workspace: Workspace, text: str) -> bool:
    try:
        workspace.apply(workspace.plan_write("inner/f", text))
    except ToolFailed:
        return False
    return True
